#include "cairn/sim/passage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::sim {

namespace {

constexpr auto kNobody = static_cast<std::size_t>(-1);

}  // namespace

Passage::Passage(std::span<const Station> stations)
    : stations_(stations), places_(stations.size()) {
  for (const Station& station : stations) {
    owners_.resize(std::max(owners_.size(), std::size_t{station.owner} + 1));
  }
}

void Passage::advance_to(SimTime now) {
  now_ = now;
}

void Passage::enlist(std::uint32_t task, const PhaseProgram& program, std::vector<Turn> turns) {
  parties_.resize(std::max(parties_.size(), std::size_t{task} + 1));
  parties_[task] = {.priority = program.priority,
                    .issuer = program.issuer.value,
                    .started = now_,
                    .program = &program,
                    .chunks = program.chunks(),
                    .turns = std::move(turns)};
}

void Passage::request(const Visit& visit) {
  std::deque<Visit>& waiting = places_[visit.station.index()].waiting;
  waiting.push_back(visit);
  waiting.back().asked = now_;
  mark_changed(visit.station.value);
}

std::uint32_t Passage::number_of(std::uint32_t task, std::uint32_t chunk) const {
  const Party& party = parties_[task];
  ensure(chunk < party.numbered(), "a chunk on its way that was never let in");
  return party.numbers[chunk];
}

void Passage::give_back_room(Id<Station> station, double room) {
  Place& place = places_[station.index()];
  count_time(place);
  // Sums of amounts that are no exact binary fractions must not leave a residue.
  place.room = --place.chunks == 0 ? 0.0 : std::max(0.0, place.room - room);
  Owner& owner = owners_[stations_[station.index()].owner];
  if (--owner.chunks == 0) {
    owner.busy += now_.since(owner.since);
  }
  mark_changed(station.value);
}

void Passage::give_back_machine(Id<Station> station) {
  Place& place = places_[station.index()];
  count_time(place);
  place.machines -= 1.0;
  mark_changed(station.value);
}

std::span<const Visit> Passage::grant() {
  granted_.clear();
  while (!changed_.empty()) {
    const std::uint32_t station = changed_.back();
    changed_.pop_back();
    places_[station].changed = false;
    grant_at(station);
  }
  return granted_;
}

void Passage::grant_at(std::uint32_t station) {
  Place& place = places_[station];
  while (!place.waiting.empty()) {
    std::size_t next = kNobody;
    if (!stations_[station].in_turn) {
      next = next_as_they_come(place);
      if (!fits(station, place.waiting[next], {})) {
        return;
      }
    } else {
      next = next_in_turn(station);
    }
    if (next == kNobody) {
      next = next_without_number(station);
      if (next == kNobody || !fits_in_turn(station, place.waiting[next])) {
        return;
      }
      number(place.waiting[next].task);
      continue;
    }
    const Visit visit = place.waiting[next];
    place.waiting.erase(place.waiting.begin() + static_cast<std::ptrdiff_t>(next));
    take(station, visit);
    granted_.push_back(visit);
  }
}

bool Passage::is_of(const Ticket& ticket, const Visit& visit) {
  return ticket.task == visit.task && ticket.chunk == visit.chunk;
}

Passage::Turns::const_iterator Passage::find(const Turns& turns, const Visit& visit) {
  return std::ranges::find_if(turns, [&](const Ticket& ticket) { return is_of(ticket, visit); });
}

Passage::Ahead Passage::ahead_of(std::uint32_t station, const Visit& visit) const {
  const Place& place = places_[station];
  Ahead ahead;
  if (visit.moves) {
    for (const Ticket& other : place.room_turns) {
      if (is_of(other, visit) || !fits(station, visit, ahead)) {
        break;
      }
      ahead.room += other.room;
    }
  }
  if (visit.machine) {
    for (const Ticket& other : place.machine_turns) {
      if (is_of(other, visit) || !fits(station, visit, ahead)) {
        break;
      }
      ahead.machines += 1.0;
    }
  }
  return ahead;
}

bool Passage::fits_in_turn(std::uint32_t station, const Visit& visit) const {
  return fits(station, visit, {}) && fits(station, visit, ahead_of(station, visit));
}

// The first that came of those with a number that leave enough for lower ones.
std::size_t Passage::next_in_turn(std::uint32_t station) const {
  const Place& place = places_[station];
  for (std::size_t i = 0; i < place.waiting.size(); ++i) {
    const Visit& visit = place.waiting[i];
    if ((!visit.enters || visit.chunk < parties_[visit.task].numbered()) &&
        fits_in_turn(station, visit)) {
      return i;
    }
  }
  return kNobody;
}

std::size_t Passage::next_as_they_come(const Place& place) const {
  const auto first =
      std::ranges::min_element(place.waiting, [this](const Visit& a, const Visit& b) {
        const std::int32_t of_a = parties_[a.task].priority;
        const std::int32_t of_b = parties_[b.task].priority;
        if (of_a != of_b) {
          return of_a > of_b;
        }
        return a.asked != b.asked ? a.asked < b.asked : goes_before(a, b, GrantOrder::kFirstIn);
      });
  return static_cast<std::size_t>(first - place.waiting.begin());
}

