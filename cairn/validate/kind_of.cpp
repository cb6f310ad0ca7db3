// Recognizes the kind of a table by its columns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cairn/base/failure.hpp"
#include "cairn/validate/kinds.hpp"

namespace cairn::validate {

namespace {

using Columns = std::span<const std::string_view>;

// The clock at the end of a measurement; whether the row is for tests only.
constexpr std::array<std::string_view, 2> kOfEveryKind{"clock_MHz", "held_out"};

bool among(Columns columns, std::string_view name) {
  return std::ranges::find(columns, name) != columns.end();
}

// The number of required columns of the kind in the table.
std::size_t common(const Kind& kind, const MeasuredTable& table) {
  return static_cast<std::size_t>(std::ranges::count_if(
      kind.columns, [&](std::string_view column) { return table.has(column); }));
}

std::string comma_separated(Columns columns) {
  return fmt::format("{}", fmt::join(columns, ","));
}

}  // namespace

const Kind& kind_of(const MeasuredTable& table) {
  // The kind with most columns, all of which the table has; if there is none, that with the largest
  // fraction of common columns.
  const Kind* nearest =
      std::ranges::max_element(kinds(), {}, [&](const Kind& kind) {
        const std::size_t has = common(kind, table);
        const auto fraction =
            static_cast<double>(has) /
            static_cast<double>(std::max(kind.columns.size(), table.columns().size()));
        return std::pair(has == kind.columns.size() ? has : 0, fraction);
      }).base();
  const auto complain = [&](std::string_view column, const std::string& problem) {
    throw ConfigError({.file = table.file(), .line = 1, .key = std::string(column)}, problem);
  };
  if (common(*nearest, table) == 0) {
    std::string known;
    for (const Kind& kind : kinds()) {
      known += (known.empty() ? "" : ", ") + std::string(kind.name);
    }
    complain("",
             fmt::format("matches no kind of measurements (expected the columns of {}; of {}: {})",
                         known,
                         kinds().front().name,
                         comma_separated(kinds().front().columns)));
  }
  for (const std::string_view column : nearest->columns) {
    if (!table.has(column)) {
      complain(column,
               fmt::format("is missing (expected for {}: {})",
                           nearest->name,
                           comma_separated(nearest->columns)));
    }
  }
  for (const std::string& column : table.columns()) {
    if (!column.empty() && !among(nearest->columns, column) && !among(nearest->optional, column) &&
        !among(kOfEveryKind, column)) {
      complain(
          column,
          fmt::format("is not a column of {} (expected: {}[,{}{}])",
                      nearest->name,
                      comma_separated(nearest->columns),
                      nearest->optional.empty() ? "" : comma_separated(nearest->optional) + ",",
                      comma_separated(kOfEveryKind)));
    }
  }
  return *nearest;
}

}  // namespace cairn::validate
