#include "cairn/comm/request.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "cairn/base/count_text.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::comm {

namespace {

// Messages that fit in host memory.
constexpr double kMaxWritten = 2e8;
constexpr double kBytesPerMessage = 250.0;  // message, lane, demand with a few draws

// Why the algorithm cannot run in one of the groups; nullptr if it can run in all.
const char* unsupported(const Request& request, const AlgorithmChoice& choice) {
  for (const Group& group : request.groups) {
    const GroupLayout layout = layout_for(choice, *request.all, group);
    const char* why = choice.algorithm->unsupported(request.collective.op, layout);
    // Where devices can be exchanged, what holds for one group holds for all.
    if (why != nullptr || layout.platform->exchange_symmetric) {
      return why;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<AlgorithmChoice> supported_algorithms(const Request& request) {
  std::vector<AlgorithmChoice> result;
  for (const Algorithm* algorithm : algorithms()) {
    AlgorithmChoice choice{.algorithm = algorithm};
    if (unsupported(request, choice) == nullptr) {
      result.push_back(std::move(choice));
    }
  }
  return result;
}

std::optional<Infeasible> check_algorithm(const Request& request, const AlgorithmChoice& choice) {
  const platform::Platform& platform = *request.all->platform;
  const std::size_t dims = platform.dims.size();
  if (!choice.dimensions.empty() && choice.dimensions.size() != dims) {
    return Infeasible{Lack::kCollective,
                      fmt::format("{} gives {} for the {} of {} (give one for each)",
                                  name_of(choice),
                                  count_text(choice.dimensions.size(), "algorithm", "algorithms"),
                                  count_text(dims, "dimension", "dimensions"),
                                  platform.name)};
  }
  const char* why = unsupported(request, choice);
  if (why == nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const AlgorithmChoice& other : supported_algorithms(request)) {
    names.push_back(name_of(other));
  }
  return Infeasible{
      Lack::kCollective,
      fmt::format("{} cannot do {} among {} of the {} devices of {}: it {} (use {})",
                  name_of(choice),
                  info(request.collective.op).name,
                  request.group_size(),
                  platform.device_count(),
                  platform.name,
                  why,
                  names.empty() ? "auto" : fmt::format("{}", fmt::join(names, ", ")))};
}

bool folds_by_statement(const Request& request, const AlgorithmChoice& algorithm) {
  const platform::Platform& platform = *request.all->platform;
  if (!platform.shift_symmetric) {
    return false;
  }
  const GroupLayout first = layout_for(algorithm, *request.all, request.groups.front());
  return (first.whole || platform.exchange_symmetric) &&
         algorithm.algorithm->shift_invariant(request.collective.op, first);
}

double messages(const Request& request, const AlgorithmChoice& choice, bool fold) {
  const GroupLayout layout = layout_for(choice, *request.all, request.groups.front());
  const double of_group = choice.algorithm->messages(request.collective.op, layout);
  return fold ? of_group / layout.positions : of_group * static_cast<double>(request.groups.size());
}

std::optional<Infeasible> check_messages(const Request& request,
                                         const AlgorithmChoice& algorithm,
                                         bool fold) {
  const double written = messages(request, algorithm, fold);
  if (written <= kMaxWritten) {
    return std::nullopt;
  }
  return Infeasible{Lack::kHostMemory,
                    fmt::format("{} among {} devices has {} messages, which need about {} of "
                                "memory",
                                name_of(algorithm),
                                request.group_size(),
                                many(written, 3),
                                to_text(Bytes(written * kBytesPerMessage)))};
}

}  // namespace cairn::comm
