// A collective's result for people.
#pragma once

#include <span>
#include <string>

#include "cairn/explain/collective_result.hpp"

namespace cairn::report {

// One result: what was asked, how long, what bounds it, the busiest links. No line is longer than
// kLineWidth.
std::string collective_text(const explain::CollectiveResult& result);

// Results of several sizes of the same collective, a line each, as nccl-tests prints them.
// Precondition: there is at least one.
std::string collective_table(std::span<const explain::CollectiveResult> results);

}  // namespace cairn::report
