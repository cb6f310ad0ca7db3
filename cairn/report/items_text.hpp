// What Cairn knows, as lists: presets, topologies, collectives, algorithms.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::report {

struct Item {
  std::string kind{};  // "platforms"
  std::string name{};
  std::string description{};
  std::vector<std::pair<std::string, std::string>> details{};  // further keys of the JSON object
};

// A line per item: its name and description, long ones wrapped.
std::string items_text(std::span<const Item> items);

}  // namespace cairn::report
