// An all-reduce on a ring, with an installed Cairn.
//   consumer DEVICES BYTES      prints the version and the time in seconds
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>

#include "cairn/evaluate_collective.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/version.hpp"

int main(int argc, char** argv) {
  if (argc != 3) {
    return 2;
  }
  const cairn::platform::Platform ring =
      cairn::platform::read_platform("ring:" + std::string(argv[1]) + "@25GB/s,500ns", {});
  const cairn::comm::Collective all_reduce{.size = cairn::Bytes(std::strtod(argv[2], nullptr))};

  const auto result =
      cairn::evaluate_collective(ring, all_reduce, {.algorithm = "ring", .chunks = 1});

  std::cout.precision(std::numeric_limits<double>::max_digits10);
  std::cout << cairn::kVersion << ' ' << result.value().time.si() << '\n';
}
