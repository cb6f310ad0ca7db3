// Results for other programs: one JSON object each, ending in a line break. Numbers are SI, and a
// key ends in its unit; what is unknown, or unlimited, is null. Keys keep their order.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cairn/explain/collective_result.hpp"
#include "cairn/platform/facts.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/items_text.hpp"

namespace cairn::report {

// With the platform, if it is given: also its graph and what each of its links did, and what ran
// when, as far as that was located and recorded.
std::string collective_json(const explain::CollectiveResult& result,
                            const platform::Platform* detail = nullptr);

// {"results": [...]}, the same object for each.
std::string collectives_json(std::span<const explain::CollectiveResult> results);

std::string platform_json(const platform::Platform& platform, const platform::Facts& facts);

// {"items": [{"kind", "name", "description", and the item's details}]}
std::string items_json(std::span<const Item> items);

}  // namespace cairn::report
