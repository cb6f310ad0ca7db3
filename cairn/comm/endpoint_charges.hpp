// What executing a collective costs the memories of the devices on a message's way.
//
// A phase of k steps passes b bytes on in each; in the first r of them receivers add what they
// receive to data of their own. Executed by cores, with every access counted:
//
//   - the sender reads b before the first step, and b in each step that only passes data on;
//   - the receiver writes b in each step, and after each of the first r reads it back together with
//     its own operand; the sum goes on from registers in the next step, and is written after the
//     r-th.
//
// For a ring reduce-scatter that is (2k+1) b read and (k+1) b written. Several messages that reach
// a receiver in the same step are added to one operand, as large as the largest of them.
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

// Per byte of a message, on average over the steps of its phase.
struct Charges {
  MemoryTraffic sender{};
  MemoryTraffic receiver{};
  MemoryTraffic forwarder{};  // each device between them
};

// By message of the part.
std::vector<Charges> charges_of(const Part& part, const Layout& layout, const Endpoint& endpoint);

}  // namespace cairn::comm
