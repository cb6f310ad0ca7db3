#include "cairn/study/chip_shares.hpp"

#include <array>
#include <string>
#include <utility>

namespace cairn::study {

ChipShares::ChipShares(chip::Template design, bool with_network) : design_(std::move(design)) {
  design_.intra_package.reset();
  if (!with_network) {
    design_.inter_package.reset();
  }
  using chip::Shares;
  using chip::Template;

  struct Budget {
    const char* name;
    double Shares::* what;
  };

  constexpr std::array<Budget, 3> kBudgets{
      {{"area", &Shares::area}, {"power", &Shares::power}, {"perimeter", &Shares::perimeter}}};
  space_.budgets.resize(kBudgets.size());
  for (std::size_t b = 0; b < kBudgets.size(); ++b) {
    const auto& [budget, what] = kBudgets[b];
    const auto name = [&](const std::string& part) { return part + "." + budget; };
    if (what != &Shares::perimeter) {
      add(b,
          name("core"),
          {[](Template& t, std::size_t) -> Shares& { return t.core.shares; }, 0, what});
      for (std::size_t l = 0; l < design_.levels.size(); ++l) {
        add(b,
            name(design_.levels[l].name),
            {[](Template& t, std::size_t level) -> Shares& { return t.levels[level].shares; },
             l,
             what});
      }
    }
    add(b,
        name("main_memory"),
        {[](Template& t, std::size_t) -> Shares& { return t.main_memory.shares; }, 0, what});
    if (design_.inter_package) {
      add(b,
          name("inter_package"),
          {[](Template& t, std::size_t) -> Shares& { return t.inter_package->shares; }, 0, what});
    }
  }
}

void ChipShares::add(std::size_t budget, std::string name, Share share) {
  space_.budgets[budget].push_back(space_.axes.size());
  space_.axes.push_back({.name = std::move(name)});
  shares_.push_back(share);
}

search::Point ChipShares::start() const {
  chip::Template design = design_;
  search::Point point;
  for (const auto& [of, level, what] : shares_) {
    point.push_back(of(design, level).*what);
  }
  return point;
}

chip::Template ChipShares::at(const search::Point& point) const {
  chip::Template design = design_;
  for (std::size_t a = 0; a < shares_.size(); ++a) {
    const auto& [of, level, what] = shares_[a];
    of(design, level).*what = point[a];
  }
  return design;
}

}  // namespace cairn::study
