// All ranks as one worker pool. Rank 0 assigns designs to free ranks, itself included: a batch of a
// few per thread while many remain, one by one towards the end, and always one batch ahead, so that
// no rank waits for an answer. Each result is returned as soon as it is finished.
#pragma once

#include <string>

#include "cairn/explore/ranks.hpp"
#include "cairn/explore/thread_pool.hpp"

namespace cairn::explore {

// Rank 0. Collects from every other rank the search it has read, and tells all ranks to end on
// destruction.
class RankLeader {
 public:
  explicit RankLeader(Ranks& ranks) : ranks_(ranks) {}

  RankLeader(const RankLeader&) = delete;
  RankLeader& operator=(const RankLeader&) = delete;
  ~RankLeader();

  // Throws ConfigError if a rank cannot read the search, or has read another one than `search`.
  void gather(const std::string& search);

 private:
  Ranks& ranks_;
};

class RankPool final : public WorkerPool {
 public:
  RankPool(Ranks& ranks, ThreadPool& own) : ranks_(ranks), own_(own) {}

  void evaluate(std::span<const search::Point> points, const Done& done, const Stop& stop) override;

 private:
  Ranks& ranks_;
  ThreadPool& own_;
};

// Other ranks: reports the search this rank has read, then evaluates the designs it receives until
// rank 0 ends the search, which cancels evaluations in progress.
void serve(Ranks& ranks, const std::string& search, ThreadPool& own);

// The same where the search cannot be read: reports why, and waits for the end.
void reject_worker(Ranks& ranks, const std::string& why);

}  // namespace cairn::explore
