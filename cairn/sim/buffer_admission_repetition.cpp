// The part of stations in skipping periods (repetition.hpp).
#include <algorithm>

#include "cairn/sim/buffer_admission.hpp"

namespace cairn::sim {

void BufferAdmission::append_state(const ChunksByTask& recurring, StateImage& image) const {
  const auto recurs = [&](std::uint32_t task) { return recurring.contains(task); };
  const auto add_chunk = [&](std::uint32_t task, std::uint32_t chunk) {
    image.add(std::uint64_t{task} << 32U |
              (recurs(task) ? chunk - recurring.at(task).oldest : chunk));
  };
  for (std::size_t s = 0; s < places_.size(); ++s) {
    const Place& place = places_[s];
    image.add(std::uint64_t{place.chunks});
    image.add(place.room);
    image.add(place.machines);
    for (const Tickets* tickets : {&place.room_tickets, &place.machine_tickets}) {
      image.add(std::uint64_t{tickets->size()});
      for (const Ticket& ticket : *tickets) {
        add_chunk(ticket.task, ticket.chunk);
        image.add(ticket.room);
      }
    }
    image.add(std::uint64_t{place.waiting.size()});
    for (const Request& request : place.waiting) {
      add_chunk(request.task, request.chunk);
      image.add(std::uint64_t{request.rank} << 1U | (request.enters ? 1U : 0U));
      if (!stations_[s].in_turn) {
        image.add(request.asked, recurs(request.task) ? now_ : SimTime{});
      }
    }
    const StationUse used = use(Id<Station>(s));
    image.counts.push_back(used.room_seconds);
    image.counts.push_back(used.machine_seconds);
  }
  for (const Seconds time : busy()) {
    image.counts.push_back(time.si());
  }
  image.counts.push_back(next_number_);
  for (const auto& [task, chunks] : recurring) {
    if (task < programs_.size() && programs_[task].program != nullptr) {
      const std::vector<std::uint32_t>& numbers = programs_[task].numbers;
      image.add(std::uint64_t{numbers.size() - chunks.oldest});
      for (std::size_t chunk = chunks.oldest; chunk < numbers.size(); ++chunk) {
        image.add(std::uint64_t{next_number_ - numbers[chunk]});
      }
    }
  }
}

void BufferAdmission::skip(const ChunksByTask& recurring, const Skip& skip, Growth& growth) {
  const SimTime now = skip.move(now_);
  const auto passed = [&](std::uint32_t task) {
    const auto chunks = recurring.find(task);
    return chunks == recurring.end() ? 0 : chunks->second.passed;
  };
  for (Place& place : places_) {
    for (Tickets* tickets : {&place.room_tickets, &place.machine_tickets}) {
      for (Ticket& ticket : *tickets) {
        ticket.chunk += passed(ticket.task);
      }
    }
    for (Request& request : place.waiting) {
      if (const auto chunks = recurring.find(request.task); chunks != recurring.end()) {
        request.chunk += chunks->second.passed;
        request.slot = request.chunk % chunks->second.slots;
        request.asked = skip.move(request.asked);
      }
    }
    count_time(place);
    place.updated = now;
    place.use.room_seconds += growth.next();
    place.use.machine_seconds += growth.next();
  }
  for (Owner& owner : owners_) {
    if (owner.chunks > 0) {
      owner.busy += now_.since(owner.since);
      owner.since = now;
    }
    owner.busy += Seconds(growth.next());
  }
  const std::uint32_t admitted = growth.next_number();
  next_number_ += admitted;
  for (const auto& [task, chunks] : recurring) {
    if (task < programs_.size() && programs_[task].program != nullptr) {
      std::vector<std::uint32_t>& numbers = programs_[task].numbers;
      numbers.resize(numbers.size() + chunks.passed);
      for (std::size_t chunk = numbers.size(); chunk-- > chunks.oldest + chunks.passed;) {
        numbers[chunk] = numbers[chunk - chunks.passed] + admitted;
      }
    }
  }
  now_ = now;
}

}  // namespace cairn::sim
