#include "cairn/report/step_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace cairn::report {

using explain::NamedSpan;
using explain::StepResult;
using memory::ActionKind;

namespace {

// Resources that are `wanted`, ranked by name: parallel links share a name.
template <class Wanted>
std::vector<DrawnResource> busiest(const StepResult& result,
                                   std::size_t max_draws,
                                   const Wanted& wanted) {
  std::map<std::string, std::size_t> rank;
  for (const explain::ResourceUse& use : result.resources) {
    if (wanted(use)) {
      rank.emplace(use.name, rank.size());
    }
  }
  const auto& names = result.record.resources;
  std::vector<DrawnResource> drawn(names.size());
  for (std::uint32_t r = 0; r < names.size(); ++r) {
    drawn[r].resource = r;
  }
  for (const explain::SpanDraw& draw : result.record.draws) {
    drawn[draw.resource].draws.push_back(&draw);
  }
  std::erase_if(drawn, [&](const DrawnResource& each) {
    return each.draws.empty() || !rank.contains(names[each.resource]);
  });
  std::ranges::stable_sort(
      drawn, {}, [&](const DrawnResource& each) { return rank.at(names[each.resource]); });
  std::size_t draws = 0;
  const auto too_many = std::ranges::find_if(drawn, [&](const DrawnResource& each) {
    draws += each.draws.size();
    return draws > max_draws;
  });
  drawn.erase(too_many, drawn.end());
  return drawn;
}

}  // namespace

std::size_t background_row(const StepResult& result) {
  return kRows.size() + result.record.channels.size();
}

std::size_t row_of(const StepResult& result, const NamedSpan& span) {
  switch (span.kind) {
    case ActionKind::kKernel:
    case ActionKind::kRecompute:
    case ActionKind::kPass:
      return 0;
    case ActionKind::kOffload:
      return 1;
    case ActionKind::kPrefetch:
      return 2;
    case ActionKind::kBackground:
      return background_row(result);
    case ActionKind::kExchange:
      break;
  }
  return kRows.size() + span.channel;
}

std::string row_name(const StepResult& result, std::size_t row) {
  if (row < kRows.size()) {
    return kRows[row];
  }
  if (row == background_row(result)) {
    return "background";
  }
  const std::string& channel = result.record.channels[row - kRows.size()].name;
  return result.endpoint.executor == comm::Executor::kEngine ? "engine: " + channel : channel;
}

std::string class_name(const StepResult& result, std::uint32_t device_class) {
  const std::string stage = fmt::format("stage {}", result.class_stage[device_class]);
  const bool pipeline = result.stages() > 1;
  if (result.class_members.size() == result.devices) {
    return fmt::format("device {}{}", device_class, pipeline ? " of " + stage : "");
  }
  return fmt::format("device class {} ({} devices{})",
                     device_class,
                     result.class_members[device_class],
                     pipeline ? " of " + stage : "");
}

bool takes_part_in(const StepResult& result, std::uint32_t device_class, std::size_t channel) {
  const auto& [name, from, to] = result.record.channels[channel];
  const std::uint32_t stage = result.class_stage[device_class];
  return from == stage || to == stage;
}

bool takes_part(const StepResult& result, std::uint32_t device_class, const NamedSpan& span) {
  return span.kind == ActionKind::kExchange ? takes_part_in(result, device_class, span.channel)
                                            : span.device_class == device_class;
}

std::vector<DrawnResource> busiest_resources(const StepResult& result, std::size_t max_draws) {
  return busiest(result, max_draws, [](const explain::ResourceUse&) { return true; });
}

std::vector<DrawnResource> busiest_links(const StepResult& result, std::size_t max_draws) {
  return busiest(result, max_draws, [](const explain::ResourceUse& use) {
    return use.kind == explain::ResourceKind::kLink;
  });
}

std::string resource_name(const StepResult& result, std::uint32_t resource) {
  const std::vector<std::string>& names = result.record.resources;
  const auto before = std::count(names.begin(), names.begin() + resource, names[resource]);
  return before == 0 ? names[resource] : fmt::format("{} ({})", names[resource], before + 1);
}

std::vector<ResourceRow> rows_of_resource(const StepResult& result, const DrawnResource& drawn) {
  std::map<std::pair<std::uint32_t, std::size_t>, std::vector<const explain::SpanDraw*>> rows;
  for (const explain::SpanDraw* draw : drawn.draws) {
    const NamedSpan& span = result.record.spans[draw->span];
    rows[{span.device_class, row_of(result, span)}].push_back(draw);
  }
  // Sorted by class: if there are several, the first and the last differ.
  const bool several = !rows.empty() && rows.begin()->first.first != rows.rbegin()->first.first;
  std::vector<ResourceRow> named;
  for (auto& [row, draws] : rows) {
    named.push_back({fmt::format("{}, {}{}",
                                 resource_name(result, drawn.resource),
                                 row_name(result, row.second),
                                 several ? fmt::format(" of class {}", row.first) : ""),
                     std::move(draws)});
  }
  return named;
}

}  // namespace cairn::report
