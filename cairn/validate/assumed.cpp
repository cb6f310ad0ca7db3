#include "cairn/validate/assumed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cairn/base/schema.hpp"
#include "cairn/validate/kinds.hpp"
#include "cairn/validate/parameters.hpp"

namespace cairn::validate {

namespace {

using chip::LibraryOperator;

// Tile sides, split-k factors and resident tiles that are common in GPU libraries (CUTLASS,
// "Efficient GEMM in CUDA").
constexpr const char* kTiles = "{sides: [64, 128, 192, 256], at_once: 2, splits: 32}";
constexpr const char* kWindowSlice = "32";
constexpr const char* kUnaligned =
    "{side: 64, slice: 32, at_once: 5, per_cycle: 12 B, windows_per_cycle: 5 B, latency: 1 us}";
constexpr const char* kKeeps = "0.8";
constexpr const char* kHost = "{bandwidth: 25 GB/s, both_ways: 45 GB/s, start: 5 us}";

class Assuming {
 public:
  Assuming(Config config, std::set<std::string> kinds)
      : assumed_{.config = std::move(config)}, kinds_(std::move(kinds)) {}

  [[nodiscard]] bool measured(std::initializer_list<const char*> kinds) const {
    return std::ranges::any_of(kinds, [&](const char* kind) { return kinds_.contains(kind); });
  }

  void set(const std::string& key, const std::string& value) {
    assumed_.settings.push_back(key + "=" + value);
    set_value(assumed_.config, assumed_.settings.back());
  }

  // In the map or list item `parent`; empty: at the top level.
  void set_if_missing(const std::string& parent, const std::string& key, const std::string& value) {
    const Config* map = parent.empty() ? &assumed_.config : assumed_.config.find(parent);
    if (map == nullptr || map->find(key) == nullptr) {
      set(parent.empty() ? key : parent + "." + key, value);
    }
  }

  Assumed take() && { return std::move(assumed_); }

 private:
  Assumed assumed_;
  std::set<std::string> kinds_;
};

// Whether a slower kernel of the operator changes any prediction.
bool depends_on(const MeasuredTable& table, const chip::Device& device, LibraryOperator op) {
  constexpr Seconds kSlow(1.0);
  chip::Device slower = device;
  slower.kernels.push_back({.op = op, .latency = kSlow});
  Subject subject(device);
  Subject other(std::move(slower));
  const Comparison now = compare(table, subject);
  const Comparison then = compare(table, other);
  return !std::ranges::equal(
      now.cases, then.cases, {}, &ComparedRow::predicted, &ComparedRow::predicted);
}

void assume_kernels(Assuming& assuming,
                    const chip::Device& device,
                    std::span<const MeasuredTable* const> tables) {
  std::size_t count = device.kernels.size();
  for (std::size_t i = 0; i < count; ++i) {
    const LibraryOperator op = device.kernels[i].op;
    if ((op == LibraryOperator::kAttention || op == LibraryOperator::kAttentionBackward) &&
        !device.kernels[i].fill && assuming.measured({"attention"})) {
      assuming.set(fmt::format("kernels[{}].fill", i), "0 us");
    }
  }
  for (const auto& [op, name] : EnumNames<LibraryOperator>::kNames) {
    if (!has_figures(op) ||
        std::ranges::find(device.kernels, op, &chip::LibraryKernel::op) != device.kernels.end()) {
      continue;
    }
    const std::vector<std::string> kinds = kinds_with(op);
    const bool measured = std::ranges::any_of(tables, [&](const MeasuredTable* table) {
      return std::ranges::find(kinds, kind_of(*table).name) != kinds.end() &&
             depends_on(*table, device, op);
    });
    if (measured) {
      const bool fills =
          op == LibraryOperator::kAttention || op == LibraryOperator::kAttentionBackward;
      assuming.set(fmt::format("kernels[{}]", count++),
                   fmt::format("{{operator: {}{}}}", name, fills ? ", fill: 0 us" : ""));
    }
  }
}

void assume_level(Assuming& assuming, const chip::Device& device) {
  if (device.levels.empty() || device.levels.back().scope != chip::Scope::kGlobal) {
    return;
  }
  const std::string level = fmt::format("levels[{}].", device.levels.size() - 1);
  if (!device.levels.back().bandwidth && !device.levels.back().per_cycle) {
    assuming.set(level + "per_cycle", fmt::format("{} B", typical_per_cycle(device)));
  }
  if (device.levels.back().keeps == 0.0) {
    assuming.set(level + "keeps", kKeeps);
  }
}

}  // namespace

Assumed with_assumptions(Config config,
                         const chip::Device& device,
                         std::span<const MeasuredTable* const> tables) {
  std::set<std::string> kinds;
  for (const MeasuredTable* table : tables) {
    kinds.emplace(kind_of(*table).name);
  }
  Assuming assuming(std::move(config), std::move(kinds));
  if (assuming.measured({"gemm", "conv", "recurrent"}) && !device.cores.fixed_utilization) {
    assuming.set_if_missing("", "tiles", kTiles);
    if (assuming.measured({"conv"})) {
      assuming.set_if_missing("tiles", "window_slice", kWindowSlice);
    }
    assuming.set_if_missing("tiles", "unaligned", kUnaligned);
  }
  if (assuming.measured({"gemm", "memory_bound", "rows", "conv", "attention", "recurrent"})) {
    assume_level(assuming, device);
    assume_kernels(assuming, device, tables);
  }
  if (assuming.measured({"hostcopy"})) {
    assuming.set_if_missing("", "host", kHost);
  }
  return std::move(assuming).take();
}

}  // namespace cairn::validate
