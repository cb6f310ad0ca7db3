// Which point of which figure a claim's number belongs to, so that figures show what was published
// beside ours.
#pragma once

#include <string>
#include <vector>

#include "cairn/study/study.hpp"

namespace cairn::study {

struct Mark {
  std::string figure{};
  std::string series{};  // empty: a line across the whole figure, named `at`
  std::string at{};      // the category, or x as a number
  std::string quantity{};
};

// Fills Series::published and Chart::levels from the claims. A quantity that no claim is about, or
// a point that the study as it was asked does not have, is left out.
void mark_published(StudyResult& result, const std::vector<Mark>& marks);

}  // namespace cairn::study
