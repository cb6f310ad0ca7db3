#include "cairn/sim/buffer_admission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::sim {

namespace {

constexpr auto kNone = static_cast<std::size_t>(-1);

}  // namespace

BufferAdmission::BufferAdmission(std::span<const Station> stations)
    : stations_(stations), places_(stations.size()) {
  for (const Station& station : stations) {
    owners_.resize(std::max(owners_.size(), std::size_t{station.owner} + 1));
  }
}

void BufferAdmission::advance_to(SimTime now) {
  now_ = now;
}

void BufferAdmission::enlist(std::uint32_t task,
                             const PhaseProgram& program,
                             std::vector<Need> needs) {
  programs_.resize(std::max(programs_.size(), std::size_t{task} + 1));
  programs_[task] = {.priority = program.priority,
                     .issuer = program.issuer.value,
                     .started = now_,
                     .program = &program,
                     .chunks = program.chunks(),
                     .needs = std::move(needs)};
}

void BufferAdmission::request(const Request& request) {
  std::deque<Request>& waiting = places_[request.station.index()].waiting;
  waiting.push_back(request);
  waiting.back().asked = now_;
  mark_changed(request.station.value);
}

std::uint32_t BufferAdmission::number_of(std::uint32_t task, std::uint32_t chunk) const {
  const RunningProgram& program = programs_[task];
  ensure(chunk < program.numbered(), "a chunk in flight that was never admitted");
  return program.numbers[chunk];
}

void BufferAdmission::release_room(Id<Station> station, double room) {
  Place& place = places_[station.index()];
  count_time(place);
  // Sums of amounts that are not exact binary fractions must not leave a residue.
  place.room = --place.chunks == 0 ? 0.0 : std::max(0.0, place.room - room);
  Owner& owner = owners_[stations_[station.index()].owner];
  if (--owner.chunks == 0) {
    owner.busy += now_.since(owner.since);
  }
  mark_changed(station.value);
}

void BufferAdmission::release_machine(Id<Station> station) {
  Place& place = places_[station.index()];
  count_time(place);
  place.machines -= 1.0;
  mark_changed(station.value);
}

std::span<const Request> BufferAdmission::grant() {
  granted_.clear();
  while (!changed_.empty()) {
    const std::uint32_t station = changed_.back();
    changed_.pop_back();
    places_[station].changed = false;
    grant_at(station);
  }
  return granted_;
}

void BufferAdmission::grant_at(std::uint32_t station) {
  Place& place = places_[station];
  while (!place.waiting.empty()) {
    std::size_t next = kNone;
    if (!stations_[station].in_turn) {
      next = first_come(place);
      if (!fits(station, place.waiting[next], {})) {
        return;
      }
    } else {
      next = next_in_order(station);
    }
    if (next == kNone) {
      next = next_without_number(station);
      if (next == kNone || !fits_in_order(station, place.waiting[next])) {
        return;
      }
      assign_number(place.waiting[next].task);
      continue;
    }
    const Request request = place.waiting[next];
    place.waiting.erase(place.waiting.begin() + static_cast<std::ptrdiff_t>(next));
    take(station, request);
    granted_.push_back(request);
  }
}

bool BufferAdmission::is_of(const Ticket& ticket, const Request& request) {
  return ticket.task == request.task && ticket.chunk == request.chunk;
}

BufferAdmission::Tickets::const_iterator BufferAdmission::find(const Tickets& tickets,
                                                               const Request& request) {
  return std::ranges::find_if(tickets,
                              [&](const Ticket& ticket) { return is_of(ticket, request); });
}

BufferAdmission::Ahead BufferAdmission::ahead_of(std::uint32_t station,
                                                 const Request& request) const {
  const Place& place = places_[station];
  Ahead ahead;
  if (request.takes_room) {
    for (const Ticket& other : place.room_tickets) {
      if (is_of(other, request) || !fits(station, request, ahead)) {
        break;
      }
      ahead.room += other.room;
    }
  }
  if (request.machine) {
    for (const Ticket& other : place.machine_tickets) {
      if (is_of(other, request) || !fits(station, request, ahead)) {
        break;
      }
      ahead.machines += 1.0;
    }
  }
  return ahead;
}

bool BufferAdmission::fits_in_order(std::uint32_t station, const Request& request) const {
  return fits(station, request, {}) && fits(station, request, ahead_of(station, request));
}

// The earliest request with a number that leaves enough for lower numbers.
std::size_t BufferAdmission::next_in_order(std::uint32_t station) const {
  const Place& place = places_[station];
  for (std::size_t i = 0; i < place.waiting.size(); ++i) {
    const Request& request = place.waiting[i];
    if ((!request.enters || request.chunk < programs_[request.task].numbered()) &&
        fits_in_order(station, request)) {
      return i;
    }
  }
  return kNone;
}

std::size_t BufferAdmission::first_come(const Place& place) const {
  const auto first =
      std::ranges::min_element(place.waiting, [this](const Request& a, const Request& b) {
        const std::int32_t of_a = programs_[a.task].priority;
        const std::int32_t of_b = programs_[b.task].priority;
        if (of_a != of_b) {
          return of_a > of_b;
        }
        return a.asked != b.asked ? a.asked < b.asked : precedes(a, b, GrantOrder::kFirstIn);
      });
  return static_cast<std::size_t>(first - place.waiting.begin());
}

