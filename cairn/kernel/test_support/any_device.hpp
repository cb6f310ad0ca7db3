// Random devices for property tests.
#pragma once

#include <rapidcheck.h>

#include <vector>

#include "cairn/chip/device.hpp"

namespace cairn::kernel {

// A device with one level per unit, one per core, and one shared by all, each of which may be the
// bottleneck.
inline chip::Device any_device() {
  using chip::Dataflow;
  using chip::Scope;
  const auto in = [](int least, int most) { return 1.0 * *rc::gen::inRange(least, most + 1); };
  const double units = in(1, 3);
  const double rows = in(1, 3);
  const double columns = in(1, 3);
  chip::Device device;
  device.cores = {.count = in(1, 6),
                  .frequency = Hertz(1e6 * in(900, 1100)),
                  .units = units,
                  .rows = rows,
                  .columns = columns,
                  .matrix = {.fp16 = Flops(2.0 * units * rows * columns * in(1, 2))},
                  .vector = Flops(1.0),
                  .dataflow = *rc::gen::element(Dataflow::kNone,
                                                Dataflow::kBest,
                                                Dataflow::kWeightStationary,
                                                Dataflow::kActivationStationary,
                                                Dataflow::kOutputStationary),
                  .utilization = *rc::gen::element(1.0, 0.85, 0.7)};
  device.levels = {
      {.name = "r", .scope = Scope::kMcu, .capacity = Bytes(in(1, 2000))},
      {.name = "s",
       .scope = Scope::kBundle,
       .capacity = Bytes(in(1, 4000)),
       .bandwidth = BytesPerSecond(1e9 * in(1, 40))},
      {.name = "l2",
       .scope = Scope::kGlobal,
       .capacity = Bytes(in(1, 800)),
       .bandwidth = BytesPerSecond(1e9 * in(1, 40))},
  };
  if (*rc::gen::arbitrary<bool>()) {
    device.levels[0].bandwidth = BytesPerSecond(1e9 * in(1, 100));
  }
  device.memory = {.capacity = Bytes(1e9), .bandwidth = BytesPerSecond(1e9 * in(1, 40))};
  device.tiles = {.at_once = in(1, 3),
                  .fill = Seconds(1e-9 * in(0, 20)),
                  .splits = in(1, 4),
                  .join = Seconds(1e-9 * in(0, 20))};
  if (*rc::gen::arbitrary<bool>()) {
    device.tiles.sides = *rc::gen::element(
        std::vector{1.0, 2.0, 5.0}, std::vector{5.0, 1.0, 2.0, 1.0}, std::vector{2.0, 5.0, 1.0});
  }
  if (*rc::gen::arbitrary<bool>()) {
    device.tiles.accumulators = Bytes(in(4, 200));
  }
  return device;
}

}  // namespace cairn::kernel
