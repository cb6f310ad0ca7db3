// ACE's motivation: an all-reduce on cores beside kernels that contend for cores and memory. On a
// current GPU, for which this contention is validated (kernel/sharing.hpp); the paper measured
// eight V100.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/many.hpp"
#include "cairn/evaluate_collective.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/kernel/sharing.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/study/ace.hpp"

namespace cairn::study {

namespace {

constexpr double kGiga = 1e9;

struct Neighbour {
  std::string name{};
  std::string key{};
  kernel::Work work{};
};

std::vector<Neighbour> neighbours_of(const Motivation& asked) {
  std::vector<Neighbour> all;
  for (const double side : asked.gemm) {
    all.push_back({.name = "GEMM of " + many(side),
                   .key = fmt::format("gemm{:g}", side),
                   .work = kernel::work_of(model::Contraction{.m = side, .n = side, .k = side},
                                           chip::Precision::kFp16)});
  }
  for (const double rows : asked.look_up) {
    all.push_back({.name = "lookup of " + many(rows) + " rows",
                   .key = fmt::format("look_up{:g}", rows),
                   .work = {.op = chip::LibraryOperator::kEmbedding,
                            .other = chip::element_bytes(chip::Precision::kFp32) *
                                     (2.0 * rows * asked.row_width),
                            .precision = chip::Precision::kFp32}});
  }
  return all;
}

}  // namespace

const Schema<Motivation>& schema_of(const Motivation*) {
  static const auto kSchema =
      Schema<Motivation>("motivation", "an all-reduce beside kernels, on a current GPU")
          .required("device", &Motivation::device, "the GPU", "h200")
          .required("platform", &Motivation::platform, "their interconnect", "switch:8@450GB/s")
          .required("payloads", &Motivation::payloads, "all-reduce sizes", "[100 MB]")
          .positive()
          .required("sms", &Motivation::sms, "SMs of the all-reduce", "[16]")
          .at_least(1)
          .required("gemm", &Motivation::gemm, "sizes of square GEMMs", "[1000]")
          .positive()
          .required("look_up", &Motivation::look_up, "embedding rows read", "[1000000]")
          .positive()
          .required("row_width", &Motivation::row_width, "fp32 elements per row", "128")
          .positive();
  return kSchema;
}

StudyResult study_motivation(const Motivation& asked,
                             const DataFolders& folders,
                             const Tick& tick) {
  const auto device = chip::read_device(asked.device, folders.devices);
  if (!device) {
    throw ConfigError(asked.device.where, device.reason().detail);
  }
  platform::SearchPath presets(folders.platforms.begin(), folders.platforms.end());
  const platform::Platform platform = platform::read_platform(asked.platform, presets);
  Table table{
      .name = "motivation",
      .title = fmt::format("Slowdown of an all-reduce on cores of {} and of kernels beside it",
                           device->name),
      .columns = {"payload (MB)",
                  "SMs",
                  "beside",
                  "its memory traffic alone (GB/s)",
                  "all-reduce",
                  "because of",
                  "kernel",
                  "because of"}};
  StudyResult result;
  double most_gemm = 1.0;
  double most_look_up = 1.0;
  for (const Bytes payload : asked.payloads) {
    for (const std::uint32_t sms : asked.sms) {
      if (tick) {
        tick();
      }
      CollectiveOptions options{.algorithm = "ring"};
      options.endpoint = comm::endpoint_of(
          parse_config(fmt::format("{{executor: cores, sms: {}}}", sms), asked.device.where.file),
          *device);
      const auto alone = evaluate_collective(platform, {.size = payload}, options).value();
      const kernel::Resident resident{
          .cores = static_cast<double>(sms),
          .alone = (alone.read_per_device + alone.written_per_device) / alone.time};
      for (const Neighbour& neighbour : neighbours_of(asked)) {
        const kernel::Cost cost = kernel::cost(neighbour.work, *device);
        const kernel::Shared shared =
            kernel::share(neighbour.work, cost, cost.time, resident, *device);
        const bool is_gemm = neighbour.work.contraction.has_value();
        double& most = is_gemm ? most_gemm : most_look_up;
        most = std::max(most, shared.stream.by);
        result.findings[fmt::format("slowed.{:g}.{}.{}", payload.si() / 1e6, sms, neighbour.key)] =
            shared.stream.by;
        table.rows.push_back({payload.si() / 1e6,
                              static_cast<double>(sms),
                              neighbour.name,
                              resident.alone.si() / kGiga,
                              shared.stream.by,
                              kernel::to_text(shared.stream.most),
                              shared.kernel.by,
                              kernel::to_text(shared.kernel.most)});
      }
    }
  }
  result.findings["slowed.gemm.most"] = most_gemm;
  result.findings["slowed.look_up.most"] = most_look_up;
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace cairn::study
