#include "cairn/study/co_design_space.hpp"

namespace cairn::study {

std::size_t Choices::place(const Choice& choice) const {
  std::size_t place = 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    place = place * size(part) + choice[part];
  }
  return place;
}

Choice Choices::at(std::size_t place) const {
  Choice choice{};
  for (std::size_t part = kParts; part-- > 0;) {
    choice[part] = place % size(part);
    place /= size(part);
  }
  return choice;
}

std::optional<Choice> fastest(const Choices& choices, const std::array<bool, kParts>& fixed) {
  std::optional<Choice> best;
  for (std::size_t place = 0; place < choices.times.size(); ++place) {
    const Choice choice = choices.at(place);
    bool allowed = choices.times[place].has_value();
    for (std::size_t part = 0; part < kParts; ++part) {
      allowed = allowed && (!fixed[part] || choice[part] == 0);
    }
    if (allowed && (!best || *choices.times[place] < *choices.time(*best))) {
      best = choice;
    }
  }
  return best;
}

Choice one_after_the_other(const Choices& choices, const std::array<std::size_t, kParts>& order) {
  Choice here{};
  for (const std::size_t part : order) {
    Choice tried = here;
    for (std::size_t c = 0; c < choices.size(part); ++c) {
      tried[part] = c;
      const auto time = choices.time(tried);
      if (time && *time < *choices.time(here)) {
        here = tried;
      }
    }
  }
  return here;
}

}  // namespace cairn::study
