// A collectives engine combined with memory-nodes: does the engine free the memory and link
// bandwidth that memory-nodes need? Neither paper asks this.
#pragma once

#include "cairn/study/study_file.hpp"

namespace cairn::study {

PreparedStudy prepare_ace_memory_nodes(const Config& config,
                                       const DataFolders& folders,
                                       const Tick& tick);

}  // namespace cairn::study
