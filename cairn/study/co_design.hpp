// Technology, memory-nodes, endpoint of collectives and strategy, chosen together for one budget.
#pragma once

#include "cairn/study/study_file.hpp"

namespace cairn::study {

PreparedStudy prepare_co_design(const Config& config, const DataFolders& folders, const Tick& tick);

}  // namespace cairn::study
