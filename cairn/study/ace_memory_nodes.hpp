// A collectives engine and memory-nodes together: does the one free what the other needs? A
// question that neither paper asks.
#pragma once

#include <vector>

#include "cairn/study/study.hpp"

namespace cairn::study {

StudyResult run_ace_memory_nodes(const Config& config,
                                 const DataFolders& folders,
                                 const Tick& tick);

std::vector<ClaimRange> range_ace_memory_nodes(const Config& config,
                                               const DataFolders& folders,
                                               const Tick& tick);

}  // namespace cairn::study
