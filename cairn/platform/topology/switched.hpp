// Devices connected by one layer of switches: a star or crossbar, and NVIDIA's DGX-2.
#pragma once

#include <cstdint>

#include "cairn/base/schema.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/platform/size.hpp"

namespace cairn::platform::topology {

// Every device has one link up to, and one down from, each of `planes` equal switches; a message is
// split evenly over the planes. The switch itself does not limit the rate.
struct Star {
  std::uint64_t devices = 0;
  std::uint64_t planes = 1;
  BytesPerSecond bandwidth;
  Seconds latency{0.0};
};

const Schema<Star>& schema_of(const Star*);
Size size_of(const Star& parameters);
Platform make_switch(const Star& parameters, const Config& source = {});

// DGX-2: two boards of eight devices and six NVSwitches. Each device has one link to every switch
// of its board; each switch has eight links to its partner on the other board. Dims are {8, 2}.
// The bisection is 6 x 8 links = 1.2 TB/s each way at 25 GB/s (NVIDIA: 2.4 TB/s, both ways).
struct Dgx2 {
  BytesPerSecond bandwidth{25e9};
  Seconds latency{0.0};  // per link: half the path through one switch
};

const Schema<Dgx2>& schema_of(const Dgx2*);
Platform make_dgx2(const Dgx2& parameters, const Config& source = {});

}  // namespace cairn::platform::topology
