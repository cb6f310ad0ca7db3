// The engine: simulates activities from completion to completion.
//
// The caller drives it: submit() activities, advance() to the next instant at which some complete,
// react by submitting more. All events of one instant are batched before shares are solved once.
// Activities exist only while they wait or run; their slots are recycled. An engine has no state
// outside itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cairn/base/sim_time.hpp"
#include "cairn/sim/event_queue.hpp"
#include "cairn/sim/holding.hpp"
#include "cairn/sim/law.hpp"
#include "cairn/sim/max_min_share.hpp"
#include "cairn/sim/state_image.hpp"

namespace cairn::sim {

struct Completion {
  std::uint64_t tag = 0;
  SimTime submitted;
  SimTime admitted;  // when all its holds were granted
  SimTime finished;
};

class Engine {
 public:
  Id<Resource> add(Resource resource);
  Id<Issuer> add(Issuer issuer);
  // Draws on one resource are merged; zero draws, and draws on an unlimited resource, are free.
  Id<Demand> add(const Demand& demand);

  // Submits an activity at the present instant. It waits for its holds, then for its latency, then
  // draws until its work is done.
  void submit(const Activity& activity);

  // Advances to the next instant, at most `until`, at which activities complete, and returns them
  // in the order they complete. Empty: nothing more completes by `until` (now() is then `until`,
  // unless that is never). The span is valid until the next call. Throws Bug, naming what waits
  // for what, if nothing runs and something waits.
  std::span<const Completion> advance(SimTime until = SimTime::never());

  [[nodiscard]] SimTime now() const { return now_; }

  [[nodiscard]] bool idle() const { return live_ == 0; }

  // Events taken from the queue that were not stale.
  [[nodiscard]] std::uint64_t events() const { return events_; }

  // Machine-independent measure of the work done so far: draws examined to share resources, plus
  // events.
  [[nodiscard]] std::uint64_t effort() const { return effort_ + sharing_.effort() + events_; }

  // Units drawn from a shared resource so far by completed activities (one member's, for a class).
  [[nodiscard]] double drawn(Id<Resource> resource) const { return lines_[resource.index()].drawn; }

  // The maximum of a held resource that was held at once.
  [[nodiscard]] double peak_held(Id<Resource> resource) const;

  [[nodiscard]] std::span<const Resource> resources() const { return resources_; }

  // Appends its state at the present instant. False: an activity waits for its holds, so that the
  // state cannot recur.
  bool append_state(const Recurring& recurring, StateImage& image);

  // How many periods begin before an activity that lasts starts or completes. `growth`: over one.
  [[nodiscard]] std::uint64_t count_periods(const Recurring& recurring,
                                            std::int64_t period,
                                            Growth& growth) const;

  // Goes on as if the periods had passed. Precondition: at most count_periods().
  void skip(const Recurring& recurring, const Skip& skip, Growth& growth);

  // The present rate of each running activity (by tag); for tests and inspection.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, double>> rates();

 private:
  enum class State : std::uint8_t {
    kFree,
    kWaiting,     // for its holds
    kLatent,      // admitted; a begin event is pending
    kLoneLatent,  // the same, but alone on all its resources: completion already scheduled
    kActive,      // draws
    kWorkless,    // has no work; its completion is scheduled
  };

  static constexpr std::uint32_t kNone = MaxMinShare::kNone;

  enum EventKind : std::uint32_t { kBegin, kComplete };

  struct Slot {
    double rate = 0.0;              // since `updated`
    std::uint32_t stamp = 0;        // of the problem being solved, if it is affected
    std::uint32_t user = 0;         // its number in that problem
    std::uint32_t held_by = kNone;  // the resource that limits its rate; kNone: its own limit
    State state = State::kFree;
    SimTime updated;          // for a latent activity: when it begins
    double remaining = 0.0;   // at `updated`
    std::uint64_t event = 0;  // order number of its pending event; 0: none
    SimTime event_at;         // when that event comes
    SimTime due;              // when it completes; if later than its event, that is postponed
    Activity activity;
    SimTime submitted;
    SimTime admitted;
  };

  // A demand as the engine uses it: draws_[first_draw .. end_draw).
  struct Needs {
    std::uint32_t first_draw;
    std::uint32_t end_draw;
    double lone_rate;  // when alone: its speed limit and full capacities
    Seconds latency;
    std::vector<Hold> holds;
  };

