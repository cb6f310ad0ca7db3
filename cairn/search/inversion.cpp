#include "cairn/search/inversion.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace cairn::search {

namespace {

struct Closed {};  // unwinds a body that gets no more answers

}  // namespace

struct Inversion::Body {
  enum class State { kRuns, kWaits, kEnded };

  std::mutex mutex{};
  std::condition_variable changed{};
  State state = State::kRuns;
  bool closed = false;
  std::vector<Point> points{};
  std::vector<Outcome> outcomes{};
  std::exception_ptr failure{};
  std::thread thread{};

  std::vector<Outcome> evaluate(const std::vector<Point>& asked) {
    std::unique_lock lock(mutex);
    points = asked;
    state = State::kWaits;
    changed.notify_all();
    changed.wait(lock, [&] { return state == State::kRuns || closed; });
    if (closed) {
      throw Closed();
    }
    return std::move(outcomes);
  }

  void run(const std::function<void(const Evaluate&)>& body) {
    std::exception_ptr thrown;
    try {
      body([this](const std::vector<Point>& asked) { return evaluate(asked); });
    } catch (const Closed&) {  // NOLINT(bugprone-empty-catch): the intended end
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    failure = thrown;
    state = State::kEnded;
    changed.notify_all();
  }
};

Inversion::Inversion(std::vector<std::function<void(const Evaluate&)>> bodies) {
  try {
    for (auto& body : bodies) {
      bodies_.push_back(std::make_unique<Body>());
      Body& mine = *bodies_.back();
      mine.thread = std::thread([&mine, run = std::move(body)] { mine.run(run); });
    }
  } catch (...) {
    close();
    throw;
  }
}

Inversion::~Inversion() {
  close();
}

void Inversion::close() {
  for (const auto& body : bodies_) {
    if (!body->thread.joinable()) {
      continue;  // it was never started
    }
    {
      const std::lock_guard lock(body->mutex);
      body->closed = true;
      body->changed.notify_all();
    }
    body->thread.join();
  }
}

std::vector<Point> Inversion::ask() {
  std::vector<Point> points;
  for (const auto& body : bodies_) {
    std::unique_lock lock(body->mutex);
    body->changed.wait(lock, [&] { return body->state != Body::State::kRuns; });
    if (body->failure) {
      std::rethrow_exception(body->failure);
    }
    if (body->state == Body::State::kWaits) {
      points.insert(points.end(), body->points.begin(), body->points.end());
    }
  }
  return points;
}

void Inversion::tell(std::span<const Outcome> outcomes) {
  for (const auto& body : bodies_) {
    const std::lock_guard lock(body->mutex);
    if (body->state == Body::State::kWaits) {
      const auto mine = outcomes.first(body->points.size());
      body->outcomes.assign(mine.begin(), mine.end());
      outcomes = outcomes.subspan(mine.size());
      body->state = Body::State::kRuns;
      body->changed.notify_all();
    }
  }
}

}  // namespace cairn::search
