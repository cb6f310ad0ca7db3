// All ranks as one crew. Rank 0 gives the next designs to whoever is free, itself included: a few
// for each thread while there are many, one by one towards the end, and always one handful more
// than a rank works on, so that none waits for an answer. What comes of each comes back as it ends.
#pragma once

#include <string>

#include "cairn/explore/ranks.hpp"
#include "cairn/explore/thread_crew.hpp"

namespace cairn::explore {

// On rank 0. Waits for what every other rank says of the search that it reads, and tells all to end
// when it goes.
class RankLeader {
 public:
  explicit RankLeader(Ranks& ranks) : ranks_(ranks) {}

  RankLeader(const RankLeader&) = delete;
  RankLeader& operator=(const RankLeader&) = delete;
  ~RankLeader();

  // Throws ConfigError if a rank cannot read the search, or reads another one than `search`.
  void gather(const std::string& search);

 private:
  Ranks& ranks_;
};

class RankCrew final : public Crew {
 public:
  RankCrew(Ranks& ranks, ThreadCrew& own) : ranks_(ranks), own_(own) {}

  void evaluate(std::span<const search::Point> points, const Done& done, const Stop& stop) override;

 private:
  Ranks& ranks_;
  ThreadCrew& own_;
};

// On the other ranks: says which search this rank reads, and evaluates what it is given until it
// is told to end, which cancels what is in evaluation.
void help(Ranks& ranks, const std::string& search, ThreadCrew& own);

// The same where the search cannot be read: says why, and waits for the end.
void refuse_to_help(Ranks& ranks, const std::string& why);

}  // namespace cairn::explore
