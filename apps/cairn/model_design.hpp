// The design of a language model on a number of devices, from flags instead of a file.
#pragma once

#include <string>
#include <vector>

#include "apps/cairn/request.hpp"
#include "cairn/base/config.hpp"

namespace cairn::app {

struct ModelDesign {
  Config config{};                      // as a design file would have it
  std::vector<std::string> defaults{};  // what was not given, "micro-batch 1"
};

// Whether a flag describes a model's devices or strategy, so that the argument is a model.
bool names_a_model(const RunRequest& request);

// Precondition: names_a_model(). Throws ConfigError.
ModelDesign design_of_model(const RunRequest& request);

}  // namespace cairn::app
