// A collective's result as a document.
#pragma once

#include <span>

#include "cairn/explain/collective_result.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// `detail`: the platform; adds its graph and what each of its links did, and what ran when, as far
// as that was located and recorded. nullptr: not.
Document document_of(const explain::CollectiveResult& result,
                     const platform::Platform* detail = nullptr);

// Results of several sizes of the same collective: {"results": [...]}; for people a line each, as
// nccl-tests prints them. Precondition: there is at least one.
Document document_of(std::span<const explain::CollectiveResult> results);

}  // namespace cairn::report
