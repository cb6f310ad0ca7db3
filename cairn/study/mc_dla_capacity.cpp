#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cairn/memory/schedule.hpp"
#include "cairn/model/backward.hpp"
#include "cairn/model/networks/networks.hpp"
#include "cairn/platform/memory_node.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

// What a device has to itself, and what the policy does about the rest.
struct Room {
  const char* key;
  const char* name;
  memory::Overlay overlay;
  Bytes store;
};

constexpr double kGiga = 1e9;
const Bytes kDeviceMemory(16.0 * 1024 * 1024 * 1024);  // of a V100 of the paper's time

// A DGX-1 has 512 GB of host memory for its eight devices. A memory-node has ten DIMMs of 128 GB; a
// device has half of each of two.
const std::array kRooms{
    Room{"plain", "device memory alone", memory::Overlay::kNone, Bytes(0.0)},
    Room{"dc", "DC-DLA", memory::Overlay::kEverything, Bytes(512.0 * kGiga / 8.0)},
    Room{"mc", "MC-DLA", memory::Overlay::kEverything, platform::memory_of({}).capacity}};

class Fit {
 public:
  Fit(const McDla& study, const Room& room)
      : study_(study), room_(room), kernels_(study.runs.device()) {}

  bool operator()(const model::Graph& forward) {
    if (study_.tick) {
      study_.tick();
    }
    const Workload work = make_workload(forward, {.batch = forward.batch}, 1, kernels_);
    return memory::schedule(work.plan,
                            work.costs,
                            work.element,
                            {.overlay = room_.overlay},
                            {.capacity = kDeviceMemory,
                             .store = room_.store,
                             .store_bandwidth = BytesPerSecond(12e9)})
        .feasible();
  }

 private:
  const McDla& study_;
  const Room& room_;
  kernel::Cache kernels_;
};

// The largest number in 1..most for which `fits`, to about 3 %; 0 if not even 1 does.
template <class Fits>
double largest(double most, Fits fits) {
  double low = 0.0;
  double high = 1.0;
  while (high <= most && fits(high)) {
    low = high;
    high *= 2.0;
  }
  high = std::min(high, most);
  while (high - low > std::max(1.0, 0.03 * low)) {
    const double middle = std::floor(0.5 * (low + high));
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

void study_capacity(const McDla& study) {
  constexpr double kMostBatch = 65536.0;
  constexpr double kMostBlocks = 1024.0;
  constexpr double kMostFrames = 4096.0;
  report::Chart chart{.name = "capacity",
                      .title = "Section V-E: the largest that can be trained on a device of 16 GiB",
                      .kind = report::ChartKind::kGroupedBars,
                      .y = {.title = "number", .log = true}};
  chart.categories = {"batch of VGG-E", "residual blocks at batch 512", "video frames at batch 1"};
  for (const Room& room : kRooms) {
    Fit fits(study, room);
    const double batch =
        largest(kMostBatch, [&](double samples) { return fits(build(model::Vgg{}, samples, {})); });
    const double blocks = largest(kMostBlocks, [&](double count) {
      model::ResNet network{.bottleneck = true, .projections = true};
      network.blocks[2] = static_cast<std::uint32_t>(count);
      return fits(build(network, 512.0, {}));
    });
    const double frames = largest(kMostFrames, [&](double count) {
      return fits(build(model::VideoNet{.frames = static_cast<std::uint32_t>(count)}, 1.0, {}));
    });
    chart.series.push_back({.name = room.name, .y = {batch, blocks, frames}});
    study.find(fmt::format("capacity.batch.{}", room.key), batch);
    study.find(fmt::format("capacity.blocks.{}", room.key), blocks);
    study.find(fmt::format("capacity.frames.{}", room.key), frames);
  }
  study.find("capacity.frames.gain",
             study.result.findings.at("capacity.frames.mc") /
                 study.result.findings.at("capacity.frames.plain"));
  study.result.charts.push_back(std::move(chart));
}

}  // namespace cairn::study