  // With what sharing needs of its draw and issuer, so that few other cache lines are read.
  struct LineUser {
    std::uint32_t slot;
    std::uint32_t draw;  // what it draws here, in draws_
    double drawn;        // units for each unit of progress, of all members
    double weight;       // of its issuer
  };

  // A shared resource's users, grouped by issuer, oldest first.
  struct Line {
    double capacity;
    std::vector<LineUser> users;
    double drawn = 0.0;
    std::uint32_t lone = kNone;  // the user that started when it was the only one
    std::uint32_t repeats = 0;   // users less issuers: 0 if each issuer has one user
    std::uint32_t stamp = 0;     // of the problem being solved
    std::uint32_t pool = 0;      // its number in that problem
    bool dirty = false;          // listed in dirty_
  };

  // A rate, and the resource that limits it.
  struct Proposal {
    double rate;
    std::uint32_t held_by;
  };

  // Activities by identity and slot.
  struct Census {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> recurring{};
    std::vector<std::pair<std::uint64_t, std::uint32_t>> lasting{};
  };

  void settle();
  void drop_stale_events();
  void handle(const Event& event);
  void start(std::uint32_t slot);
  void start_alone(std::uint32_t slot);
  void wake_lone_latent(Line& line);
  void share();
  void enlist(std::uint32_t slot);
  void enlist_users(std::uint32_t resource);
  void gather_affected_lines();
  void solve_affected();
  bool enlist_disturbed();
  void enlist_disturbed(std::uint32_t resource, std::size_t solved);
  void set_rate(std::uint32_t slot, double rate, std::uint32_t held_by);
  void schedule_completion(std::uint32_t slot);
  void complete_at(std::uint32_t slot, SimTime due);
  bool stale(const Event& event);
  void begin_at(std::uint32_t slot);
  void begin(std::uint32_t slot);
  void complete(std::uint32_t slot);
  void join_lines(std::uint32_t slot);
  void leave_lines(std::uint32_t slot);
  void mark_dirty(std::uint32_t resource);
  [[nodiscard]] Proposal solution(std::size_t member) const;
  [[noreturn]] void report_stall() const;

  [[nodiscard]] Census take_census(const Recurring& recurring) const;
  [[nodiscard]] double remaining_now(const Slot& slot) const;
  [[nodiscard]] bool alone(const Slot& slot) const;
  [[nodiscard]] bool has_issuer_neighbour(const Line& line,
                                          std::vector<LineUser>::const_iterator place,
                                          Id<Issuer> issuer) const;

  [[nodiscard]] bool draws_now(const Slot& slot) const {
    return slot.state == State::kActive ||
           (slot.state == State::kLoneLatent && slot.updated <= now_);
  }

  [[nodiscard]] const Needs& needs(const Slot& slot) const {
    return needs_[slot.activity.demand.index()];
  }

  [[nodiscard]] std::span<const Draw> draws(const Slot& slot) const {
    const Needs& n = needs(slot);
    return {draws_.data() + n.first_draw, draws_.data() + n.end_draw};
  }

  [[nodiscard]] LineUser user_of(std::uint32_t slot, std::uint32_t draw) const;

  std::vector<Resource> resources_;
  std::vector<Issuer> issuers_;
  std::vector<Needs> needs_;
  std::vector<Draw> draws_;
  std::vector<Line> lines_;  // by resource
  Holding holding_;

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> fresh_;     // admitted at this instant, not yet started
  std::vector<std::uint32_t> dirty_;     // resources whose users changed at this instant
  std::vector<std::uint32_t> affected_;  // activities whose rates are being solved
  std::vector<std::uint32_t> affected_lines_;
  std::size_t closed_ = 0;           // affected activities whose lines are in affected_lines_
  std::vector<Proposal> proposals_;  // by affected activity: the solution last checked
  std::vector<Completion> completions_;
  MaxMinShare sharing_;
  EventQueue queue_;
  SimTime now_;
  std::uint64_t events_ = 0;
  std::uint64_t effort_ = 0;
  std::uint32_t stamp_ = 0;
  std::size_t live_ = 0;  // activities waiting or running
};

}  // namespace cairn::sim
