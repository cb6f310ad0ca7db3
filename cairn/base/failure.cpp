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
  std::string_view name;  // in results
  std::string_view key;   // of a design
};

// By Lack.
constexpr std::array<LackInfo, 27> kLacks{{{"", ""},
                                           {"design", ""},
                                           {"device memory", "memory"},
                                           {"backing store", "memory"},
                                           {"memory.tables", "memory.tables"},
                                           {"tables", "training.tables"},
                                           {"checkpoints", "training.checkpoints"},
                                           {"precision", "strategy.precision"},
                                           {"strategy", "strategy"},
                                           {"order", "strategy.order"},
                                           {"cuts", "strategy.cuts"},
                                           {"batch", "strategy.batch"},
                                           {"micro_batches", "strategy.micro_batches"},
                                           {"placement", "strategy.placement"},
                                           {"zero", "strategy.zero"},
                                           {"collective", "collectives"},
                                           {"collectives.order", "collectives.order"},
                                           {"fabric.engine.sram", "endpoint.engine.sram"},
                                           {"fabric.engine.fsms", "endpoint.engine.fsms"},
                                           {"fabric.engine.chunk", "endpoint.engine.chunk"},
                                           {"memory", ""},
                                           {"simulated time", ""},
                                           {"chip", "device.template"},
                                           {"package area", "device.template.package_area"},
                                           {"inter_package", "links"},
                                           {"search", ""},
                                           {"prediction", ""}}};

}  // namespace

std::string_view lack_key(Lack lack) {
  return kLacks.at(static_cast<std::size_t>(lack)).key;
}

std::string Infeasible::limit() const {
  return part.empty() ? std::string(kLacks.at(static_cast<std::size_t>(lack)).name) : part;
}

Infeasible lacking(const std::string& limit) {
  const auto* found = std::ranges::find(kLacks, std::string_view(limit), &LackInfo::name);
  return found == kLacks.end() ? Infeasible{.lack = Lack::kChip, .part = limit}
                               : Infeasible{.lack = static_cast<Lack>(found - kLacks.begin())};
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
