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
constexpr double kOnePart = 1.0;

// Within a factor of so much of what the file says.
constexpr double kFarthest = 20.0;

// Where a value lies in a device: reached anew each time, for devices are copied.
template <class Reach>
Parameter at(std::string key, Kinds kinds, std::string unit, double si, Reach reach) {
  Parameter parameter{
      .key = std::move(key), .kinds = std::move(kinds), .unit = std::move(unit), .si = si};
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

template <class Reach>
Parameter part(std::string key, Kinds kinds, Reach reach) {
  Parameter parameter = at(std::move(key), std::move(kinds), "", 1.0, reach);
  parameter.most = kOnePart;
  return parameter;
}

template <class Reach>
Parameter time(std::string key, Kinds kinds, Reach reach) {
  return at(std::move(key), std::move(kinds), "us", kMicro, reach);
}

const Kinds kKernels{"gemm", "memory_bound", "conv", "attention", "recurrent"};
const Kinds kProducts{"gemm", "conv", "attention", "recurrent"};

// Which measurements have kernels of an operator.
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
    case chip::LibraryOperator::kActivation:
    case chip::LibraryOperator::kPool:
    case chip::LibraryOperator::kPoolBackward:
    case chip::LibraryOperator::kNormalization:
    case chip::LibraryOperator::kNormalizationBackward:
    case chip::LibraryOperator::kLayerNorm:
    case chip::LibraryOperator::kLayerNormBackward:
    case chip::LibraryOperator::kSoftmax:
    case chip::LibraryOperator::kCrossEntropy:
    case chip::LibraryOperator::kAdd:
    case chip::LibraryOperator::kEmbedding:
    case chip::LibraryOperator::kUpdate:
    case chip::LibraryOperator::kCopy:
    case chip::LibraryOperator::kFill:
    case chip::LibraryOperator::kTranspose:
    case chip::LibraryOperator::kSum:
      break;
  }
  return {"memory_bound"};
}

void add_tiles(std::vector<Parameter>& all) {
  all.push_back(time("tiles.fill", kProducts, [](auto& d) -> auto& { return d.tiles.fill; }));
  all.push_back(time("tiles.join", kProducts, [](auto& d) -> auto& { return d.tiles.join; }));
}

void add_unaligned(std::vector<Parameter>& all, const chip::UnalignedTiles& tiles) {
  all.push_back(at("tiles.unaligned.per_cycle", {"gemm"}, "B", 1.0, [](auto& d) -> auto& {
    return d.tiles.unaligned->per_cycle;
  }));
  if (tiles.windows_per_cycle) {
    all.push_back(at("tiles.unaligned.windows_per_cycle", {"conv"}, "B", 1.0, [](auto& d) -> auto& {
      return *d.tiles.unaligned->windows_per_cycle;
    }));
  }
}

void add_level(std::vector<Parameter>& all, const Device& device) {
  const std::size_t i = device.levels.size() - 1;
  if (device.levels[i].per_cycle) {
    all.push_back(
        at(fmt::format("levels[{}].per_cycle", i), kKernels, "B", 1.0, [i](auto& d) -> auto& {
          return *d.levels[i].per_cycle;
        }));
  }
}

void add_kernels(std::vector<Parameter>& all, const Device& device) {
  for (std::size_t i = 0; i < device.kernels.size(); ++i) {
    const Kinds kinds = kinds_with(device.kernels[i].op);
    const auto key = [&](const char* name) { return fmt::format("kernels[{}].{}", i, name); };
    if (device.kernels[i].work != 1.0) {
      all.push_back(
          at(key("work"), kinds, "", 1.0, [i](auto& d) -> auto& { return d.kernels[i].work; }));
    }
    if (device.kernels[i].throughput != 1.0) {
      all.push_back(part(
          key("throughput"), kinds, [i](auto& d) -> auto& { return d.kernels[i].throughput; }));
    }
    if (device.kernels[i].bandwidth != 1.0) {
      all.push_back(
          part(key("bandwidth"), kinds, [i](auto& d) -> auto& { return d.kernels[i].bandwidth; }));
    }
    all.push_back(
        time(key("latency"), kinds, [i](auto& d) -> auto& { return d.kernels[i].latency; }));
    all.push_back(time(key("least"), kinds, [i](auto& d) -> auto& { return d.kernels[i].least; }));
    if (device.kernels[i].fill) {
      all.push_back(time(key("fill"), kinds, [i](auto& d) -> auto& { return *d.kernels[i].fill; }));
    }
    if (device.kernels[i].power != 1.0) {
      all.push_back(
          at(key("power"), kinds, "", 1.0, [i](auto& d) -> auto& { return d.kernels[i].power; }));
    }
  }
}

void add_host(std::vector<Parameter>& all) {
  const Kinds copies{"hostcopy"};
  all.push_back(at(
      "host.bandwidth", copies, "GB/s", kGiga, [](auto& d) -> auto& { return d.host->bandwidth; }));
  all.push_back(at(
      "host.both_ways", copies, "GB/s", kGiga, [](auto& d) -> auto& { return d.host->both_ways; }));
  all.push_back(time("host.start", copies, [](auto& d) -> auto& { return d.host->start; }));
}

}  // namespace

std::vector<Parameter> parameters_of(const Device& device) {
  std::vector<Parameter> all;
  all.push_back(time("launch", kKernels, [](auto& d) -> auto& { return d.launch; }));
  all.push_back(
      part("memory.utilization", kKernels, [](auto& d) -> auto& { return d.memory.utilization; }));
  all.push_back(
      part("cores.utilization", kProducts, [](auto& d) -> auto& { return d.cores.utilization; }));
  if (device.cores.sustained < 1.0) {
    all.push_back(
        part("cores.sustained", kProducts, [](auto& d) -> auto& { return d.cores.sustained; }));
  }
  if (!device.levels.empty()) {
    add_level(all, device);
  }
  add_tiles(all);
  if (device.tiles.unaligned) {
    add_unaligned(all, *device.tiles.unaligned);
  }
  add_kernels(all, device);
  if (device.host) {
    add_host(all);
  }
  std::erase_if(all, [&](const Parameter& parameter) {
    return parameter.kinds.empty() || parameter.get(device) <= 0.0;
  });
  for (Parameter& parameter : all) {
    const double now = parameter.get(device);
    parameter.least = now / kFarthest;
    parameter.most =
        parameter.most > 0.0 ? std::min(parameter.most, now * kFarthest) : now * kFarthest;
  }
  return all;
}

std::string written(const Parameter& parameter, double value) {
  const std::string number = fmt::format("{:.4g}", value / parameter.si);
  return parameter.unit.empty() ? number : number + " " + parameter.unit;
}

}  // namespace cairn::validate
