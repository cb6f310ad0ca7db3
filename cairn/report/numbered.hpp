// Numbers repeated names: "up", "up (2)", "up (3)".
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string>

namespace cairn::report {

class Numbered {
 public:
  std::string operator()(const std::string& name) {
    const std::size_t times = ++times_[name];
    return times == 1 ? name : fmt::format("{} ({})", name, times);
  }

 private:
  std::map<std::string, std::size_t> times_{};
};

}  // namespace cairn::report
