// A search file: base design, axes, objectives, limits, and algorithm.
#pragma once

#include <string>
#include <vector>

#include "cairn/explore/algorithm_settings.hpp"
#include "cairn/explore/design_space.hpp"
#include "cairn/explore/metric.hpp"

namespace cairn::explore {

// Upper limit on a metric.
struct Limit {
  const Metric* metric = nullptr;
  double maximum = 0.0;  // SI
  Where where{};         // its place in the file
};

struct Request {
  DesignSpace designs{};
  std::vector<const Metric*> objectives{};
  std::vector<Limit> limits{};
  Method method = Method::kExhaustive;
  AlgorithmSettings algorithm{};
  Config written{};                  // the whole file
  std::vector<std::string> notes{};  // former names in the file of the design
};

// Applies an assignment: "algorithm.seed=2", "design.device.memory.capacity=1 GB"; also to designs
// and parts of designs given by name. Returns a note for each former name. Throws ConfigError.
std::vector<std::string> set_value_of_search(Config& search,
                                             const std::string& assignment,
                                             const DataFolders& folders,
                                             const Folders& designs);

// Throws ConfigError.
Request read_request(const Config& config, const DataFolders& folders, const Folders& designs);

// The reference of all keys, for --help and the documentation.
std::string request_reference();

}  // namespace cairn::explore
