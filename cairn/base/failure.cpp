#include "cairn/base/failure.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "cairn/base/printable.hpp"

namespace cairn {

namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // of UTF-8
}

std::string message(const Where& where, const std::string& problem) {
  const std::string place = to_text(where);
  return place.empty() ? problem : place + ": " + problem;
}

struct LackInfo {
  Lack lack;
  std::string_view name;  // in results
  std::string_view key;   // of a design
};

constexpr std::array<LackInfo, 30> kLacks{
    {{Lack::kNothing, "", ""},
     {Lack::kReadableDesign, "design", ""},
     {Lack::kDeviceMemory, "device memory", "memory"},
     {Lack::kBackingStore, "backing store", "memory"},
     {Lack::kStoredTables, "memory.tables", "memory.tables"},
     {Lack::kBackgroundTables, "tables", "training.tables"},
     {Lack::kCheckpoints, "checkpoints", "training.checkpoints"},
     {Lack::kPrecision, "precision", "strategy.precision"},
     {Lack::kStrategy, "strategy", "strategy"},
     {Lack::kTensorRows, "tensor_rows", "strategy.tensor_rows"},
     {Lack::kTensorColumns, "tensor_columns", "strategy.tensor_columns"},
     {Lack::kSequenceParallel, "sequence_parallel", "strategy.sequence_parallel"},
     {Lack::kAxisOrder, "order", "strategy.order"},
     {Lack::kCuts, "cuts", "strategy.cuts"},
     {Lack::kBatch, "batch", "strategy.batch"},
     {Lack::kMicroBatches, "micro_batches", "strategy.micro_batches"},
     {Lack::kPlacement, "placement", "strategy.placement"},
     {Lack::kZero, "zero", "strategy.zero"},
     {Lack::kCollective, "collective", "collectives"},
     {Lack::kCollectiveOrder, "collectives.order", "collectives.order"},
     {Lack::kEngineSram, "fabric.engine.sram", "endpoint.engine.sram"},
     {Lack::kEngineFsms, "fabric.engine.fsms", "endpoint.engine.fsms"},
     {Lack::kEngineChunks, "fabric.engine.chunk", "endpoint.engine.chunk"},
     {Lack::kHostMemory, "memory", ""},
     {Lack::kSimulatedTime, "simulated time", ""},
     {Lack::kChip, "chip", "device.template"},
     {Lack::kPackageArea, "package area", "device.template.package_area"},
     {Lack::kPackageLinks, "inter_package", "links"},
     {Lack::kDesignOfSearch, "search", ""},
     {Lack::kPrediction, "prediction", ""}}};

static_assert(std::ranges::all_of(kLacks, [](const LackInfo& info) {
  return static_cast<std::size_t>(info.lack) == static_cast<std::size_t>(&info - kLacks.data());
}));

const LackInfo& info_of(Lack lack) {
  return kLacks.at(static_cast<std::size_t>(lack));
}

}  // namespace

std::string_view lack_key(Lack lack) {
  return info_of(lack).key;
}

std::string Infeasible::limit() const {
  return part.empty() ? std::string(info_of(lack).name) : part;
}

Infeasible lacking(const std::string& limit) {
  const auto* found = std::ranges::find(kLacks, std::string_view(limit), &LackInfo::name);
  return found == kLacks.end() ? Infeasible{.lack = Lack::kChip, .part = limit}
                               : Infeasible{.lack = found->lack};
}

std::string to_text(const Where& where) {
  std::string text = where.file;
  if (where.line > 0) {
    text += (text.empty() ? "line " : ":") + std::to_string(where.line);
  }
  if (!where.key.empty()) {
    text += (text.empty() ? "" : ": ") + where.key;
  }
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::size_t end = std::min(text.size(), kLongest);
  while (end > 0 && end < text.size() && continues_character(text[end])) {
    --end;
  }
  return "\"" + printable(text.substr(0, end)) + (end < text.size() ? "...\"" : "\"");
}

ConfigError::ConfigError(Where where, const std::string& problem)
    : std::runtime_error(message(where, problem)), where_(std::move(where)) {}

}  // namespace cairn
