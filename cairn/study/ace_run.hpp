// One training step on one of ACE's platforms, with one of the paper's configurations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/explore/evaluation_context.hpp"
#include "cairn/study/ace.hpp"

namespace cairn::study {

// Configurations that every study has.
inline constexpr const char* kNoOverlap = "no_overlap";
inline constexpr const char* kIdeal = "ideal";

// Who executes collectives, and how they are issued.
struct AceConfiguration {
  std::string name{};
  Config endpoint{};   // null: ideal
  bool fused = false;  // one blocking gradient all-reduce after the backward pass
};

// Fractions of the kernels' time with a collective in flight.
struct AceOverlap {
  double forward = 0.0;
  double backward = 0.0;
};

struct AceRun {
  double step = 0.0;                    // ms
  double exposed = 0.0;                 // exposed communication, ms
  double driven = 0.0;                  // GB/s sent per device while collectives are in flight
  double communicating = 0.0;           // fraction of the step with a collective in flight
  double background = 0.0;              // ms of background kernels
  std::optional<AceOverlap> overlap{};  // if AceCase::with_overlap
};

// One simulated step. `lookups` is used only for the workload of the loop.
struct AceCase {
  std::string workload{};
  Dims dims{};
  AceConfiguration configuration{};
  double lookups = 0.0;
  std::optional<memory::Background> background{};  // absent: tables in the foreground
  bool with_overlap = false;                       // compute AceRun::overlap
};

class AceRunner {
 public:
  // All arguments must outlive the runner.
  AceRunner(const AceFile& file,
            const AceAssumptions& assumptions,
            const Tick& tick,
            explore::EvaluationContext& context);

  // "no_overlap", the configurations of the file, "ideal".
  [[nodiscard]] std::vector<AceConfiguration> configurations() const;

  [[nodiscard]] AceRun run(const AceCase& asked) const;

 private:
  // The design as a user would write it.
  [[nodiscard]] Config written_design(const AceCase& asked) const;
  // Throws ConfigError at the endpoint or at the workload, whichever is infeasible.
  [[noreturn]] void complain(const AceCase& asked, const Infeasible& reason) const;

  const AceFile& file_;
  const AceAssumptions& assumptions_;
  const Tick& tick_;
  explore::EvaluationContext& context_;
};

}  // namespace cairn::study
