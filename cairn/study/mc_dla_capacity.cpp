#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "cairn/memory/schedule.hpp"
#include "cairn/platform/memory_node.hpp"
#include "cairn/study/mc_dla.hpp"

namespace cairn::study {

namespace {

struct Sizes {
  Bytes device_memory{};
  Bytes host_memory{};
  double clips = 1.0;
};

const Schema<Sizes>& schema_of(const Sizes*) {
  static const auto kSchema =
      Schema<Sizes>("capacity", "capacities and batch for section V-E")
          .required("device_memory", &Sizes::device_memory, "memory of a device", "16 GiB")
          .positive()
          .required("host_memory", &Sizes::host_memory, "memory of all sockets of DC-DLA", "512 GB")
          .positive()
          .required("clips", &Sizes::clips, "video clips per device and step", "64")
          .whole()
          .at_least(1);
  return kSchema;
}

struct BackingStore {
  const char* key;
  const char* name;
  System system;   // kOracle: none
  Bytes capacity;  // per device
};

std::array<BackingStore, 3> backing_stores(const Sizes& sizes) {
  // A device has half of each of two memory-nodes.
  return {BackingStore{"plain", "device memory alone", System::kOracle, Bytes(0.0)},
          BackingStore{"dc", "DC-DLA", System::kDc, sizes.host_memory / kDevices},
          BackingStore{"mc", "MC-DLA", System::kAware, platform::memory_of({}).capacity}};
}

// Offloads all tensors saved for the backward pass, if there is a backing store.
memory::Policy policy_of(const BackingStore& store) {
  if (store.system == System::kOracle) {
    return {.offload = memory::Offload::kNone};
  }
  return {.offload = memory::Offload::kEverything, .offload_state = true};
}

struct Need {
  double device;
  double store;
};

// A model that does not fit at its smallest has no largest size to compare.
[[noreturn]] void refuse(const Config& inputs, const BackingStore& store, const std::string& why) {
  throw ConfigError(inputs.where, fmt::format("{} does not train {}", store.name, why));
}

// A model, and the samples per device and step.
struct Trained {
  model::ModelSource model{};
  double batch = 1.0;
};

class Capacity {
 public:
  Capacity(const McDla& study, const Config& inputs, const Sizes& sizes, const BackingStore& store)
      : study_(study), inputs_(inputs), sizes_(sizes), store_(store) {}

  Need need(const Trained& trained) {
    study_.count();
    const McDlaAssumptions& a = study_.runs.assumptions();
    const Design design{
        .model = trained.model,
        .device = study_.runs.device(),
        .strategy = {.batch = trained.batch, .precision = a.precision, .devices = 1},
        .memory = policy_of(store_)};
    EvaluationCache& cache = study_.runs.cache();
    const auto plan = cache.plan(design).value();
    const auto schedule =
        memory::schedule(*plan,
                         cost_kernels(*plan, design, cache).value(),
                         design.memory,
                         {.store = Bytes::infinity(), .store_bandwidth = a.pcie_bandwidth});
    return {schedule->fullest().peak.si(), schedule->fullest().moved.si()};
  }

  [[nodiscard]] bool fits(const Need& need) const {
    return need.device <= sizes_.device_memory.si() && need.store <= store_.capacity.si();
  }

  // The largest n up to `most` for which build(n) fits, to 1 %. Throws ConfigError if build(1) does
  // not fit; `one` describes it in the message.
  template <class Build>
  double largest(const std::string& one, double most, Build build) {
    check_one(one, need(build(1.0)));
    double low = 1.0;
    double high = 2.0;
    while (high <= most && fits(need(build(high)))) {
      low = high;
      high *= 2.0;
    }
    high = std::min(high, most + 1.0);
    while (high - low > std::max(1.0, 0.01 * low)) {
      const double middle = std::floor(0.5 * (low + high));
      (fits(need(build(middle))) ? low : high) = middle;
    }
    return low;
  }

  // The same for graphs that grow by identical parts, so that memory is linear:
  // need(n) = need(a) + (n - a) (need(b) - need(a)) / (b - a) for n >= a.
  template <class Build>
  double largest_of_equal_parts(const std::string& one, Build build) {
    constexpr double kA = 8.0;
    constexpr double kB = 16.0;
    const Need a = need(build(kA));
    if (!fits(a)) {
      return largest(one, kA, build);
    }
    const Need b = need(build(kB));
    const auto parts = [&](double capacity, double at_a, double at_b) {
      return at_b > at_a ? kA + std::floor((capacity - at_a) / (at_b - at_a) * (kB - kA))
                         : std::numeric_limits<double>::infinity();
    };
    return std::min(parts(sizes_.device_memory.si(), a.device, b.device),
                    parts(store_.capacity.si(), a.store, b.store));
  }

