// State shared by evaluations of many designs: parts of designs that were read, and intermediate
// results. Thread-safe.
#pragma once

#include "cairn/design.hpp"
#include "cairn/evaluation_cache.hpp"

namespace cairn::explore {

struct EvaluationContext {
  DesignReader reader;
  EvaluationCache cache{};
};

}  // namespace cairn::explore
