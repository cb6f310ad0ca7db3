// Predictions against measurements, and their errors.
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
struct ComparedRow {
  std::string name{};   // "bf16 4096 x 4096 x 4096, warm"
  std::string group{};  // errors are also given by group
  std::string shape{};  // calibration fits or holds out whole shapes
  int line = 0;         // in the file
  Seconds measured{};
  Seconds predicted{};
  std::string bound_by{};
  std::optional<bool> held_out{};  // if the file says it

  // Relative to the measured time; negative: predicted too fast.
  [[nodiscard]] double error() const { return predicted / measured - 1.0; }
};

// A measured row that is not predicted.
struct SkippedRow {
  std::string name{};
  int line = 0;
  std::string why{};
  std::optional<bool> held_out{};  // if the file says it
};

struct Comparison {
  std::string kind{};  // "gemm"
  std::string file{};
  std::string subject = "device";            // or "platform"
  std::string device{};                      // name of the device or platform
  std::string calibrated_on{};               // empty: the device is not calibrated
  std::vector<std::string> changed_since{};  // keys of the device changed after calibration
  std::vector<ComparedRow> cases{};
  std::vector<SkippedRow> skipped{};

  // Skips a row whose prediction is infeasible.
  void skip(const std::string& name, int line, const Infeasible& reason);
};

// Statistics of the relative errors e = predicted / measured - 1.
struct Errors {
  std::size_t cases = 0;
  double mean = 0.0;  // of |e|, as the three below
  double median = 0.0;
  double p90 = 0.0;
  double most = 0.0;
  double bias = 0.0;                    // mean of e
  std::optional<double> correlation{};  // Pearson's, of the times; nullopt if undefined
};

Errors errors_of(std::span<const ComparedRow> cases);

struct GroupErrors {
  std::string group{};
  Errors errors{};
};

// In the order of first occurrence.
std::vector<GroupErrors> errors_by_group(std::span<const ComparedRow> cases);

// By the decade of the measured time, shortest first; decades without cases are left out.
std::vector<GroupErrors> errors_by_decade(std::span<const ComparedRow> cases);

// Up to `most` cases with the largest |e|, worst first.
std::vector<ComparedRow> worst_of(std::span<const ComparedRow> cases, std::size_t most);

}  // namespace cairn::validate
