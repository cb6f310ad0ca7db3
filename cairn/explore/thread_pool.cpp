#include "cairn/explore/thread_pool.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "cairn/base/cancellation.hpp"

namespace cairn::explore {

struct ThreadPool::Arena {
  explicit Arena(std::size_t threads)
      : most(tbb::global_control::max_allowed_parallelism, threads),
        arena(static_cast<int>(threads)) {}

  tbb::global_control most;
  tbb::task_arena arena;
};

ThreadPool::ThreadPool(Evaluator& evaluator, std::size_t threads)
    : evaluator_(evaluator),
      threads_(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())),
      arena_(std::make_unique<Arena>(threads_)) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::evaluate(std::span<const search::Point> points,
                          const Done& done,
                          const Stop& stop) {
  std::atomic<std::size_t> given = 0;
  evaluate(
      [&](std::size_t& index) -> const search::Point* {
        index = given++;
        return index < points.size() ? &points[index] : nullptr;
      },
      done,
      stop);
}

std::vector<double> ThreadPool::bounds(std::span<const search::Point> points, const Stop& stop) {
  std::vector<double> bounds(points.size(), -std::numeric_limits<double>::infinity());
  arena_->arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, points.size(), [&](std::size_t i) {
      const CancellationScope scope(stop);
      try {
        check_cancelled();
        bounds[i] = evaluator_.bound(points[i]);
      } catch (const Cancelled&) {
        return;
      }
    });
  });
  return bounds;
}

void ThreadPool::evaluate(const Next& next, const Done& done, const Stop& stop) {
  std::mutex one_at_a_time;
  std::atomic<bool> failed = false;
  const Stop is_cancelled = [&] { return failed || (stop && stop()); };
  const auto evaluate_all = [&] {
    const CancellationScope scope(is_cancelled);
    std::size_t index = 0;
    while (!is_cancelled()) {
      const search::Point* const point = next(index);
      if (point == nullptr) {
        return;
      }
      Finding finding = evaluator_.evaluate(*point);
      const std::lock_guard lock(one_at_a_time);
      if (failed) {
        return;
      }
      try {
        done(index, std::move(finding));
      } catch (...) {
        failed = true;
        throw;
      }
    }
  };
  const auto work = [&] {
    try {
      evaluate_all();
    } catch (const Cancelled&) {
      return;
    }
  };
  // One task per possible thread; a thread may run two of them.
  arena_->arena.execute([&] {
    tbb::parallel_for(
        std::size_t{0},
        threads_,
        [&](std::size_t /*worker*/) { work(); },
        tbb::simple_partitioner{});
  });
}

}  // namespace cairn::explore
