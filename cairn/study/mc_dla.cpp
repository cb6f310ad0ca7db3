#include "cairn/study/mc_dla.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::study {

namespace {

// The file: for each assumption its value, other choices, and why.
struct Assumption {
  Config value{};
  std::vector<Config> choices{};
  Config why{};
};

const Schema<Assumption>& schema_of(const Assumption*) {
  static const auto kSchema =
      Schema<Assumption>("assumption", "something the paper leaves unsaid")
          .required("value", &Assumption::value, "what the study uses", "fp16")
          .optional("choices", &Assumption::choices, "what --range tries instead")
          .required("why", &Assumption::why, "the reason", "the V100 it resembles has it");
  return kSchema;
}

struct StudyFile {
  std::string description{};
  std::string source{};
  std::string study{};
  Config assumptions{};
  Config generations{};
  Config capacity{};
  Config claims{};
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  static const auto kSchema =
      Schema<StudyFile>("study", "assumptions and claims")
          .optional("description", &StudyFile::description, "one line")
          .optional("source", &StudyFile::source, "the paper")
          .optional("study", &StudyFile::study, "which study, if the file is called otherwise")
          .required("assumptions", &StudyFile::assumptions, "what the paper leaves unsaid", "{...}")
          .required("generations", &StudyFile::generations, "devices of Fig. 2", "[...]")
          .required("capacity", &StudyFile::capacity, "sizes for section V-E", "{...}")
          .required("claims", &StudyFile::claims, "the paper's numbers", "[...]");
  return kSchema;
}

// {key: value} of all assumptions, each value where it was written.
Config values_of(const Config& assumptions) {
  if (assumptions.kind != Config::Kind::kMap) {
    reject(assumptions, "is not a map of assumptions");
  }
  Config values = assumptions;
  for (Config& item : values.items) {
    const auto assumption = read_config<Assumption>(item);
    if (scalar_text(assumption.why, "a reason").find_first_not_of(" \n") == std::string::npos) {
      reject(assumption.why, "is no reason (expected why this value and no other)");
    }
    item = assumption.value;
  }
  return values;
}

// Of {key: value}, as values_of() or with a choice in a value's place.
McDlaAssumptions read_assumptions(const Config& values) {
  auto assumptions = read_config<McDlaAssumptions>(values);
  assumptions.where = values.where;
  const Config* shared = values.find("devices_per_uplink");
  if (shared != nullptr && kDevicesPerSocket % assumptions.devices_per_uplink != 0) {
    reject(*shared, "does not divide the 4 devices of a socket (expected 1, 2 or 4)");
  }
  return assumptions;
}

StudyResult run_under(const McDlaAssumptions& assumptions,
                      const StudyFile& file,
                      const Tick& tick) {
  StudyResult result{.name = "mc-dla"};
  Runs runs(assumptions, paper_device());
  const McDla study{runs, result, tick};
  // What reads the file first: a mistake there need not wait for the rest.
  study_generations(study, file.generations);
  study_capacity(study, file.capacity);
  study_performance(study);
  study_sensitivity(study);
  study_rings(study);
  study_power(study);
  study_scaling(study);
  study_host_links(study);
  study_plane(study);
  std::vector<std::string> known;
  for (const auto& [name, value] : result.findings) {
    known.push_back(name);
  }
  result.claims = read_claims(file.claims, known);
  compare(result.claims, result.findings);
  return result;
}

void widen(ClaimRange& range, const Claim& claim, const std::string& by) {
  if (range.runs == 0 || claim.ours < range.least) {
    range.least = claim.ours;
    range.least_by = by;
  }
  if (range.runs == 0 || claim.ours > range.most) {
    range.most = claim.ours;
    range.most_by = by;
  }
  ++range.runs;
  range.holds += claim.verdict() == Verdict::kHolds ? 1U : 0U;
}

}  // namespace

StudyResult run_mc_dla(const Config& config, const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  return run_under(read_assumptions(values_of(file.assumptions)), file, tick);
}

std::vector<ClaimRange> range_mc_dla(const Config& config, const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  const Config values = values_of(file.assumptions);
  std::vector<ClaimRange> ranges;
  const auto try_with = [&](const Config& changed, const std::string& by) {
    const StudyResult result = run_under(read_assumptions(changed), file, tick);
    ranges.resize(result.claims.size());
    for (std::size_t c = 0; c < ranges.size(); ++c) {
      widen(ranges[c], result.claims[c], by);
    }
  };
  try_with(values, "the default");
  for (std::size_t i = 0; i < values.keys.size(); ++i) {
    for (const Config& choice : read_config<Assumption>(file.assumptions.items[i]).choices) {
      Config changed = values;
      changed.items[i] = choice;
      try_with(changed, fmt::format("{}: {}", values.keys[i], to_text(choice)));
    }
  }
  return ranges;
}

}  // namespace cairn::study
