// A collective's result as a document.
#pragma once

#include <span>

#include "cairn/explain/collective_result.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// `detail`: the platform; adds its graph with traffic and utilization per link, and the timeline,
// as far as the result has them. nullptr: no detail.
Document document_of(const explain::CollectiveResult& result,
                     const platform::Platform* detail = nullptr);

// Results of one collective for several sizes: {"results": [...]}; as text one line each, in the
// format of nccl-tests. Precondition: at least one result.
Document document_of(std::span<const explain::CollectiveResult> results);

}  // namespace cairn::report