std::size_t Passage::next_without_number(std::uint32_t station) const {
  const Place& place = places_[station];
  std::size_t best = kNobody;
  for (std::size_t i = 0; i < place.waiting.size(); ++i) {
    const Visit& visit = place.waiting[i];
    if (visit.enters && visit.chunk == parties_[visit.task].numbered() &&
        (best == kNobody || goes_before(visit, place.waiting[best], stations_[station].order))) {
      best = i;
    }
  }
  return best;
}

bool Passage::goes_before(const Visit& a, const Visit& b, GrantOrder order) const {
  const Party& of_a = parties_[a.task];
  const Party& of_b = parties_[b.task];
  if (of_a.priority != of_b.priority) {
    return of_a.priority > of_b.priority;
  }
  if (of_a.started != of_b.started) {
    return (of_a.started < of_b.started) != (order == GrantOrder::kLastIn);
  }
  if (of_a.issuer != of_b.issuer) {
    return of_a.issuer < of_b.issuer;
  }
  // Parts of one collective keep step: the one goes first that is less far.
  const std::uint64_t so_far_a = std::uint64_t{a.chunk} * of_b.chunks;
  const std::uint64_t so_far_b = std::uint64_t{b.chunk} * of_a.chunks;
  return so_far_a != so_far_b ? so_far_a < so_far_b : a.task < b.task;
}

bool Passage::fits(std::uint32_t station, const Visit& visit, const Ahead& ahead) const {
  const Station& capacity = stations_[station];
  const Place& place = places_[station];
  const double slack = visit.room * 1e-9;  // of sums
  return (!visit.moves || place.room + ahead.room + visit.room <= capacity.room + slack) &&
         (!visit.machine || place.machines + ahead.machines + 1.0 <= capacity.machines);
}

// The next chunk of the task takes its turn wherever its ranks will come.
void Passage::number(std::uint32_t task) {
  Party& party = parties_[task];
  const std::uint32_t chunk = party.numbered();
  party.numbers.push_back(next_number_++);
  const double bytes = party.program->chunk_bytes(chunk);
  for (const Turn& turn : party.turns) {
    if (!stations_[turn.station.index()].in_turn) {
      continue;
    }
    Place& place = places_[turn.station.index()];
    const Ticket ticket{.task = task, .chunk = chunk, .room = turn.room * bytes};
    if (turn.moves) {
      place.room_turns.push_back(ticket);
    }
    if (turn.machine) {
      place.machine_turns.push_back(ticket);
    }
    mark_changed(turn.station.value);
  }
}

void Passage::take(std::uint32_t station, const Visit& visit) {
  Place& place = places_[station];
  count_time(place);
  const bool in_turn = stations_[station].in_turn;
  if (visit.moves) {
    Owner& owner = owners_[stations_[station].owner];
    owner.since = owner.chunks == 0 ? now_ : owner.since;
    ++owner.chunks;
    ++place.chunks;
    place.room += visit.room;
    place.use.peak_room = std::max(place.use.peak_room, place.room);
    if (in_turn) {
      place.room_turns.erase(find(place.room_turns, visit));
    }
    if (!visit.enters) {
      give_back_room(visit.leaves, visit.leaves_room);
    }
  }
  if (visit.machine) {
    place.machines += 1.0;
    place.use.peak_machines = std::max(place.use.peak_machines, place.machines);
    if (in_turn) {
      place.machine_turns.erase(find(place.machine_turns, visit));
    }
  }
}

void Passage::count_time(Place& place) const {
  const double seconds = now_.since(place.updated).si();
  place.use.room_seconds += place.room * seconds;
  place.use.machine_seconds += place.machines * seconds;
  place.updated = now_;
}

void Passage::mark_changed(std::uint32_t station) {
  if (!places_[station].changed) {
    places_[station].changed = true;
    changed_.push_back(station);
  }
}

StationUse Passage::use(Id<Station> station) const {
  Place place = places_[station.index()];
  count_time(place);
  return place.use;
}

std::vector<Seconds> Passage::busy() const {
  std::vector<Seconds> busy;
  busy.reserve(owners_.size());
  for (const Owner& owner : owners_) {
    busy.push_back(owner.busy + (owner.chunks > 0 ? now_.since(owner.since) : Seconds(0.0)));
  }
  return busy;
}

std::string Passage::describe() const {
  constexpr std::size_t kMost = 8;
  std::string text;
  std::size_t told = 0;
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const Place& place = places_[s];
    const Station& station = stations_[s];
    for (const Visit& visit : place.waiting) {
      if (told++ >= kMost) {
        continue;
      }
      text += fmt::format("\n  chunk {} of task {} at rank {} waits for {}",
                          visit.chunk,
                          visit.task,
                          visit.rank,
                          station.name);
      const Ahead ahead =
          station.in_turn ? ahead_of(static_cast<std::uint32_t>(s), visit) : Ahead{};
      if (visit.moves) {
        text += fmt::format(": {:g} B of room, {:g} of {:g} free",
                            visit.room,
                            station.room - place.room - ahead.room,
                            station.room);
      }
      if (visit.machine) {
        text += fmt::format(": a machine, {:g} of {:g} free",
                            station.machines - place.machines - ahead.machines,
                            station.machines);
      }
    }
  }
  return told > kMost ? text + fmt::format("\n  and {} more", told - kMost) : text;
}

}  // namespace cairn::sim
