#include "cairn/platform/shortest_paths.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cairn/base/failure.hpp"

namespace cairn::platform {

void ShortestPaths::Search::start(const Graph& graph, Id<Node> end, Id<Node> other_end) {
  stamp_.resize(graph.nodes().size(), 0);
  distance_.resize(graph.nodes().size());
  ++search_;
  for (; next_ < end_; ++next_) {
    waiting_[next_].clear();
  }
  next_ = 0;
  settled_.clear();
  const auto out = graph.links_out(other_end);
  gate_ = out.empty() ? other_end : graph.link(out.front()).to;
  set(end, 0);
  end_ = 1;
  waiting_.resize(std::max<std::size_t>(waiting_.size(), end_));
  waiting_.front().push_back(end);
}

void ShortestPaths::Search::set(Id<Node> node, std::uint32_t distance) {
  stamp_[node.index()] = search_;
  distance_[node.index()] = distance;
}

void ShortestPaths::Search::advance(const ShortestPaths& paths) {
  const Graph& graph = paths.graph_;
  here_.clear();
  here_.swap(waiting_[next_]);
  for (const Id<Node> node : here_) {
    if (distance(node) != next_) {
      continue;  // reached on a shorter path meanwhile
    }
    settled_.push_back(node);
    const bool may_end = next_ == 0 || node == gate_;
    for (const Id<Link> link : may_end ? graph.links_out(node) : paths.onward(node)) {
      const Id<Node> neighbour = graph.link(link).to;
      const std::uint32_t far = next_ + graph.class_of(backwards_ ? reverse(link) : link).cost;
      if (far < distance(neighbour)) {
        set(neighbour, far);
        end_ = std::max(end_, far + 1);
        waiting_.resize(std::max<std::size_t>(waiting_.size(), end_));
        waiting_[far].push_back(neighbour);
      }
    }
  }
  ++next_;
}

ShortestPaths::ShortestPaths(const Graph& graph) : graph_(graph) {
  for (const LinkClass& link_class : graph.link_classes()) {
    highest_cost_ = std::max(highest_cost_, link_class.cost);
  }
  const auto has_one_neighbour = [&](Id<Node> node) {
    const auto out = graph.links_out(node);
    return std::ranges::all_of(
        out, [&](Id<Link> link) { return graph.link(link).to == graph.link(out.front()).to; });
  };
  std::vector<bool> ends_paths;
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    ends_paths.push_back(has_one_neighbour(Id<Node>(n)));
  }
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    first_onward_.push_back(static_cast<std::uint32_t>(onward_.size()));
    std::ranges::copy_if(graph.links_out(Id<Node>(n)),
                         std::back_inserter(onward_),
                         [&](Id<Link> link) { return !ends_paths[graph.link(link).to.index()]; });
  }
  first_onward_.push_back(static_cast<std::uint32_t>(onward_.size()));
}

std::span<const Id<Link>> ShortestPaths::onward(Id<Node> node) const {
  const std::uint32_t first = first_onward_[node.index()];
  return std::span(onward_).subspan(first, first_onward_[node.index() + 1] - first);
}

// The length is known once no unsettled node can be on a shorter path. The searches go on until the
// distances that both have settled span the longest link, so that every path has a node there.
void ShortestPaths::find(Id<Node> from, Id<Node> to) {
  from_.start(graph_, from, to);
  to_.start(graph_, to, from);
  to_.advance(*this);  // trace_back() starts at nodes that both have settled
  std::uint32_t length = from == to ? 0 : kUnreached;
  while (std::uint64_t{from_.next()} + to_.next() < std::uint64_t{length} + highest_cost_ + 1) {
    const bool forwards =
        to_.is_finished() || (!from_.is_finished() && from_.effort() <= to_.effort());
    Search& search = forwards ? from_ : to_;
    if (search.is_finished()) {
      break;
    }
    const Search& other = forwards ? to_ : from_;
    const std::size_t known = search.settled().size();
    search.advance(*this);
    for (std::size_t i = known; i < search.settled().size(); ++i) {
      const Id<Node> node = search.settled()[i];
      if (other.distance(node) != kUnreached) {
        length = std::min(length, search.distance(node) + other.distance(node));
      }
    }
  }
  ensure(length != kUnreached, "a route between nodes that are not connected");
  trace_back(length);
}

void ShortestPaths::trace_back(std::uint32_t length) {
  std::vector<std::pair<Id<Node>, std::uint32_t>> on_path;  // with the distance from the start
  for (const Id<Node> node : to_.settled()) {
    const std::uint32_t far = from_.distance(node);
    if (from_.is_settled(node) && far + to_.distance(node) == length) {
      on_path.emplace_back(node, far);
    }
  }
  for (std::size_t i = 0; i < on_path.size(); ++i) {
    const auto [node, far] = on_path[i];
    for (const Id<Link> link : graph_.links_out(node)) {
      const Id<Node> before = graph_.link(link).to;
      const std::uint32_t nearer = from_.distance(before);
      if (from_.is_settled(before) && !to_.is_settled(before) &&
          nearer + graph_.class_of(reverse(link)).cost == far) {
        to_.set(before, length - nearer);
        from_.set(before, kUnreached);  // not again
        on_path.emplace_back(before, nearer);
      }
    }
  }
}

bool ShortestPaths::leads_nearer(Id<Link> link) const {
  const Link& ends = graph_.link(link);
  return std::uint64_t{to_.distance(ends.to)} + graph_.class_of(link).cost ==
         to_.distance(ends.from);
}

}  // namespace cairn::platform
