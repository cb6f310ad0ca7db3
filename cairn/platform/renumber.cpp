#include "cairn/platform/renumber.hpp"

#include <limits>

namespace cairn::platform {

namespace {

constexpr std::uint32_t kNew = std::numeric_limits<std::uint32_t>::max();

// Numbers coordinates by first appearance, for each of `combinations` separately.
class Numbers {
 public:
  Numbers(std::uint32_t width, std::uint32_t combinations)
      : width_(width), number_(std::size_t{width} * combinations, kNew), used_(combinations, 0) {}

  std::uint32_t of(std::uint32_t coordinate, std::uint32_t combination) {
    std::uint32_t& number = number_[std::size_t{combination} * width_ + coordinate];
    if (number == kNew) {
      number = used_[combination]++;
    }
    return number;
  }

 private:
  std::uint32_t width_;
  std::vector<std::uint32_t> number_;  // by combination, then coordinate
  std::vector<std::uint32_t> used_;    // by combination
};

}  // namespace

std::vector<std::uint32_t> renumbered(const Platform& platform, std::vector<std::uint32_t> ranks) {
  std::vector<std::uint32_t> result(ranks.size(), 0);
  std::uint32_t stride = 1;
  for (std::size_t dim = 0; dim < platform.dims.size(); ++dim) {
    const std::uint32_t width = platform.dims[dim];
    const Interchange interchange =
        platform.interchange.empty() ? Interchange::kNone : platform.interchange[dim];
    const auto coordinate = [&](std::uint32_t rank) { return rank / stride % width; };
    if (interchange == Interchange::kNone) {
      const std::uint32_t shift =
          platform.shift_symmetric && !ranks.empty() ? width - coordinate(ranks.front()) : 0;
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        result[i] += (coordinate(ranks[i]) + shift) % width * stride;
      }
    } else {
      const bool each = interchange == Interchange::kEach;
      Numbers numbers(width, each ? platform.device_count() / stride / width : 1);
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::uint32_t later = each ? ranks[i] / stride / width : 0;
        result[i] += numbers.of(coordinate(ranks[i]), later) * stride;
      }
    }
    stride *= width;
  }
  return result;
}

}  // namespace cairn::platform