 private:
  void check_one(const std::string& one, const Need& need) const {
    if (!fits(need)) {
      const std::string in_store = fmt::format(", and {} of {} in the backing store",
                                               to_text(Bytes(need.store)),
                                               to_text(store_.capacity));
      refuse(inputs_,
             store_,
             fmt::format("{}: it needs {} of the device's {}{}",
                         one,
                         to_text(Bytes(need.device)),
                         to_text(sizes_.device_memory),
                         store_.capacity > Bytes(0.0) ? in_store : ""));
    }
  }

  const McDla& study_;
  const Config& inputs_;
  const Sizes& sizes_;
  const BackingStore& store_;
};

Trained deep_network(double blocks, const McDlaAssumptions& a) {
  constexpr double kBatch = 128.0;
  return {
      network_model(
          fmt::format("resnet, bottleneck: true, projections: true, blocks: [3, 4, {}, 3]", blocks),
          "ResNet",
          a),
      kBatch};
}

Trained video_network(double frames, double clips, const McDlaAssumptions& a) {
  return {network_model(fmt::format("video, frames: {}", frames), "video", a), clips};
}

// Step time per frame of the video model on eight devices: the cost of the larger memory.
report::Series video_steps(const McDla& study,
                           const Config& inputs,
                           const Sizes& sizes,
                           const BackingStore& store) {
  McDlaAssumptions a = study.runs.assumptions();
  a.host_memory = sizes.host_memory;
  chip::Device device = study.runs.device();
  device.memory.capacity = sizes.device_memory;
  Design design = make_system(store.system, device, a, kDevices);
  design.memory = policy_of(store);
  design.strategy = {
      .batch = sizes.clips, .batch_per = plan::BatchPer::kDevice, .precision = a.precision};
  report::Series line{.name = store.name};
  for (const double frames : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0}) {
    study.count();
    design.model = video_network(frames, sizes.clips, a).model;
    const auto result = evaluate(design, study.runs.cache());
    if (!result && line.x.empty()) {
      refuse(inputs,
             store,
             fmt::format("clips of one frame on eight devices: {}", result.reason().detail));
    }
    line.x.push_back(frames);
    line.y.push_back(result ? result->step_time.si() / frames * 1e3
                            : std::numeric_limits<double>::quiet_NaN());
    if (result) {
      study.find(fmt::format("capacity.video.{}.longest", store.key), frames);
      study.find(fmt::format("capacity.video.{}.milliseconds_per_frame", store.key), line.y.back());
    }
  }
  return line;
}

}  // namespace

void study_capacity(const McDla& study, const Config& inputs) {
  constexpr double kMaxBatch = 65536.0;
  const auto sizes = read_config<Sizes>(inputs);
  const McDlaAssumptions& a = study.runs.assumptions();
  const std::string memory = to_text(sizes.device_memory);
  report::Chart largest{
      .name = "capacity",
      .title = "Section V-E: the largest trainable sizes on a device of " + memory,
      .kind = report::ChartKind::kGroupedBars,
      .x = {.title = "scaled dimension"},
      .y = {.title = "number", .log = true}};
  largest.categories = {"samples of VGG-E",
                        "blocks of ResNet, 128 samples",
                        fmt::format("frames of {} clips", sizes.clips)};
  report::Chart video{.name = "video",
                      .title = "Section V-E: a video model on eight devices of " + memory +
                               "; lines end where training is infeasible",
                      .kind = report::ChartKind::kLines,
                      .x = {.title = "frames of a clip", .log = true},
                      .y = {.title = "step time per frame (ms)"}};
  for (const BackingStore& store : backing_stores(sizes)) {
    Capacity capacity(study, inputs, sizes, store);
    const double batch = capacity.largest("one sample of VGG-E", kMaxBatch, [&](double samples) {
      return Trained{network_model("vgg", "VGG-E", a), samples};
    });
    const double blocks = capacity.largest_of_equal_parts(
        "a ResNet of one block, 128 samples", [&](double count) { return deep_network(count, a); });
    const double frames = capacity.largest_of_equal_parts(
        fmt::format("one frame of {} clips", sizes.clips),
        [&](double count) { return video_network(count, sizes.clips, a); });
    largest.series.push_back({.name = store.name, .y = {batch, blocks, frames}});
    study.find(fmt::format("capacity.batch.{}", store.key), batch);
    study.find(fmt::format("capacity.blocks.{}", store.key), blocks);
    study.find(fmt::format("capacity.frames.{}", store.key), frames);
    video.series.push_back(video_steps(study, inputs, sizes, store));
  }
  const Findings& found = study.result.findings;
  study.find("capacity.frames.gain",
             found.at("capacity.frames.mc") / found.at("capacity.frames.plain"));
  study.find("capacity.video.mc.cost",
             found.at("capacity.video.mc.milliseconds_per_frame") /
                 found.at("capacity.video.plain.milliseconds_per_frame"));
  study.result.charts.push_back(std::move(largest));
  study.result.charts.push_back(std::move(video));
}

}  // namespace cairn::study
