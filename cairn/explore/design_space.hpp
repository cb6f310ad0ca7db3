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
  Where where{};  // it is written; of a range, also both ends
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

// `design`: a map; `vary`: a map from keys of it to
//   a list                                       one of these
//   {from: 25 GB/s, to: 200 GB/s, scale: log}    any number; `whole: true`: any whole one
//   {from: 0, to: 1, budget: area}               parts of a budget are at most 1 in all
//   {spread: [RC, CR, data], stages: [1, 2]}     every way to spread over the design's devices;
//                                                if platforms vary above, those that fit each
// each also with `when: {KEY: [VALUE, ...]}`: only if an earlier key has one of these values.
// Throws ConfigError.
DesignSpace read_design_space(const Config& design, const Config& vary, const DataFolders& folders);

}  // namespace cairn::explore
