#include "cairn/evaluate_collective.hpp"

#include <memory>
#include <string>
#include <utility>

#include "cairn/comm/check.hpp"
#include "cairn/comm/engine_chunks.hpp"
#include "cairn/comm/lower_bound.hpp"
#include "cairn/comm/network.hpp"
#include "cairn/comm/protocol.hpp"
#include "cairn/sim/collapse.hpp"
#include "cairn/sim/simulate.hpp"

namespace cairn {

namespace {

using comm::Collective;
using comm::CollectiveProgram;
using comm::GroupLayout;
using explain::CollectiveResult;

comm::CollectivePolicy policy_of(comm::Op op, const CollectiveOptions& options) {
  const Where where{.file = "", .line = 0, .key = "algorithm"};
  return {.operations = {{op, comm::parse_algorithm(options.algorithm, where)}},
          .chunks = options.chunks,
          .window = options.window};
}

comm::Request request_of(const Collective& collective, const GroupLayout& layout) {
  comm::Group everybody;  // empty for the whole platform in rank order, which may be huge
  for (std::uint32_t position = 0; !layout.whole && position < layout.positions; ++position) {
    everybody.push_back(position);
  }
  return {.collective = collective, .all = &layout, .groups = {std::move(everybody)}};
}

std::string why_chosen(const comm::Choice& choice) {
  std::string why = choice.candidates.empty()
                        ? std::string()
                        : "lowest estimate of: " + comm::to_text(choice.candidates);
  if (!choice.infeasible.empty()) {
    why += "; infeasible: " + choice.infeasible;
  }
  if (!choice.not_in_library.empty()) {
    why += (why.empty() ? "" : "; ") + ("not in the platform's library: " + choice.not_in_library);
  }
  return why;
}

// The program of the realized collective, folded where requested and possible.
Feasible<CollectiveProgram> program_of(const Collective& collective,
                                       const comm::Realized& realized,
                                       platform::Router& router,
                                       const CollectiveOptions& options) {
  const bool by_statement = realized.layout.first_position_only;
  comm::ProgramBuilder builder(
      router, by_statement ? comm::View::kOnePerClass : comm::View::kEveryMember, options.endpoint);
  builder.add(collective, realized.layout, realized.schedule, realized.chunking, realized.buffers);
  if (const auto reason = builder.check_engines()) {
    return *reason;
  }
  CollectiveProgram program = builder.take();
  if (options.locate_links) {
    program.of_link = builder.locate_links();
  }
  if (const auto reason = comm::check_chunks(program.program)) {
    return *reason;
  }
  if (!options.steps) {
    sim::collapse_steps(program.program);
  }
  if (options.fold && !by_statement) {
    program = comm::fold_by_refinement(std::move(program));
  }
  if (const auto too_many = comm::too_many_chunks(program.program, options.endpoint)) {
    return *too_many;
  }
  return program;
}

// Simulates the chosen algorithm, protocols and chunks, and explains the result.
Feasible<CollectiveResult> simulate(const comm::Request& request,
                                    const comm::Choice& choice,
                                    comm::Network& network,
                                    const CollectiveOptions& options) {
  const Collective& collective = request.collective;
  const bool all_devices = request.all->positions == request.all->platform->device_count();
  const bool fold =
      options.fold && all_devices && comm::folds_by_statement(request, choice.algorithm);
  if (auto too_many = comm::check_messages(request, choice.algorithm, fold)) {
    return *std::move(too_many);
  }
  const comm::Realized realized = network.realizer().realize(request, choice, fold);
  auto made = program_of(collective, realized, network.realizer().router(), options);
  if (!made) {
    return made.reason();
  }
  CollectiveProgram program = std::move(made).value();
  program.of_link = network.resource_of_link(program.of_link);
  const sim::Timeline timeline =
      sim::simulate(program.program,
                    options.record_spans ? sim::Record::kSpans : sim::Record::kTotals,
                    options.unroll ? sim::Periods::kSimulated : sim::Periods::kSkipped);
  if (auto reason = sim::check_end(timeline)) {
    return *std::move(reason);
  }
  const GroupLayout layout = comm::make_group_layout(network.platform(), collective.group);
  CollectiveResult result{.platform = realized.layout.platform->name,
                          .op = collective.op,
                          .size = collective.size,
                          .devices = realized.layout.positions,
                          .algorithm = comm::name_of(choice.algorithm),
                          .protocol = comm::protocol_names(realized.schedule),
                          .chunks = realized.chunking.chunks,
                          .lower_bound = comm::lower_bound(collective, layout),
                          .endpoint = options.endpoint};
  result.chosen_because = why_chosen(choice);
  result.sent_per_device =
      collective.size * (comm::total_share(realized.schedule) / realized.layout.senders());
  explain::explain_timeline(program, timeline, result);
  return result;
}

}  // namespace

Feasible<CollectiveResult> evaluate_collective(const platform::Platform& platform,
                                               const Collective& collective,
                                               const CollectiveOptions& options) {
  comm::check(platform, collective);
  const comm::CollectivePolicy policy = policy_of(collective.op, options);
  const GroupLayout layout = comm::make_group_layout(platform, collective.group);
  if (layout.positions < 2 || collective.size <= Bytes(0.0)) {
    return CollectiveResult{.platform = platform.name,
                            .op = collective.op,
                            .size = collective.size,
                            .devices = layout.positions,
                            .algorithm = "none",
                            .bound = {explain::BoundKind::kNothing, "nothing"}};
  }
  // Not a copy: the platform may be huge, and outlives this call.
  const std::shared_ptr<const platform::Platform> here(std::shared_ptr<void>(), &platform);
  comm::Network network(here, options.endpoint, policy, options.fold);
  comm::Realizer& realizer = network.realizer();
  const GroupLayout realized =
      comm::make_group_layout(realizer.router().platform(), collective.group);
  const comm::Request request = request_of(collective, realized);
  const auto choice = realizer.choose(request);
  if (!choice) {
    return choice.reason();
  }
  return simulate(request, *choice, network, options);
}

}  // namespace cairn
