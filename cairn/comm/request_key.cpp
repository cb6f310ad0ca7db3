#include "cairn/comm/request_key.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "cairn/platform/renumber.hpp"

namespace cairn::comm {

namespace {

class Shapes {
 public:
  explicit Shapes(const std::vector<std::uint32_t>& dims) : dims_(dims) {
    for (const std::uint32_t width : dims) {
      seen_.emplace_back(width, 0);
    }
  }

  void add(std::span<const std::uint32_t> group, std::vector<std::uint32_t>& shapes) {
    ++group_;
    shapes.push_back(static_cast<std::uint32_t>(group.size()));
    shapes.push_back(std::ranges::is_sorted(group) ? 1 : 0);
    std::uint32_t stride = 1;
    for (std::size_t dim = 0; dim < dims_.size(); ++dim) {
      std::uint32_t width = 0;
      for (const std::uint32_t rank : group) {
        std::uint32_t& seen = seen_[dim][rank / stride % dims_[dim]];
        width += seen == group_ ? 0 : 1;
        seen = group_;
      }
      shapes.push_back(width);
      stride *= dims_[dim];
    }
  }

 private:
  const std::vector<std::uint32_t>& dims_;
  std::uint32_t group_ = 0;
  std::vector<std::vector<std::uint32_t>> seen_;  // by coordinate: the last group that has it
};

}  // namespace

RequestKey key_of(const Request& request, bool depends_on_size) {
  const Collective& collective = request.collective;
  RequestKey key{.op = collective.op,
                 .root = collective.root,
                 .size = depends_on_size ? collective.size : Bytes(0.0),
                 .weights = collective.weights};
  const platform::Platform& platform = *request.all->platform;
  Shapes shapes(platform.dims);
  std::vector<std::uint32_t> devices;
  for (const Group& group : request.groups) {
    const std::size_t first = devices.size();
    if (group.empty()) {
      devices.insert(devices.end(), request.all->members.begin(), request.all->members.end());
    }
    for (const std::uint32_t position : group) {
      devices.push_back(request.all->device(position));
    }
    shapes.add(std::span(devices).subspan(first), key.shapes);
  }
  key.devices = platform::renumbered(platform, std::move(devices));
  return key;
}

}  // namespace cairn::comm
