// Cairn against SimGrid: the same messages over the same routes through SimGrid's flow model (CM02,
// no TCP effects): a message takes its latency, then its share of every link it crosses.
//
// Both divide links max-min. SimGrid gives a message a weight of one over its latency; Cairn gives
// messages of one collective equal shares. So the cases are such that messages that contend have
// equal latencies (dragonfly: all latency is in the devices' links), or that the busiest links
// never rest (all-to-all on grids), which makes the division among messages irrelevant.
//
//   peer_simgrid_test CASE   runs one case (SimGrid has one engine per process); fails beyond 1 %
//   peer_simgrid_test        runs all, each in a process of its own, and prints a table
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/program_builder.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/sim/simulate.hpp"

namespace {

namespace s4u = simgrid::s4u;
using namespace cairn;

constexpr double kTolerance = 0.01;

struct Case {
  std::string name;
  std::string platform;  // YAML; its routes must not split messages: SimGrid's cannot
  comm::Op op;
  std::string algorithm;
  int collectives = 1;  // that run side by side, all alike
};

std::vector<Case> cases() {
  using comm::Op;
  const std::string speeds = "\nbandwidth: 25 GB/s\nlatency: 500 ns\n";
  const std::string tree = "topology: fat_tree\ndims: [8, 8]\nrouting: shortest" + speeds;
  const std::string dragonfly =
      "topology: dragonfly\ngroups: 5\nrouters: 4\ndevices: 2\nglobal_links: 1\n"
      "bandwidth: 25 GB/s\nlatency: [500 ns, 0 ns, 0 ns]\n";
  const auto ring = [&](int devices) {
    return fmt::format("topology: ring\ndevices: {}{}", devices, speeds);
  };
  const auto torus = [&](const char* dims) {
    return fmt::format("topology: torus\ndims: {}{}", dims, speeds);
  };
  return {{"ring_16", ring(16), Op::kAllReduce, "ring"},
          {"ring_64", ring(64), Op::kAllReduce, "ring"},
          {"ring_256", ring(256), Op::kAllReduce, "ring"},
          {"torus_ring", torus("[8, 8]"), Op::kAllReduce, "ring"},
          {"torus_hierarchical", torus("[8, 8]"), Op::kAllReduce, "hierarchical"},
          {"fat_tree_ring", tree, Op::kAllReduce, "ring"},
          {"fat_tree_halving_doubling", tree, Op::kAllReduce, "halving_doubling"},
          {"dragonfly_all_to_all", dragonfly, Op::kAllToAll, "direct"},
          {"dragonfly_all_gather", dragonfly, Op::kAllGather, "halving_doubling"},
          {"torus_all_to_all", torus("[4, 4]"), Op::kAllToAll, "direct"},
          {"mesh_all_to_all", "topology: mesh\ndims: [4, 4]" + speeds, Op::kAllToAll, "direct"},
          {"two_collectives_on_a_ring", ring(16), Op::kAllReduce, "ring", 2}};
}

constexpr Bytes kSize{100e6};

// What both simulators are given.
struct Problem {
  platform::Platform platform;
  comm::Collective collective;
  comm::GroupLayout layout;
  comm::CollectiveSchedule schedule;
  int collectives = 1;

  explicit Problem(const Case& c)
      : platform(platform::read_platform(parse_config(c.platform, c.name), {})),
        collective{.op = c.op, .size = kSize, .group = {}, .root = 0, .weights = {}},
        layout(comm::make_group_layout(platform, {})),
        schedule(comm::find_algorithm(c.algorithm)->schedule(collective, layout)),
        collectives(c.collectives) {}

