#include "cairn/study/mc_dla.hpp"

#include "cairn/study/published.hpp"
#include "cairn/study/study_file.hpp"

namespace cairn::study {

namespace {

struct StudyFile : StudyKeys {
  Config generations{};
  Config capacity{};
};

const Schema<StudyFile>& schema_of(const StudyFile*) {
  static const auto kSchema =
      study_schema<StudyFile>("assumptions and claims")
          .required("generations", &StudyFile::generations, "devices of Fig. 2", "[...]")
          .required("capacity", &StudyFile::capacity, "sizes for section V-E", "{...}");
  return kSchema;
}

// `values`: {key: value}, from values_of() or with one choice replaced.
McDlaAssumptions read_assumptions(const Config& values) {
  auto assumptions = read_config<McDlaAssumptions>(values);
  assumptions.where = values.where;
  const Config* shared = values.find("devices_per_uplink");
  if (shared != nullptr && kDevicesPerSocket % assumptions.devices_per_uplink != 0) {
    reject(*shared, "does not divide the 4 devices of a socket (expected 1, 2 or 4)");
  }
  return assumptions;
}

// Numbers in the paper's text; its figures have no values.
const std::vector<Mark>& marks() {
  static const std::vector<Mark> kMarks{
      {"fig02_time", "", "min, published", "generations.least"},
      {"fig02_time", "", "max, published", "generations.most"},
      {"fig12", "", "highest average of HC-DLA, published", "socket.hc.highest_average"},
      {"fig13a", "HC-DLA", "harmonic mean", "speedup.data.hc"},
      {"fig13a", "MC-DLA(B)", "harmonic mean", "speedup.data.mc_b"},
      {"fig13b", "HC-DLA", "harmonic mean", "speedup.model.hc"},
      {"fig13b", "MC-DLA(B)", "harmonic mean", "speedup.model.mc_b"},
      {"fig14", "", "mean of both, published", "batch_sweep.mean"},
      {"table4_power", "memory-node", "8 GB", "power.node.8"},
      {"table4_power", "memory-node", "128 GB", "power.node.128"},
      {"table4_efficiency", "MC-DLA(B)", "8 GB", "power.performance_per_watt.8"},
      {"table4_efficiency", "MC-DLA(B)", "128 GB", "power.performance_per_watt.128"},
      {"scaling", "without virtualization", "4", "scaling.oracle.4"},
      {"scaling", "without virtualization", "8", "scaling.oracle.8"},
      {"scaling", "DC-DLA", "4", "scaling.dc.4"},
      {"scaling", "DC-DLA", "8", "scaling.dc.8"},
      {"scaling", "MC-DLA(B)", "8", "scaling.mc_b.8"}};
  return kMarks;
}

StudyResult run_under(const McDlaAssumptions& assumptions,
                      const StudyFile& file,
                      const Tick& tick) {
  StudyResult result{.name = "mc-dla"};
  Runs runs(assumptions, paper_device());
  const McDla study{runs, result, tick};
  // Parts that read the file run first, to reject errors early.
  study_generations(study, file.generations);
  study_capacity(study, file.capacity);
  study_performance(study);
  study_sensitivity(study);
  study_rings(study);
  study_power(study);
  study_scaling(study);
  study_host_links(study);
  study_plane(study);
  judge(result, file.claims);
  mark_published(result, marks());
  return result;
}

}  // namespace

PreparedStudy prepare_mc_dla(const Config& config,
                             const DataFolders& /*folders*/,
                             const Tick& tick) {
  const auto file = read_config<StudyFile>(config);
  return {.assumptions = file.assumptions, .run = [=](const Config& values) {
            return run_under(read_assumptions(values), file, tick);
          }};
}

}  // namespace cairn::study
