// What a search is asked for, as it is written: a design, what may vary, what is to be small, what
// must be kept, and how to search.
#pragma once

#include <string>
#include <vector>

#include "cairn/explore/algorithm_settings.hpp"
#include "cairn/explore/design_space.hpp"
#include "cairn/explore/metric.hpp"

namespace cairn::explore {

// At most so much of a metric.
struct Limit {
  const Metric* metric = nullptr;
  double most = 0.0;  // SI
  Where where{};      // it is written
};

struct Request {
  DesignSpace designs{};
  std::vector<const Metric*> objectives{};
  std::vector<Limit> limits{};
  Method method = Method::kExhaustive;
  AlgorithmSettings algorithm{};
  Config written{};  // the whole file
};

// "algorithm.seed=2", "design.device.memory.capacity=1 GB": also where the design, or what is
// changed of it, is only named. Throws ConfigError.
void set_value_of_search(Config& search,
                         const std::string& assignment,
                         const DataFolders& folders,
                         const Folders& designs);

// Throws ConfigError.
Request read_request(const Config& config, const DataFolders& folders, const Folders& designs);

// The reference of all keys, for --help and the documentation.
std::string request_reference();

}  // namespace cairn::explore