  Problem(const Problem&) = delete;  // the layout points to the platform
  Problem& operator=(const Problem&) = delete;
};

// Every device, every step, one chunk.
double cairn_seconds(const Problem& problem) {
  platform::Router router(problem.platform);
  comm::ProgramBuilder builder(router, comm::View::kEveryMember);
  for (int i = 0; i < problem.collectives; ++i) {
    builder.add(problem.collective, problem.layout, problem.schedule, {});
  }
  return sim::simulate(builder.take().program).end.since(SimTime{}).si();
}

platform::Route route_of(const Problem& problem,
                         platform::Router& router,
                         const comm::Message& message) {
  switch (message.path.kind) {
    case comm::Path::Kind::kLinks:
      return platform::along(problem.platform, problem.schedule.links[message.path.index]);
    case comm::Path::Kind::kRingStep:
      return router.ring_step(message.from, message.path.index, message.path.up);
    case comm::Path::Kind::kRouted:
      break;
  }
  const auto devices = problem.platform.graph.devices();
  return router.route(devices[message.from], devices[message.to]);
}

// Hosts, one link per direction of each cable, and the routes that messages take.
std::vector<s4u::Host*> build_platform(const Problem& problem) {
  s4u::NetZone* zone = s4u::create_full_zone("platform");
  std::vector<s4u::Host*> hosts;
  hosts.reserve(problem.platform.device_count());
  for (std::uint32_t rank = 0; rank < problem.platform.device_count(); ++rank) {
    hosts.push_back(zone->create_host(fmt::format("device {}", rank), 1e9)->seal());
  }
  const platform::Graph& graph = problem.platform.graph;
  std::vector<s4u::Link*> links;
  for (std::size_t l = 0; l < graph.links().size(); ++l) {
    const platform::LinkClass& link_class = graph.class_of(Id<platform::Link>(l));
    links.push_back(zone->create_link(fmt::format("link {}", l), link_class.bandwidth.si())
                        ->set_latency(link_class.latency.si())
                        ->set_sharing_policy(s4u::Link::SharingPolicy::SHARED)
                        ->seal());
  }
  platform::Router router(problem.platform);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> known;
  for (const comm::Part& part : problem.schedule.parts) {
    for (const comm::Message& message : part.messages) {
      std::vector<std::uint32_t> hops;
      std::vector<s4u::LinkInRoute> way;
      for (const platform::Hop& hop : route_of(problem, router, message).hops) {
        ensure(hop.share == 1.0, "a route that is split");
        hops.push_back(hop.link.value);
        way.emplace_back(links[hop.link.index()]);
      }
      const auto [entry, is_new] = known.try_emplace({message.from, message.to}, hops);
      ensure(entry->second == hops, "two routes between one pair of devices");
      if (is_new) {
        zone->add_route(hosts[message.from]->get_netpoint(),
                        hosts[message.to]->get_netpoint(),
                        nullptr,
                        nullptr,
                        way,
                        false);
      }
    }
  }
  zone->seal();
  return hosts;
}

// One device's part in one part of a collective: in each step it exchanges all its messages and
// waits for them.
class Rank {
 public:
  Rank(const comm::Part& part, std::string prefix, std::uint32_t self)
      : part_(part), prefix_(std::move(prefix)), self_(self) {}

  void operator()() const {
    static int payload = 0;
    void* received = nullptr;
    for (const comm::Phase& phase : part_.phases) {
      for (std::uint32_t step = 0; step < phase.steps; ++step) {
        std::vector<s4u::CommPtr> pending;
        for (std::uint32_t m = phase.first_message; m < phase.end_message; ++m) {
          const comm::Message& message = part_.messages[m];
          if (message.to == self_) {
            pending.push_back(mailbox(m)->get_async<void>(&received));
          }
          if (message.from == self_) {
            const double bytes = (kSize * (part_.share * message.share)).si();
            pending.push_back(
                mailbox(m)->put_async(&payload, static_cast<std::uint64_t>(std::llround(bytes))));
          }
        }
        s4u::Comm::wait_all(pending);
      }
    }
  }

 private:
  [[nodiscard]] s4u::Mailbox* mailbox(std::uint32_t message) const {
    return s4u::Mailbox::by_name(fmt::format("{} message {}", prefix_, message));
  }

  const comm::Part& part_;
  std::string prefix_;
  std::uint32_t self_;
};

double simgrid_seconds(const Problem& problem) {
  int argc = 2;
  std::string name = "simgrid_peer";
  std::string quiet = "--log=root.thresh:warning";
  std::array<char*, 3> argv{name.data(), quiet.data(), nullptr};
  s4u::Engine engine(&argc, argv.data());
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/TCP-gamma:0");
  s4u::Engine::set_config("network/crosstraffic:0");
  s4u::Engine::set_config("network/weight-S:0");
  s4u::Engine::set_config("network/latency-factor:1");
  s4u::Engine::set_config("network/bandwidth-factor:1");
  const std::vector<s4u::Host*> hosts = build_platform(problem);
  for (int c = 0; c < problem.collectives; ++c) {
    for (std::size_t part = 0; part < problem.schedule.parts.size(); ++part) {
      for (std::uint32_t rank = 0; rank < hosts.size(); ++rank) {
        s4u::Actor::create(
            "rank",
            hosts[rank],
            Rank(
                problem.schedule.parts[part], fmt::format("collective {} part {}", c, part), rank));
      }
    }
  }
  engine.run();
  return s4u::Engine::get_clock();
}

int run_case(const Case& c) {
  const Problem problem(c);
  const double ours = cairn_seconds(problem);
  const double theirs = simgrid_seconds(problem);
  const double difference = ours / theirs - 1.0;
  const bool close = std::abs(difference) < kTolerance;
  fmt::print("{:28} {:>13.9f} {:>13.9f} {:>+11.6f} %  {}\n",
             c.name,
             ours * 1e3,
             theirs * 1e3,
             100.0 * difference,
             close ? "" : "TOO FAR");
  std::fflush(stdout);
  return close ? 0 : 1;
}

int run_all() {
  int failed = 0;
  for (const Case& c : cases()) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      _exit(run_case(c));
    }
    int status = 0;
    waitpid(child, &status, 0);
    failed += status == 0 ? 0 : 1;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  fmt::print("{:28} {:>13} {:>13} {:>13}\n", "case", "Cairn (ms)", "SimGrid (ms)", "difference");
  if (argc < 2) {
    return run_all();
  }
  for (const Case& c : cases()) {
    if (c.name == argv[1]) {
      return run_case(c);
    }
  }
  fmt::print(stderr, "no case {}\n", argv[1]);
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
