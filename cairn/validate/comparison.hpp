// What was measured beside what is predicted, and how far apart they are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::validate {

// One measured time.
struct Case {
  std::string name{};   // "bf16 4096 x 4096 x 4096, warm"
  std::string group{};  // errors are also given by group
  std::string shape{};  // what calibration fits on or holds out as a whole
  int line = 0;         // of the file
  Seconds measured{};
  Seconds predicted{};
  std::string bound_by{};

  // Of the measured time; negative if we say less.
  [[nodiscard]] double error() const { return predicted / measured - 1.0; }
};

// A measured row that is not predicted.
struct Left {
  std::string name{};
  int line = 0;
  std::string why{};
};

struct Comparison {
  std::string kind{};  // "gemm"
  std::string file{};
  std::string subject = "device";            // or "platform"
  std::string device{};                      // its name
  std::string calibrated_on{};               // nothing: the device is not
  std::vector<std::string> changed_since{};  // keys of the device
  std::vector<Case> cases{};
  std::vector<Left> left{};

  // A row of what cannot be built or does not fit.
  void leave_out(const std::string& name, int line, const Infeasible& reason);
};

// Of relative errors e = predicted / measured - 1.
struct Errors {
  std::size_t cases = 0;
  double mean = 0.0;  // of |e|
  double median = 0.0;
  double p90 = 0.0;
  double most = 0.0;
  double bias = 0.0;                    // mean of e
  std::optional<double> correlation{};  // Pearson's, of the times; of one, or of equal ones: none
};

Errors errors_of(std::span<const Case> cases);

struct GroupErrors {
  std::string group{};
  Errors errors{};
};

// In the order in which groups come first.
std::vector<GroupErrors> errors_by_group(std::span<const Case> cases);

// The `most` cases with the largest |e|, the worst first.
std::vector<Case> worst_of(std::span<const Case> cases, std::size_t most);

}  // namespace cairn::validate
