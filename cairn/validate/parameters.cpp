#include "cairn/validate/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/must_have.hpp"

namespace cairn::validate {

namespace {

using chip::Device;
using Kinds = std::vector<std::string>;

constexpr double kMicro = 1e-6;
constexpr double kGiga = 1e9;

// Bounds are this factor around the typical and the stated value.
constexpr double kFarthest = 20.0;

// A parameter given by an accessor, since devices are copied.
template <class Reach>
FitParameter at(std::string key, Kinds kinds, double typical, Reach reach) {
  FitParameter parameter{.key = std::move(key), .kinds = std::move(kinds), .typical = typical};
  parameter.get = [reach](const Device& device) {
    const auto& value = reach(device);
    if constexpr (requires { value.si(); }) {
      return value.si();
    } else {
      return value;
    }
  };
  parameter.set = [reach](Device& device, double number) {
    auto& value = reach(device);
    value = std::remove_reference_t<decltype(value)>(number);
  };
  return parameter;
}

// A factor; 1 means unknown.
template <class Reach>
FitParameter factor(std::string key, Kinds kinds, double typical, Reach reach) {
  FitParameter parameter = at(std::move(key), std::move(kinds), typical, reach);
  parameter.neutral = 1.0;
  return parameter;
}

// A fraction: a factor of at most 1.
template <class Reach>
FitParameter part(std::string key, Kinds kinds, double typical, Reach reach) {
  FitParameter parameter = factor(std::move(key), std::move(kinds), typical, reach);
  parameter.most = 1.0;
  return parameter;
}

template <class Reach>
FitParameter time(std::string key, Kinds kinds, double typical, Reach reach) {
  FitParameter parameter = at(std::move(key), std::move(kinds), typical, reach);
  parameter.unit = "us";
  parameter.si = kMicro;
  parameter.neutral = 0.0;
  return parameter;
}

template <class Reach>
FitParameter amount(
    std::string key, Kinds kinds, std::string unit, double si, double typical, Reach reach) {
  FitParameter parameter = at(std::move(key), std::move(kinds), typical, reach);
  parameter.unit = std::move(unit);
  parameter.si = si;
  return parameter;
}

const Kinds kKernels{"gemm", "memory_bound", "rows", "conv", "attention", "recurrent"};
const Kinds kGemms{"gemm", "conv", "attention", "recurrent"};

// Bounds of an operator's kernels, besides those common to all kernels.
struct Figures {
  bool work = false;
  bool throughput = false;
  bool bandwidth = false;
  bool latency = false;
  bool least = false;
  bool power = false;
};

Figures figures_of(chip::LibraryOperator op) {
  switch (op) {
    case chip::LibraryOperator::kConvolution:
      return {.throughput = true, .latency = true, .power = true};
    case chip::LibraryOperator::kFullyConnected:
      return {.bandwidth = true, .latency = true};
    case chip::LibraryOperator::kAttention:
    case chip::LibraryOperator::kAttentionBackward:
      return {.throughput = true, .latency = true};
    case chip::LibraryOperator::kRecurrent:
      return {.throughput = true, .latency = true};
    case chip::LibraryOperator::kNormalization:
    case chip::LibraryOperator::kNormalizationBackward:
      return {.work = true, .latency = true, .least = true};
    case chip::LibraryOperator::kLayerNorm:
    case chip::LibraryOperator::kLayerNormBackward:
      return {.work = true, .bandwidth = true, .latency = true};
    case chip::LibraryOperator::kPool:
    case chip::LibraryOperator::kPoolBackward:
      return {.work = true, .least = true};
    case chip::LibraryOperator::kSoftmax:
    case chip::LibraryOperator::kCrossEntropy:
      return {.work = true, .latency = true};
    case chip::LibraryOperator::kActivation:
    case chip::LibraryOperator::kFill:
    case chip::LibraryOperator::kTranspose:
      return {.work = true};
    case chip::LibraryOperator::kEmbedding:
      return {.bandwidth = true};
    case chip::LibraryOperator::kSum:
      return {.least = true};
    // These reach the memory bandwidth common to all kernels.
    case chip::LibraryOperator::kAdd:
    case chip::LibraryOperator::kCopy:
    case chip::LibraryOperator::kUpdate:
    case chip::LibraryOperator::kMatmul:
    case chip::LibraryOperator::kConcat:
      break;
  }
  return {};
}

void add_all_kernels(std::vector<FitParameter>& all, const Device& device) {
  all.push_back(time("launch", kKernels, 1.5e-6, [](auto& d) -> auto& { return d.launch; }));
  all.push_back(part(
      "memory.utilization", kKernels, 0.85, [](auto& d) -> auto& { return d.memory.utilization; }));
  all.push_back(
      part("cores.utilization", kGemms, 0.9, [](auto& d) -> auto& { return d.cores.utilization; }));
  all.push_back(
      part("cores.sustained", kGemms, 0.6, [](auto& d) -> auto& { return d.cores.sustained; }));
  if (!device.levels.empty() && device.levels.back().per_cycle) {
    const std::size_t i = device.levels.size() - 1;
    all.push_back(amount(fmt::format("levels[{}].per_cycle", i),
                         kKernels,
                         "B",
                         1.0,
                         typical_per_cycle(device),
                         [i](auto& d) -> auto& { return *d.levels[i].per_cycle; }));
  }
}

void add_tiles(std::vector<FitParameter>& all, const chip::Tiles& tiles) {
  if (tiles.fill > Seconds(0.0)) {
    all.push_back(time("tiles.fill", kGemms, 2e-6, [](auto& d) -> auto& { return d.tiles.fill; }));
  }
  if (tiles.splits > 1.0) {
    all.push_back(time("tiles.join", kGemms, 3e-6, [](auto& d) -> auto& { return d.tiles.join; }));
  }
  if (tiles.unaligned) {
    all.push_back(
        amount("tiles.unaligned.per_cycle", {"gemm"}, "B", 1.0, 12.0, [](auto& d) -> auto& {
          return d.tiles.unaligned->per_cycle;
        }));
  }
  if (tiles.unaligned && tiles.unaligned->windows_per_cycle) {
    all.push_back(
        amount("tiles.unaligned.windows_per_cycle", {"conv"}, "B", 1.0, 5.0, [](auto& d) -> auto& {
          return *d.tiles.unaligned->windows_per_cycle;
        }));
  }
}

void add_kernel(std::vector<FitParameter>& all, const chip::LibraryKernel& kernel, std::size_t i) {
  const Kinds kinds = kinds_with(kernel.op);
  const Figures figures = figures_of(kernel.op);
  const auto key = [&](const char* name) { return fmt::format("kernels[{}].{}", i, name); };
  if (figures.work || kernel.work != 1.0) {
    all.push_back(
        factor(key("work"), kinds, 20.0, [i](auto& d) -> auto& { return d.kernels[i].work; }));
  }
  if (figures.throughput || kernel.throughput != 1.0) {
    all.push_back(part(
        key("throughput"), kinds, 0.8, [i](auto& d) -> auto& { return d.kernels[i].throughput; }));
  }
  if (figures.bandwidth || kernel.bandwidth != 1.0) {
    all.push_back(part(
        key("bandwidth"), kinds, 0.8, [i](auto& d) -> auto& { return d.kernels[i].bandwidth; }));
  }
  if (figures.latency || kernel.latency > Seconds(0.0)) {
    all.push_back(
        time(key("latency"), kinds, 2e-6, [i](auto& d) -> auto& { return d.kernels[i].latency; }));
  }
  if (figures.least || kernel.least > Seconds(0.0)) {
    all.push_back(
        time(key("least"), kinds, 6e-6, [i](auto& d) -> auto& { return d.kernels[i].least; }));
  }
  if (kernel.fill) {
    all.push_back(
        time(key("fill"), kinds, 5e-6, [i](auto& d) -> auto& { return *d.kernels[i].fill; }));
  }
  if (figures.power || kernel.power != 1.0) {
    all.push_back(
        factor(key("power"), kinds, 0.7, [i](auto& d) -> auto& { return d.kernels[i].power; }));
  }
}

void add_host(std::vector<FitParameter>& all) {
  const Kinds copies{"hostcopy"};
  all.push_back(amount("host.bandwidth", copies, "GB/s", kGiga, 25e9, [](auto& d) -> auto& {
    return d.host->bandwidth;
  }));
  all.push_back(amount("host.both_ways", copies, "GB/s", kGiga, 45e9, [](auto& d) -> auto& {
    return d.host->both_ways;
  }));
  all.push_back(time("host.start", copies, 5e-6, [](auto& d) -> auto& { return d.host->start; }));
}

}  // namespace

std::vector<FitParameter> parameters_of(const Device& device) {
  std::vector<FitParameter> all;
  add_all_kernels(all, device);
  add_tiles(all, device.tiles);
  for (std::size_t i = 0; i < device.kernels.size(); ++i) {
    add_kernel(all, device.kernels[i], i);
  }
  if (device.host) {
    add_host(all);
  }
  std::erase_if(all, [&](const FitParameter& parameter) { return parameter.kinds.empty(); });
  for (FitParameter& parameter : all) {
    const double now = parameter.stated(device) ? parameter.get(device) : parameter.typical;
    parameter.least = std::min(now, parameter.typical) / kFarthest;
    const double far = std::max(now, parameter.typical) * kFarthest;
    parameter.most = parameter.most > 0.0 ? std::min(parameter.most, far) : far;
  }
  return all;
}

Kinds kinds_with(chip::LibraryOperator op) {
  switch (op) {
    case chip::LibraryOperator::kConvolution:
      return {"conv"};
    case chip::LibraryOperator::kFullyConnected:
      return {"gemm", "conv", "recurrent"};
    case chip::LibraryOperator::kAttention:
    case chip::LibraryOperator::kAttentionBackward:
      return {"attention"};
    case chip::LibraryOperator::kRecurrent:
      return {"recurrent"};
    case chip::LibraryOperator::kMatmul:
    case chip::LibraryOperator::kConcat:
      return {};
    case chip::LibraryOperator::kLayerNorm:
    case chip::LibraryOperator::kLayerNormBackward:
    case chip::LibraryOperator::kSoftmax:
    case chip::LibraryOperator::kCrossEntropy:
    case chip::LibraryOperator::kEmbedding:
    case chip::LibraryOperator::kSum:
      return {"memory_bound", "rows"};
    case chip::LibraryOperator::kActivation:
    case chip::LibraryOperator::kPool:
    case chip::LibraryOperator::kPoolBackward:
    case chip::LibraryOperator::kNormalization:
    case chip::LibraryOperator::kNormalizationBackward:
    case chip::LibraryOperator::kAdd:
    case chip::LibraryOperator::kUpdate:
    case chip::LibraryOperator::kCopy:
    case chip::LibraryOperator::kFill:
    case chip::LibraryOperator::kTranspose:
      break;
  }
  return {"memory_bound"};
}

bool has_figures(chip::LibraryOperator op) {
  const bool fills =
      op == chip::LibraryOperator::kAttention || op == chip::LibraryOperator::kAttentionBackward;
  const Figures figures = figures_of(op);
  return fills || figures.work || figures.throughput || figures.bandwidth || figures.latency ||
         figures.least || figures.power;
}

double typical_per_cycle(const Device& device) {
  constexpr double kPerCore = 32.0;
  return kPerCore * device.cores.count;
}

std::string written(const FitParameter& parameter, double value) {
  const std::string number = fmt::format("{:.4g}", value / parameter.si);
  return parameter.unit.empty() ? number : number + " " + parameter.unit;
}

}  // namespace cairn::validate
