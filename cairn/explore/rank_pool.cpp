#include "cairn/explore/rank_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/explore/rank_message.hpp"

namespace cairn::explore {

namespace {

// Polling interval for messages. Waiting in MPI would occupy a core that could evaluate.
void nap() {
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

Ranks::Message wait_for_message(Ranks& ranks) {
  for (;;) {
    if (auto message = ranks.receive()) {
      return *std::move(message);
    }
    nap();
  }
}

constexpr std::size_t kMaxPerThread = 4;  // designs per batch
constexpr std::size_t kBatches = 2;       // one in progress, one queued

// Points, each assigned once.
class Queue {
 public:
  Queue(std::span<const search::Point> points, const WorkerPool::Stop& stop)
      : points_(points), stop_(stop) {}

  // Returns fewer, or none, when no more remain.
  std::vector<Work> take(std::size_t most) {
    const std::lock_guard lock(mutex_);
    std::vector<Work> work;
    while (!ended() && work.size() < most) {
      work.push_back({next_, points_[next_]});
      ++next_;
    }
    return work;
  }

  const search::Point* take_one(std::size_t& index) {
    const std::lock_guard lock(mutex_);
    if (ended()) {
      return nullptr;
    }
    index = next_++;
    return &points_[index];
  }

  std::size_t left() {
    const std::lock_guard lock(mutex_);
    return ended() ? 0 : points_.size() - next_;
  }

  void close() { closed_ = true; }

  // True if points already taken are no longer needed.
  [[nodiscard]] bool is_cancelled() const { return closed_ || (stop_ && stop_()); }

 private:
  [[nodiscard]] bool ended() const { return next_ == points_.size() || is_cancelled(); }

  std::mutex mutex_{};
  std::span<const search::Point> points_;
  const WorkerPool::Stop& stop_;
  std::size_t next_ = 0;
  std::atomic<bool> closed_ = false;
};

// Evaluates in a background thread, joined on destruction.
class Beside {
 public:
  template <class Do>
  explicit Beside(Do act)
      : thread_([this, act = std::move(act)] {
          try {
            act();
          } catch (...) {
            failure_ = std::current_exception();
          }
          ended_ = true;
        }) {}

  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  ~Beside() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  [[nodiscard]] bool ended() const { return ended_; }

  // Rethrows an exception of that thread.
  void wait() {
    thread_.join();
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  std::exception_ptr failure_{};
  std::atomic<bool> ended_ = false;
  std::thread thread_;  // last member: it uses the others
};

// Pending messages from rank 0.
class Inbox {
 public:
  explicit Inbox(Ranks& ranks) : ranks_(ranks) {}

  // The next message; blocks if there is none.
  RankMessage take() {
    if (waiting_.empty()) {
      waiting_.push_back(message_of(wait_for_message(ranks_).bytes));
    }
    RankMessage first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }

  // True if rank 0 has ended the search. Does not block.
  bool has_end() {
    while (auto message = ranks_.receive()) {
      waiting_.push_back(message_of(message->bytes));
    }
    return !waiting_.empty() && waiting_.back().kind == MessageKind::kEnd;
  }

 private:
  Ranks& ranks_;
  std::deque<RankMessage> waiting_{};
};

// Sends each result to rank 0 as it finishes, so that it is stored whatever happens to the others.
// Only the calling thread sends and receives. Cancelled when rank 0 ends the search.
void evaluate_and_send(Ranks& ranks, Inbox& inbox, const std::vector<Work>& work, ThreadPool& own) {
  std::vector<search::Point> points;
  for (const Work& one : work) {
    points.push_back(one.point);
  }
  std::mutex mutex;
  std::vector<WorkResult> finished;
  std::atomic<bool> cancelled = inbox.has_end();
  Beside evaluation([&] {
    own.evaluate(
        points,
        [&](std::size_t place, Finding finding) {
          const std::lock_guard lock(mutex);
          finished.push_back({work[place].index, std::move(finding)});
        },
        [&] { return cancelled.load(); });
  });
  for (bool ended = false; !ended;) {
    ended = evaluation.ended();  // before the last poll: nothing finishes after it
    RankMessage answer{.kind = MessageKind::kResult};
    {
      const std::lock_guard lock(mutex);
      answer.results.swap(finished);
    }
    if (!answer.results.empty()) {
      ranks.send(0, to_bytes(answer));
    } else if (!ended) {
      nap();
    }
    cancelled = inbox.has_end();
  }
  evaluation.wait();
}

[[noreturn]] void fail_of(int rank, const std::string& why) {
  throw ConfigError({}, "rank " + std::to_string(rank) + ": " + why);
}

}  // namespace

void RankLeader::gather(const std::string& search) {
  for (int waiting = ranks_.size() - 1; waiting > 0; --waiting) {
    const auto [from, bytes] = wait_for_message(ranks_);
    const RankMessage message = message_of(bytes);
    if (message.kind == MessageKind::kRefused) {
      fail_of(from, message.text);
    }
    if (message.text != search) {
      fail_of(from, "has read another search or other data than rank 0");
    }
  }
}

RankLeader::~RankLeader() {
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    ranks_.send(rank, to_bytes({.kind = MessageKind::kEnd}));
  }
  for (int waiting = ranks_.size() - 1; waiting > 0;) {
    const Ranks::Message message = wait_for_message(ranks_);
    waiting -= message_of(message.bytes).kind == MessageKind::kGoodbye ? 1 : 0;
  }
}

void RankPool::evaluate(std::span<const search::Point> points, const Done& done, const Stop& stop) {
  Queue queue(points, stop);
  std::mutex one_at_a_time;
  std::atomic<bool> failed = false;
  const auto hand_over = [&](std::size_t index, Finding finding) {
    const std::lock_guard lock(one_at_a_time);
    if (failed) {
      return;  // the first failure is reported
    }
    try {
      done(index, std::move(finding));
    } catch (...) {
      failed = true;
      queue.close();
      throw;
    }
  };

  struct CloseAtEnd {  // before background threads are joined
    Queue& queue;

    ~CloseAtEnd() { queue.close(); }
  };

  Beside own([&] {
    own_.evaluate([&](std::size_t& index) { return queue.take_one(index); },
                  hand_over,
                  [&] { return queue.is_cancelled(); });
  });
  const CloseAtEnd close{queue};
  const auto ranks = static_cast<std::size_t>(ranks_.size());
  std::vector<std::size_t> pending(ranks, 0);  // results outstanding, by rank
  std::size_t outstanding = 0;
  const auto give = [&](std::size_t rank) {
    for (;;) {
      // At least as many as keep all threads of a rank busy.
      const std::size_t batch_size = std::clamp(
          queue.left() / (2 * kBatches * ranks), own_.threads(), kMaxPerThread * own_.threads());
      if (pending[rank] + batch_size > kBatches * batch_size) {
        return;
      }
      auto work = queue.take(batch_size);
      if (work.empty()) {
        return;
      }
      pending[rank] += work.size();
      outstanding += work.size();
      ranks_.send(static_cast<int>(rank),
                  to_bytes({.kind = MessageKind::kWork, .work = std::move(work)}));
    }
  };
  for (;;) {
    for (std::size_t rank = 1; rank < ranks; ++rank) {
      give(rank);
    }
    // When stopped, do not wait for outstanding results.
    if (own.ended() && (outstanding == 0 || failed || (stop && stop()))) {
      break;
    }
    const auto received = ranks_.receive();
    if (!received) {
      nap();
      continue;
    }
    RankMessage message = message_of(received->bytes);
    if (message.kind == MessageKind::kRefused) {
      throw Bug("rank " + std::to_string(received->from) + ": " + message.text);
    }
    pending[static_cast<std::size_t>(received->from)] -= message.results.size();
    outstanding -= message.results.size();
    for (WorkResult& result : message.results) {
      hand_over(result.index, std::move(result.finding));
    }
  }
  own.wait();
}

void serve(Ranks& ranks, const std::string& search, ThreadPool& own) {
  ranks.send(0, to_bytes({.kind = MessageKind::kReady, .text = search}));
  Inbox inbox(ranks);
  for (;;) {
    const RankMessage message = inbox.take();
    if (message.kind == MessageKind::kEnd) {
      ranks.send(0, to_bytes({.kind = MessageKind::kGoodbye}));
      return;
    }
    try {
      evaluate_and_send(ranks, inbox, message.work, own);
    } catch (const std::exception& error) {
      ranks.send(0, to_bytes({.kind = MessageKind::kRefused, .text = error.what()}));
    }
  }
}

void reject_worker(Ranks& ranks, const std::string& why) {
  ranks.send(0, to_bytes({.kind = MessageKind::kRefused, .text = why}));
  while (message_of(wait_for_message(ranks).bytes).kind != MessageKind::kEnd) {
  }
  ranks.send(0, to_bytes({.kind = MessageKind::kGoodbye}));
}

}  // namespace cairn::explore
