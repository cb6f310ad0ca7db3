// How many devices can a ring join before an all-reduce is bound by latency?
#include <iomanip>
#include <iostream>
#include <string>

#include "cairn/base/quantity_text.hpp"
#include "cairn/evaluate_collective.hpp"
#include "cairn/platform/parse.hpp"

int main() {
  const cairn::comm::Collective all_reduce{.op = cairn::comm::Op::kAllReduce,
                                           .size = cairn::Bytes(16e6)};
  for (int devices = 4; devices <= 4096; devices *= 4) {
    const auto ring = cairn::platform::read_platform(  // throws ConfigError
        "ring:" + std::to_string(devices) + "@25GB/s,500ns",
        {});

    const auto result = cairn::evaluate_collective(ring, all_reduce, {.algorithm = "ring"});

    if (!result) {
      std::cerr << result.reason().limit() << ": " << result.reason().detail << '\n';
      return 3;
    }
    std::cout << std::setw(5) << devices << " devices  " << std::setw(8)
              << cairn::to_text(result->time) << "  " << result->bound.text << '\n';
  }
}
