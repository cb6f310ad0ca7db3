// The shares of a chip's area, power and edge as numbers that a search varies: the parameters W of
// DeepFlow's section 7.
#pragma once

#include <vector>

#include "cairn/chip/template.hpp"
#include "cairn/search/space.hpp"

namespace cairn::study {

class ChipShares {
 public:
  // `with_network`: links to other packages have shares of the chip as well. Without, they are on
  // an adapter beside it, and their shares are free for the rest.
  ChipShares(chip::Template design, bool with_network);

  // Area, power and perimeter are one budget each.
  [[nodiscard]] const search::Space& space() const { return space_; }

  // The shares that the template has.
  [[nodiscard]] search::Point start() const;

  // The template with these shares.
  [[nodiscard]] chip::Template at(const search::Point& point) const;

 private:
  // One number of a template.
  struct Share {
    chip::Shares& (*of)(chip::Template& design, std::size_t level);
    std::size_t level = 0;
    double chip::Shares::* what = nullptr;
  };

  void add(std::size_t budget, std::string name, Share share);

  chip::Template design_;
  search::Space space_{};
  std::vector<Share> shares_{};  // by axis
};

}  // namespace cairn::study
