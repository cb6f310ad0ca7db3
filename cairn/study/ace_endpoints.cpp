#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <utility>

#include "cairn/evaluate_collective.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/study/ace.hpp"

namespace cairn::study {

namespace {

using comm::Accounting;
using comm::Endpoint;
using comm::Executor;

constexpr double kGiga = 1e9;
// Fraction of the ideal endpoint's bandwidth from which the network counts as saturated.
constexpr double kSaturated = 0.97;

std::string name_of(const Dims& dims) {
  return fmt::format("{}", fmt::join(dims, "x"));
}

class Endpoints {
 public:
  Endpoints(const AceFile& file,
            const EndpointInputs& inputs,
            const chip::Device& device,
            const Tick& tick)
      : file_(file), inputs_(inputs), device_(device), tick_(tick) {}

  StudyResult run() {
    endpoint_costs();
    for (const Dims& dims : file_.sweep_sizes) {
      sweep_memory(dims);
      sweep_sms(dims);
    }
    configurations();
    return std::move(result_);
  }

 private:
  void find(const std::string& name, double value) { result_.findings[name] = value; }

  [[nodiscard]] platform::Platform torus(const Dims& dims) const {
    Config config = inputs_.latency ? file_.platform : without(file_.platform, {"latency"});
    set_value(config, fmt::format("dims=[{}]", fmt::join(dims, ", ")));
    return platform::read_platform(config, {});
  }

  [[nodiscard]] explain::CollectiveResult all_reduce(const Dims& dims, const Endpoint& endpoint) {
    if (tick_) {
      tick_();
    }
    CollectiveOptions options{.algorithm = "hierarchical", .chunks = inputs_.chunks};
    options.endpoint = endpoint;
    return evaluate_collective(torus(dims), {.size = inputs_.payload}, options).value();
  }

  [[nodiscard]] double driven(const Dims& dims, const Endpoint& endpoint) {
    return all_reduce(dims, endpoint).driven_bandwidth.si() / kGiga;
  }

  // An endpoint with all resources of the device. An engine's SRAM and state machines are
  // unlimited: only bandwidth matters here.
  [[nodiscard]] Endpoint endpoint(Executor executor, Accounting accounting) const {
    Endpoint all = comm::endpoint_of(parse_config(fmt::format("{{executor: {}, accounting: {}}}",
                                                              enum_name(executor),
                                                              enum_name(accounting)),
                                                  file_.device.where.file),
                                     device_);
    all.engine = {};
    return all;
  }

  [[nodiscard]] Endpoint cores() const { return endpoint(Executor::kCores, inputs_.accounting); }

  static Endpoint with_memory(Endpoint endpoint, BytesPerSecond memory) {
    endpoint.memory = memory;
    return endpoint;
  }

  [[nodiscard]] static Endpoint with_sms(Endpoint endpoint, double sms) {
    endpoint.cores_move = endpoint.cores_move * (sms / endpoint.cores);
    endpoint.cores = sms;
    return endpoint;
  }

  // Memory bandwidth for the link utilization of an ideal endpoint: memory traffic over the ideal
  // time.
  void endpoint_costs() {
    double ratios = 0.0;
    for (const Accounting accounting : {Accounting::kPaper, Accounting::kExact}) {
      const bool chosen = accounting == inputs_.accounting;
      const std::string how = enum_name(accounting);
      Table table{.name = "endpoint_costs_" + how,
                  .title = "Memory bandwidth for the network bandwidth of an ideal endpoint, " +
                           how + " accounting",
                  .columns = {"L x V x H",
                              "NPUs",
                              "sent per payload byte",
                              "time (ms)",
                              "driven (GB/s)",
                              "cores read per payload byte",
                              "cores write",
                              "cores need (GB/s)",
                              "engine needs (GB/s)",
                              "ratio"}};
      for (const Dims& dims : file_.sizes) {
        const auto ideal = all_reduce(dims, {});
        const auto by_cores = all_reduce(dims, endpoint(Executor::kCores, accounting));
        const auto by_engine = all_reduce(dims, endpoint(Executor::kEngine, accounting));
        const auto need = [&](const explain::CollectiveResult& run) {
          return (run.read_per_device + run.written_per_device) / ideal.time /
                 BytesPerSecond(kGiga);
        };
        const double ratio = need(by_cores) / need(by_engine);
        const auto per_payload = [&](Bytes bytes) { return bytes / inputs_.payload; };
        table.rows.push_back({name_of(dims),
                              fmt::format("{}", ideal.devices),
                              per_payload(ideal.sent_per_device),
                              ideal.time.si() * 1e3,
                              ideal.driven_bandwidth.si() / kGiga,
                              per_payload(by_cores.read_per_device),
                              per_payload(by_cores.written_per_device),
                              need(by_cores),
                              need(by_engine),
                              ratio});
        const std::string of = how + "." + name_of(dims);
        find("sent." + of, per_payload(ideal.sent_per_device));
        find("driven." + of, ideal.driven_bandwidth.si() / kGiga);
        find("read." + of, per_payload(by_cores.read_per_device));
        find("written." + of, per_payload(by_cores.written_per_device));
        find("need.cores." + of, need(by_cores));
        find("need.engine." + of, need(by_engine));
        find("ratio." + of, ratio);
        if (chosen) {
          find(fmt::format("need.{}.cores", ideal.devices), need(by_cores));
          find(fmt::format("need.{}.engine", ideal.devices), need(by_engine));
          ratios += ratio;
        }
      }
      result_.tables.push_back(std::move(table));
    }
    find("need.ratio.mean", ratios / static_cast<double>(file_.sizes.size()));
  }

