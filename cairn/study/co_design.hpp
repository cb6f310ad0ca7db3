// Technology, memory-nodes, who executes collectives, and strategy, together for one budget.
#pragma once

#include <vector>

#include "cairn/study/study.hpp"

namespace cairn::study {

StudyResult run_co_design(const Config& config, const DataFolders& folders, const Tick& tick);
std::vector<ClaimRange> range_co_design(const Config& config,
                                        const DataFolders& folders,
                                        const Tick& tick);

}  // namespace cairn::study
