// Designs that a search chooses from: one that is written down, and what of it may vary.
#pragma once

#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/design.hpp"
#include "cairn/search/space.hpp"

namespace cairn::explore {

// What an axis of the space means.
struct Variable {
  std::string key{};   // "device.template.core.area"
  std::string unit{};  // behind a number; empty: none
  std::vector<Config> choices{};
  bool generated = false;  // the choices are all strategies, and not written one by one
  Where where{};           // it is written; of a range, also both ends
  Where low{};
  Where high{};
};

struct DesignSpace {
  Config base{};                      // what varies is not only named
  std::vector<Variable> variables{};  // by axis
  search::Space space{};

  // Empty: the axis is not there.
  [[nodiscard]] std::string value_text(std::size_t axis, const search::Point& point) const;

  // `key=value`.
  [[nodiscard]] std::string setting(std::size_t axis, const search::Point& point) const;

  // The same of every axis that is there.
  [[nodiscard]] std::vector<std::string> settings(const search::Point& point) const;

  // The design, as a user would write it.
  [[nodiscard]] Config config(const std::vector<std::string>& settings,
                              const DataFolders& folders) const;
};

// `design`: a map; `vary`: a map from keys of it to what they may be (axis_reference). Throws
// ConfigError.
DesignSpace read_design_space(const Config& design, const Config& vary, const DataFolders& folders);

// The reference of all keys of an axis, with examples.
std::string axis_reference();

}  // namespace cairn::explore
