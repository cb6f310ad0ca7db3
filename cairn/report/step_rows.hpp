// Timeline rows of a step: a group per device class, with one row for kernels, one per copy
// direction and one per channel of exchanges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/explain/step_result.hpp"

namespace cairn::report {

// Exchanges follow, one row per channel; then the background row, if any.
inline constexpr std::array<const char*, 3> kRows{"compute", "copy out", "copy in"};

std::size_t background_row(const explain::StepResult& result);

std::size_t row_of(const explain::StepResult& result, const explain::NamedSpan& span);

// "compute", "collectives over d", or with an engine "engine: collectives over d".
std::string row_name(const explain::StepResult& result, std::size_t row);

// "device 3", "device class 2 (4 devices of stage 1)"
std::string class_name(const explain::StepResult& result, std::uint32_t device_class);

bool takes_part_in(const explain::StepResult& result,
                   std::uint32_t device_class,
                   std::size_t channel);

bool takes_part(const explain::StepResult& result,
                std::uint32_t device_class,
                const explain::NamedSpan& span);

// A resource, by its index in the record, and the draws on it.
struct DrawnResource {
  std::uint32_t resource = 0;
  std::vector<const explain::SpanDraw*> draws{};
};

// Resources with draws, busiest first, as many as have at most `max_draws` draws in total.
std::vector<DrawnResource> busiest_resources(const explain::StepResult& result,
                                             std::size_t max_draws);
std::vector<DrawnResource> busiest_links(const explain::StepResult& result, std::size_t max_draws);

// Parallel links share a name; the second is called "up (2)".
std::string resource_name(const explain::StepResult& result, std::uint32_t resource);

// Draws on a resource by spans of one row and class, which do not overlap.
struct ResourceRow {
  std::string name{};  // "up, copy out"
  std::vector<const explain::SpanDraw*> draws{};
};

std::vector<ResourceRow> rows_of_resource(const explain::StepResult& result,
                                          const DrawnResource& drawn);

}  // namespace cairn::report
