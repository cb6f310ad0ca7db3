// The shares of a chip's area, power and perimeter as search axes: the parameters W of DeepFlow,
// section 7.
#pragma once

#include <vector>

#include "cairn/chip/template.hpp"
#include "cairn/search/space.hpp"

namespace cairn::study {

class ChipShares {
 public:
  // `with_network`: links to other packages take shares of the chip. Otherwise they are on an
  // adapter, and their shares are available to the rest.
  ChipShares(chip::Template design, bool with_network);

  // With one budget each for area, power and perimeter.
  [[nodiscard]] const search::Space& space() const { return space_; }

  // The template's shares.
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