std::size_t BufferAdmission::next_without_number(std::uint32_t station) const {
  const Place& place = places_[station];
  std::size_t best = kNone;
  for (std::size_t i = 0; i < place.waiting.size(); ++i) {
    const Request& request = place.waiting[i];
    if (request.enters && request.chunk == programs_[request.task].numbered() &&
        (best == kNone || precedes(request, place.waiting[best], stations_[station].order))) {
      best = i;
    }
  }
  return best;
}

bool BufferAdmission::precedes(const Request& a, const Request& b, GrantOrder order) const {
  const RunningProgram& of_a = programs_[a.task];
  const RunningProgram& of_b = programs_[b.task];
  if (of_a.priority != of_b.priority) {
    return of_a.priority > of_b.priority;
  }
  if (of_a.started != of_b.started) {
    return (of_a.started < of_b.started) != (order == GrantOrder::kLastIn);
  }
  if (of_a.issuer != of_b.issuer) {
    return of_a.issuer < of_b.issuer;
  }
  // Parts of one collective alternate: the one with the smaller part of its chunks admitted first.
  const std::uint64_t progress_a = std::uint64_t{a.chunk} * of_b.chunks;
  const std::uint64_t progress_b = std::uint64_t{b.chunk} * of_a.chunks;
  return progress_a != progress_b ? progress_a < progress_b : a.task < b.task;
}

bool BufferAdmission::fits(std::uint32_t station,
                           const Request& request,
                           const Ahead& ahead) const {
  const Station& capacity = stations_[station];
  const Place& place = places_[station];
  const double slack = request.room * 1e-9;  // for rounding of sums
  return (!request.takes_room || place.room + ahead.room + request.room <= capacity.room + slack) &&
         (!request.machine || place.machines + ahead.machines + 1.0 <= capacity.machines);
}

// Numbers the next chunk of the task and reserves its place at every station that its ranks pass.
void BufferAdmission::assign_number(std::uint32_t task) {
  RunningProgram& program = programs_[task];
  const std::uint32_t chunk = program.numbered();
  program.numbers.push_back(next_number_++);
  const double bytes = program.program->chunk_bytes(chunk);
  for (const Need& need : program.needs) {
    if (!stations_[need.station.index()].in_turn) {
      continue;
    }
    Place& place = places_[need.station.index()];
    const Ticket ticket{.task = task, .chunk = chunk, .room = need.room * bytes};
    if (need.takes_room) {
      place.room_tickets.push_back(ticket);
    }
    if (need.machine) {
      place.machine_tickets.push_back(ticket);
    }
    mark_changed(need.station.value);
  }
}

void BufferAdmission::take(std::uint32_t station, const Request& request) {
  Place& place = places_[station];
  count_time(place);
  const bool in_turn = stations_[station].in_turn;
  if (request.takes_room) {
    Owner& owner = owners_[stations_[station].owner];
    owner.since = owner.chunks == 0 ? now_ : owner.since;
    ++owner.chunks;
    ++place.chunks;
    place.room += request.room;
    place.use.peak_room = std::max(place.use.peak_room, place.room);
    if (in_turn) {
      place.room_tickets.erase(find(place.room_tickets, request));
    }
    if (!request.enters) {
      release_room(request.leaves, request.leaves_room);
    }
  }
  if (request.machine) {
    place.machines += 1.0;
    place.use.peak_machines = std::max(place.use.peak_machines, place.machines);
    if (in_turn) {
      place.machine_tickets.erase(find(place.machine_tickets, request));
    }
  }
}

void BufferAdmission::count_time(Place& place) const {
  const double seconds = now_.since(place.updated).si();
  place.use.room_seconds += place.room * seconds;
  place.use.machine_seconds += place.machines * seconds;
  place.updated = now_;
}

void BufferAdmission::mark_changed(std::uint32_t station) {
  if (!places_[station].changed) {
    places_[station].changed = true;
    changed_.push_back(station);
  }
}

StationUse BufferAdmission::use(Id<Station> station) const {
  Place place = places_[station.index()];
  count_time(place);
  return place.use;
}

std::vector<Seconds> BufferAdmission::busy() const {
  std::vector<Seconds> busy;
  busy.reserve(owners_.size());
  for (const Owner& owner : owners_) {
    busy.push_back(owner.busy + (owner.chunks > 0 ? now_.since(owner.since) : Seconds(0.0)));
  }
  return busy;
}

std::string BufferAdmission::describe() const {
  constexpr std::size_t kMax = 8;
  std::string text;
  std::size_t shown = 0;
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const Place& place = places_[s];
    const Station& station = stations_[s];
    for (const Request& request : place.waiting) {
      if (shown++ >= kMax) {
        continue;
      }
      text += fmt::format("\n  chunk {} of task {} at rank {} waits for {}",
                          request.chunk,
                          request.task,
                          request.rank,
                          station.name);
      const Ahead ahead =
          station.in_turn ? ahead_of(static_cast<std::uint32_t>(s), request) : Ahead{};
      if (request.takes_room) {
        text += fmt::format(": {:g} B of room, {:g} of {:g} free",
                            request.room,
                            station.room - place.room - ahead.room,
                            station.room);
      }
      if (request.machine) {
        text += fmt::format(": a machine, {:g} of {:g} free",
                            station.machines - place.machines - ahead.machines,
                            station.machines);
      }
    }
  }
  return shown > kMax ? text + fmt::format("\n  and {} more", shown - kMax) : text;
}

}  // namespace cairn::sim
