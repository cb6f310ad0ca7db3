#include "cairn/explore/written_axis.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace cairn::explore {

namespace {

// A range, a list and a spread have different keys.
void check_goes_together(const Config& config) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kGoesWith{
      {{"spread", "spread"},
       {"stages", "spread"},
       {"values", "values"},
       {"from", "from"},
       {"scale", "from"},
       {"whole", "from"},
       {"budget", "from"}}};
  std::string_view kind;
  for (const std::string_view decides : {"spread", "values", "from"}) {
    if (kind.empty() && config.find(decides) != nullptr) {
      kind = decides;
    }
  }
  for (const auto& [key, with] : kGoesWith) {
    const Config* value = config.find(key);
    if (value != nullptr && !kind.empty() && with != kind) {
      reject(*value, fmt::format("cannot be combined with `{}`", kind));
    }
  }
}

}  // namespace

const Schema<WrittenAxis>& schema_of(const WrittenAxis*) {
  static const auto kSchema =
      Schema<WrittenAxis>("axis", "the values of a design key")
          .optional("values", &WrittenAxis::values, "choices; a plain list means the same")
          .optional("from", &WrittenAxis::from, "minimum, with its unit")
          .optional("to", &WrittenAxis::to, "maximum")
          .optional("scale", &WrittenAxis::scale, "from .. to: linear or logarithmic scale")
          .optional("whole", &WrittenAxis::whole, "from .. to: whole numbers only")
          .optional("budget",
                    &WrittenAxis::budget,
                    "from .. to: a share of this budget; shares add up to at most 1")
          .optional("spread",
                    &WrittenAxis::spread,
                    "all strategies of these kinds that use all of the design's devices")
          .optional(
              "stages", &WrittenAxis::stages, "spread: numbers of pipeline stages (default: any)")
          .at_least(1)
          .optional("when",
                    &WrittenAxis::when,
                    "vary only if an earlier key has one of these values: {KEY: [VALUE, ...]}");
  return kSchema;
}

WrittenAxis read_axis(const Config& config) {
  if (config.kind == Config::Kind::kList) {
    return {.values = config};
  }
  auto axis = read_config<WrittenAxis>(config);
  check_goes_together(config);
  const bool is_range =
      axis.from.kind == Config::Kind::kScalar && axis.to.kind == Config::Kind::kScalar;
  if (axis.spread.empty() && axis.values.kind != Config::Kind::kList && !is_range) {
    reject(config, "has neither `from` and `to`, nor `values`, nor `spread`");
  }
  return axis;
}

std::string axis_reference() {
  return "vary: {KEY: AXIS, ...}, with KEY a key of the design and AXIS one of\n"
         "  [VALUE, ...]\n"
         "  {values: [VALUE, ...]}\n"
         "  {from: 25 GB/s, to: 200 GB/s, scale: log}\n"
         "  {from: 0, to: 1, budget: area}\n"
         "  {spread: [data, tensor], stages: [1, 2, 4]}\n\n" +
         schema_of(static_cast<const WrittenAxis*>(nullptr)).reference();
}

}  // namespace cairn::explore
