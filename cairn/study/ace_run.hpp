// One training step on one of ACE's platforms, with one of the paper's configurations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/evaluate.hpp"
#include "cairn/study/ace.hpp"

namespace cairn::study {

// Who executes collectives, and how they are issued.
// Configurations that every study has.
inline constexpr const char* kNoOverlap = "no_overlap";
inline constexpr const char* kIdeal = "ideal";

struct AceConfiguration {
  std::string name{};
  Config endpoint{};   // nothing: ideal
  bool fused = false;  // all gradients together, at the end of the backward pass; kernels wait
};

// Parts of the time of kernels in which a collective is under way.
struct AceBusy {
  double forward = 0.0;
  double backward = 0.0;
};

struct AceRun {
  double step = 0.0;              // ms
  double exposed = 0.0;           // ms of it in which kernels wait for communication
  double driven = 0.0;            // GB/s that a device sends while collectives are under way
  double communicating = 0.0;     // part of the step in which they are
  double background = 0.0;        // ms that kernels in the background take
  std::optional<AceBusy> busy{};  // if asked for
};

// What a step is of. Rows that are looked up count only for the workload of the loop.
struct AceCase {
  std::string workload{};
  Dims dims{};
  AceConfiguration configuration{};
  double lookups = 0.0;
  std::optional<memory::Background> background{};  // absent: tables in turn
  bool busy = false;                               // whether AceRun::busy is asked for
};

// What the runs of a study share.
struct AceRuns {
  EvaluationCache evaluations{};
  BoundedCache<std::string, const AceRun, 4096> steps{};  // by design as it is written
};

class AceRunner {
 public:
  // All must outlive this.
  AceRunner(const AceFile& file,
            const AceAssumptions& assumptions,
            const chip::Device& device,
            const DataFolders& folders,
            const Tick& tick,
            AceRuns& known);

  // "no_overlap", those of the file, "ideal".
  [[nodiscard]] std::vector<AceConfiguration> configurations() const;

  [[nodiscard]] AceRun run(const AceCase& asked) const;

 private:
  [[nodiscard]] AceRun simulate(const AceCase& asked, const Config& written) const;
  // As a user would write it.
  [[nodiscard]] Config written_design(const AceCase& asked) const;
  // At the endpoint, or at the workload.
  [[noreturn]] void complain(const AceCase& asked, const Infeasible& reason) const;

  const AceFile& file_;
  const AceAssumptions& assumptions_;
  const chip::Device& device_;
  const DataFolders& folders_;
  const Tick& tick_;
  AceRuns& known_;
};

}  // namespace cairn::study
