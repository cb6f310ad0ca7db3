// 100 MB over a 25 GB/s link, with an installed Cairn: prints the version and "4 ms".
#include <iostream>

#include "cairn/base/quantity_text.hpp"
#include "cairn/version.hpp"

int main() {
  const cairn::Seconds time = cairn::Bytes(100e6) / cairn::BytesPerSecond(25e9);

  std::cout << cairn::kVersion << ": " << cairn::to_text(time) << '\n';
}
