// The components and facts of a platform as a document.
#pragma once

#include "cairn/platform/facts.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

Document document_of(const platform::Platform& platform, const platform::Facts& facts);

}  // namespace cairn::report
