// Where the spans of a step are shown: a group of rows for each class of devices, in it a row for
// its kernels, one for each direction of copies and one for each channel of exchanges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/explain/step_result.hpp"

namespace cairn::report {

// Exchanges come after these, a row for each channel; then, if there is one, the background.
inline constexpr std::array<const char*, 3> kRows{"compute", "copy out", "copy in"};

std::size_t background_row(const explain::StepResult& result);

std::size_t row_of(const explain::StepResult& result, const explain::NamedSpan& span);

// "compute", "collectives over d"; where an engine executes them "engine: collectives over d".
std::string row_name(const explain::StepResult& result, std::size_t row);

// "device 3", "device class 2 (4 devices of stage 1)"
std::string class_name(const explain::StepResult& result, std::uint32_t device_class);

bool takes_part_in(const explain::StepResult& result,
                   std::uint32_t device_class,
                   std::size_t channel);

bool takes_part(const explain::StepResult& result,
                std::uint32_t device_class,
                const explain::NamedSpan& span);

// A resource, by its position in the record, and what was drawn on it.
struct DrawnResource {
  std::uint32_t resource = 0;
  std::vector<const explain::SpanDraw*> draws{};
};

// Those that were drawn on, the busiest first, as many as have at most so many draws in all.
std::vector<DrawnResource> busiest_resources(const explain::StepResult& result,
                                             std::size_t most_draws);
std::vector<DrawnResource> busiest_links(const explain::StepResult& result, std::size_t most_draws);

// Cables between the same ends have the same name; the second of it is called "up (2)".
std::string resource_name(const explain::StepResult& result, std::uint32_t resource);

// What spans of one row and class drew on a resource: they follow each other.
struct ResourceRow {
  std::string name{};  // "up, copy out"
  std::vector<const explain::SpanDraw*> draws{};
};

std::vector<ResourceRow> rows_of_resource(const explain::StepResult& result,
                                          const DrawnResource& drawn);

}  // namespace cairn::report
