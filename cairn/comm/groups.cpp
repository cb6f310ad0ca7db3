#include "cairn/comm/groups.hpp"

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/comm/algorithm_choice.hpp"

namespace cairn::comm {

namespace {

bool same_phases(const Part& a, const Part& b) {
  return a.share == b.share &&
         std::ranges::equal(a.phases, b.phases, {}, &Phase::steps, &Phase::steps) &&
         std::ranges::equal(a.phases, b.phases, {}, &Phase::reducing, &Phase::reducing) &&
         std::ranges::equal(a.phases, b.phases, {}, &Phase::resident, &Phase::resident) &&
         std::ranges::equal(a.phases, b.phases, {}, &Phase::algorithm, &Phase::algorithm);
}

void rename(Part& part, const Group& group, std::uint32_t first_link) {
  for (Message& message : part.messages) {
    message.from = group[message.from];
    message.to = group[message.to];
    if (message.path.kind == Path::Kind::kLinks) {
      message.path.index += first_link;
    }
  }
}

// Phase by phase, the messages of `same`, the parts with the phases of `first`.
Part merged(const Part& first,
            const std::vector<Part>& parts,
            const std::vector<std::size_t>& same) {
  Part result{.share = first.share};
  for (std::size_t p = 0; p < first.phases.size(); ++p) {
    result.begin_phase(first.phases[p].steps, first.phases[p].reducing, first.phases[p].resident);
    result.phases.back().algorithm = first.phases[p].algorithm;
    for (const std::size_t which : same) {
      const Part& part = parts[which];
      for (std::uint32_t m = part.phases[p].first_message; m < part.phases[p].end_message; ++m) {
        result.send(part.messages[m]);
      }
    }
  }
  return result;
}

void merge_same_phases(const std::vector<Part>& parts, std::vector<Part>& result) {
  std::vector<bool> done(parts.size(), false);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (done[i]) {
      continue;
    }
    std::vector<std::size_t> same;
    for (std::size_t j = i; j < parts.size(); ++j) {
      if (!done[j] && same_phases(parts[i], parts[j])) {
        same.push_back(j);
        done[j] = true;
      }
    }
    result.push_back(merged(parts[i], parts, same));
  }
}

}  // namespace

GroupLayout layout_of(const GroupLayout& all, const Group& group) {
  if (group.empty()) {
    return all;
  }
  std::vector<std::uint32_t> devices;
  devices.reserve(group.size());
  for (const std::uint32_t position : group) {
    devices.push_back(all.device(position));
  }
  return make_group_layout(*all.platform, devices);
}

CollectiveSchedule schedule_in_groups(const Collective& collective,
                                      const GroupLayout& all,
                                      std::span<const Group> groups,
                                      const AlgorithmChoice& choice) {
  ensure(!all.first_position_only, "groups need a layout with all positions");
  CollectiveSchedule result;
  std::vector<std::vector<Part>> side_by_side;  // by number of the part, then group
  for (const Group& group : groups) {
    const GroupLayout layout = layout_for(choice, all, group);
    Collective here = collective;
    here.group = layout.members;
    CollectiveSchedule schedule = choice.algorithm->schedule(here, layout);
    const auto first_link = static_cast<std::uint32_t>(result.links.size());
    side_by_side.resize(std::max(side_by_side.size(), schedule.parts.size()));
    for (std::size_t p = 0; p < schedule.parts.size(); ++p) {
      rename(schedule.parts[p], group, first_link);
      side_by_side[p].push_back(std::move(schedule.parts[p]));
    }
    std::ranges::move(schedule.links, std::back_inserter(result.links));
  }
  for (const std::vector<Part>& parts : side_by_side) {
    merge_same_phases(parts, result.parts);
  }
  return result;
}

std::vector<Buffers> buffers_in_groups(const Collective& collective,
                                       std::uint32_t positions,
                                       std::span<const Group> groups) {
  std::vector<Buffers> buffers(positions);
  for (const Group& group : groups) {
    const auto size = static_cast<std::uint32_t>(group.size());
    for (std::uint32_t i = 0; i < size; ++i) {
      buffers[group[i]] = buffers_of(collective, i, size);
    }
  }
  return buffers;
}

}  // namespace cairn::comm
