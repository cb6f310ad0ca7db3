#include "cairn/comm/request_schedule.hpp"

#include "cairn/comm/groups.hpp"

namespace cairn::comm {

Realized realize_first_group(const Request& request, const AlgorithmChoice& choice, bool fold) {
  Realized realized{.layout = layout_for(choice, *request.all, request.groups.front())};
  realized.layout.first_position_only = fold;
  realized.schedule = choice.algorithm->schedule(request.collective, realized.layout);
  return realized;
}

Realized realize_all_groups(const Request& request, const AlgorithmChoice& choice) {
  if (request.groups.size() == 1 && request.group_size() == request.all->positions) {
    return realize_first_group(request, choice, false);
  }
  std::vector<Group> groups;
  for (const Group& group : request.groups) {
    groups.push_back(ordered_for(choice, *request.all, group));
  }
  return {.layout = *request.all,
          .schedule = schedule_in_groups(request.collective, *request.all, groups, choice),
          .buffers = buffers_in_groups(request.collective, request.all->positions, groups)};
}

}  // namespace cairn::comm