  // The first of `given` at which `driven` reaches saturation.
  static double saturation(const std::vector<double>& given,
                           const std::vector<double>& driven,
                           double ideal) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (driven[i] >= kSaturated * ideal) {
        return given[i];
      }
    }
    return std::numeric_limits<double>::infinity();
  }

  void sweep_memory(const Dims& dims) {
    const double ideal = driven(dims, {});
    report::Series of_cores{.name = "cores"};
    report::Series of_engine{.name = "engine"};
    for (const BytesPerSecond memory : file_.memory) {
      for (report::Series* series : {&of_cores, &of_engine}) {
        const Executor executor = series == &of_cores ? Executor::kCores : Executor::kEngine;
        series->x.push_back(memory.si() / kGiga);
        series->y.push_back(
            driven(dims, with_memory(endpoint(executor, inputs_.accounting), memory)));
      }
    }
    const std::uint32_t npus = count(dims);
    find(fmt::format("saturates.{}.memory", npus), saturation(of_cores.x, of_cores.y, ideal));
    find(fmt::format("saturates.{}.engine", npus), saturation(of_engine.x, of_engine.y, ideal));
    find(fmt::format("slope.{}", npus), of_cores.y.front() / of_cores.x.front());
    add_sweep("memory",
              "memory bandwidth for communication (GB/s)",
              dims,
              ideal,
              {std::move(of_cores), std::move(of_engine)});
  }

  void sweep_sms(const Dims& dims) {
    const double ideal = driven(dims, {});
    report::Series of_cores{.name = "cores"};
    for (const std::uint32_t sms : file_.sms) {
      of_cores.x.push_back(sms);
      of_cores.y.push_back(driven(dims, with_sms(cores(), sms)));
    }
    find(fmt::format("saturates.{}.sms", count(dims)), saturation(of_cores.x, of_cores.y, ideal));
    add_sweep("sms", "SMs for communication", dims, ideal, {std::move(of_cores)});
  }

  void add_sweep(const std::string& name,
                 const std::string& title,
                 const Dims& dims,
                 double ideal,
                 std::vector<report::Series> series) {
    const std::uint32_t npus = count(dims);
    Table table{.name = fmt::format("driven_by_{}_{}", name, npus),
                .title = fmt::format(
                    "Network bandwidth driven on {} NPUs (ideal: {:.3g} GB/s)", npus, ideal),
                .columns = {title}};
    for (const report::Series& line : series) {
      table.columns.push_back(line.name + " (GB/s)");
    }
    for (std::size_t i = 0; i < series.front().x.size(); ++i) {
      std::vector<Cell> row{series.front().x[i]};
      for (const report::Series& line : series) {
        row.emplace_back(line.y[i]);
      }
      table.rows.push_back(std::move(row));
    }
    result_.charts.push_back({.name = table.name,
                              .title = fmt::format("Network bandwidth driven on {} NPUs, by {}",
                                                   npus,
                                                   name == "sms" ? "SMs" : "memory bandwidth"),
                              .x = {.title = title},
                              .y = {.title = "driven (GB/s)"},
                              .series = std::move(series),
                              .levels = {{"ideal", ideal}}});
    result_.tables.push_back(std::move(table));
  }

  // The paper's reservations against the ideal endpoint.
  void configurations() {
    const Config& known = file_.configurations;
    Table table{.name = "configurations",
                .title = "Network bandwidth driven by the paper's reservations (GB/s)",
                .columns = {"NPUs"}};
    table.columns.insert(table.columns.end(), known.keys.begin(), known.keys.end());
    table.columns.emplace_back("ideal");
    for (const Dims& dims : file_.sizes) {
      const double ideal = driven(dims, {});
      std::vector<Cell> row{std::to_string(count(dims))};
      for (std::size_t i = 0; i < known.keys.size(); ++i) {
        Endpoint reserved = comm::endpoint_of(known.items[i], device_);
        reserved.accounting = inputs_.accounting;
        reserved.engine = {};
        const double here = driven(dims, reserved);
        find(fmt::format("driven.{}.{}", count(dims), known.keys[i]), here);
        find(fmt::format("of_ideal.{}.{}", count(dims), known.keys[i]), here / ideal);
        row.emplace_back(here);
      }
      row.emplace_back(ideal);
      table.rows.push_back(std::move(row));
    }
    result_.tables.push_back(std::move(table));
  }

  const AceFile& file_;
  const EndpointInputs& inputs_;
  const chip::Device& device_;
  const Tick& tick_;
  StudyResult result_;
};

}  // namespace

StudyResult study_endpoints(const AceFile& file,
                            const EndpointInputs& inputs,
                            const chip::Device& device,
                            const Tick& tick) {
  return Endpoints(file, inputs, device, tick).run();
}

}  // namespace cairn::study
