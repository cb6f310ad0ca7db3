// Places of published numbers in figures, which then show them beside ours.
#pragma once

#include <string>
#include <vector>

#include "cairn/study/study.hpp"

namespace cairn::study {

struct Mark {
  std::string figure{};
  std::string series{};  // empty: a horizontal line named `at`
  std::string at{};      // the category, or x as a number
  std::string quantity{};
};

// Fills Series::published and Chart::levels from the claims. Marks without a claim, or without a
// point in the figures, are ignored.
void mark_published(StudyResult& result, const std::vector<Mark>& marks);

}  // namespace cairn::study
