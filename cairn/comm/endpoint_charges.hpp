// Main memory traffic of a message at the sender, the receiver and forwarding devices.
//
// A phase of k steps forwards b bytes in each; in the first r steps receivers reduce them with
// their own data. Executed by cores, with every access counted:
//
//   - the sender reads b before the first step, and b in each step that only forwards;
//   - the receiver writes b in each step, and after each of the first r reads it back together with
//     its own operand; the sum is sent from registers in the next step, and written after the r-th.
//
// For a ring reduce-scatter that is (2k+1) b read and (k+1) b written. Several messages that reach
// a receiver in the same step are reduced with one operand, as large as the largest of them.
#pragma once

#include <vector>

#include "cairn/comm/endpoint.hpp"
#include "cairn/comm/layout.hpp"
#include "cairn/comm/schedule.hpp"

namespace cairn::comm {

// Bytes of main memory.
struct MemoryTraffic {
  double read = 0.0;
  double written = 0.0;

  MemoryTraffic& operator+=(const MemoryTraffic& other) {
    read += other.read;
    written += other.written;
    return *this;
  }

  friend MemoryTraffic operator*(const MemoryTraffic& traffic, double factor) {
    return {traffic.read * factor, traffic.written * factor};
  }
};

// Memory traffic per byte of a message, averaged over the steps of its phase.
struct Charges {
  MemoryTraffic sender{};
  MemoryTraffic receiver{};
  MemoryTraffic forwarder{};  // each device in between
};

// One entry for each message of the part.
std::vector<Charges> charges_of(const Part& part,
                                const GroupLayout& layout,
                                const Endpoint& endpoint);

}  // namespace cairn::comm
