// A small synthetic step result: two device classes, one action of each kind.
#pragma once

#include "cairn/explain/step_result.hpp"

namespace cairn::report {

inline explain::StepRecord small_record() {
  using memory::ActionKind;
  explain::StepRecord record;
  const auto add = [&](const char* name, ActionKind kind, std::uint32_t c, double from, double to) {
    record.spans.push_back({.name = name,
                            .kind = kind,
                            .device_class = c,
                            .layer = 1,
                            .bytes = Bytes(kind == ActionKind::kKernel ? 0.0 : 1e6),
                            .submitted = Seconds(from / 2),
                            .begin = Seconds(from),
                            .end = Seconds(to)});
  };
  for (const std::uint32_t c : {0U, 1U}) {
    add("conv1 (forward)", ActionKind::kKernel, c, 0.0, 2e-3);
    add("conv2 (forward)", ActionKind::kKernel, c, 2e-3, 4e-3);
    add("relu (recomputed)", ActionKind::kRecompute, c, 4e-3, 5e-3);
    add("offload of x", ActionKind::kOffload, c, 2e-3, 5e-3);
    add("prefetch of x", ActionKind::kPrefetch, c, 5e-3, 8e-3);
  }
  add("all_reduce of conv1", ActionKind::kExchange, 0, 8e-3, 10e-3);
  record.channels = {{.name = "collectives"}};
  record.resources = {"up", "memory of device 0", "never used"};
  record.draws = {{.span = 0, .resource = 1, .drawn = 0.9e9},
                  {.span = 3, .resource = 0, .drawn = 100e6},
                  {.span = 10, .resource = 0, .drawn = 100e6}};
  record.operators = {{.name = "conv1",
                       .pass = "forward",
                       .kind = "convolution",
                       .layer = 1,
                       .macs = 1e6,
                       .cost = {.time = Seconds(2e-3), .memory = Bytes(0.9e9)}}};
  return record;
}

// 20 J.
inline explain::StepEnergy small_energy() {
  return {.devices = {.compute = Joules(8.0),
                      .levels = Joules(4.0),
                      .memory = Joules(3.0),
                      .network = Joules(2.0),
                      .idle = Joules(1.0)},
          .rest = Joules(2.0)};
}

inline explain::StepResult small_step() {
  using memory::ActionKind;
  const auto at = [](double seconds) { return after(SimTime{}, Seconds(seconds)); };
  explain::StepResult result{.model = "tiny",
                             .device = "chip",
                             .platform = "ring \"a\"",
                             .strategy = "one_weird_trick",
                             .devices = 8,
                             .batch = 64.0,
                             .step_time = Seconds(10e-3)};
  result.breakdown = {.compute = Seconds(5e-3),
                      .communication = Seconds(4e-3),
                      .memory = Seconds(6e-3),
                      .communication_exposed = Seconds(1e-3),
                      .memory_exposed = Seconds(3e-3),
                      .idle = Seconds(1e-3)};
  result.bound = {explain::BoundKind::kCompute, "compute"};
  result.utilization = 0.25;
  result.macs = 1e9;
  result.peak_memory = Bytes(3e9);
  result.peak_at = "conv1 (forward)";
  result.memory_bound = Bytes(4e9);
  result.capacity = Bytes(16e9);
  result.offloaded = result.moved = Bytes(2e9);
  result.recomputed = Bytes(1e8);
  result.resources = {{.name = "up",
                       .members = 4,
                       .bandwidth = BytesPerSecond(25e9),
                       .traffic = Bytes(200e6),
                       .utilization = 0.8},
                      {.name = "memory of device 0",
                       .members = 8,
                       .bandwidth = BytesPerSecond(900e9),
                       .traffic = Bytes(0.9e9),
                       .utilization = 0.1,
                       .kind = explain::ResourceKind::kHostMemory}};
  result.memory = {{at(0.0), Bytes(1e9)}, {at(2e-3), Bytes(3e9)}, {at(10e-3), Bytes(1e9)}};
  result.activities = {{.kind = ActionKind::kKernel, .runs = 2.0, .time = Seconds(5e-3)},
                       {.kind = ActionKind::kOffload, .runs = 1.0, .time = Seconds(3e-3)}};
  result.class_members = {6, 2};
  result.class_stage = {0, 0};
  result.events = 42;
  result.record = small_record();
  return result;
}

}  // namespace cairn::report
