// Every algorithm, operation and device count: bytes are conserved, no time is below the bound.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cairn/comm/algorithm.hpp"
#include "cairn/platform/route.hpp"
#include "tests/physics/support.hpp"

namespace cairn {
namespace {

std::vector<platform::Platform> platforms(std::uint32_t n) {
  const std::string count = std::to_string(n);
  std::vector<std::string> texts{"ring:" + count + "@25GB/s,500ns",
                                 "switch:" + count + "@25GB/s,500ns",
                                 "fully_connected:" + count + "@25GB/s,500ns",
                                 "torus:" + count + "x2@50GB/s,25GB/s,100ns,500ns",
                                 "mesh:" + count + "@25GB/s,500ns"};
  if (n <= 5) {
    texts.push_back("torus:2x3x" + count + "@50GB/s,25GB/s,25GB/s,100ns");
    texts.push_back("mesh:3x" + count + "@25GB/s,500ns");
  }
  if (n == 8) {
    texts.emplace_back("cube_mesh@25GB/s,500ns");
  }
  std::vector<platform::Platform> all;
  all.reserve(texts.size());
  for (const std::string& text : texts) {
    all.push_back(platform_of(text));
  }
  return all;
}

// Bytes on links if every message takes its route, hop by hop.
Bytes bytes_on_links(const comm::Collective& collective,
                     const comm::GroupLayout& layout,
                     const comm::Algorithm& algorithm) {
  const comm::CollectiveSchedule schedule = algorithm.schedule(collective, layout);
  platform::Router router(*layout.platform);
  const auto devices = layout.platform->graph.devices();
  double total = 0.0;
  for (const comm::Part& part : schedule.parts) {
    for (const comm::Phase& phase : part.phases) {
      for (std::uint32_t m = phase.first_message; m < phase.end_message; ++m) {
        const comm::Message& message = part.messages[m];
        const std::uint32_t from = layout.device(message.from);
        platform::Route route;
        switch (message.path.kind) {
          case comm::Path::Kind::kRouted:
            route = router.route(devices[from], devices[layout.device(message.to)]);
            break;
          case comm::Path::Kind::kRingStep:
            route = router.ring_step(from, message.path.index, message.path.up);
            break;
          case comm::Path::Kind::kLinks:
            route = platform::along(*layout.platform, schedule.links[message.path.index]);
            break;
        }
        for (const platform::Hop& hop : route.hops) {
          total += part.share * message.share * phase.steps * hop.share;
        }
      }
    }
  }
  return collective.size * total;
}

void expect_physical(const comm::Collective& collective,
                     const comm::GroupLayout& layout,
                     const comm::Algorithm& algorithm) {
  CollectiveOptions options{.algorithm = std::string(algorithm.name), .chunks = 2};
  const Bytes expected = bytes_on_links(collective, layout, algorithm);
  for (const bool fold : {false, true}) {
    options.fold = fold;
    const auto result = run(*layout.platform, collective, options);

    SCOPED_TRACE(layout.platform->name + " " + result.algorithm + " " +
                 std::string(comm::info(collective.op).name) + (fold ? " folded" : ""));
    EXPECT_GE(result.time, result.lower_bound * (1.0 - 1e-9));
    EXPECT_LT(result.time, 1000.0 * result.lower_bound + Seconds(1e-3));
    EXPECT_NEAR(traffic_of_links(result) / expected, 1.0, 1e-9);
    for (const explain::LinkLoad& load : result.links) {
      EXPECT_LE(load.utilization, 1.0 + 1e-9) << load.name;
    }
  }
}

TEST(EveryCollective, ConservesBytesAndIsNeverBelowTheLowerBound) {
  for (std::uint32_t n = 2; n <= 17; ++n) {
    for (const platform::Platform& platform : platforms(n)) {
      const comm::GroupLayout layout = comm::make_group_layout(platform, {});
      for (const comm::Algorithm* algorithm : comm::algorithms()) {
        for (const comm::OpInfo& op : comm::ops()) {
          // A size that no count of devices divides.
          if (algorithm->supports(op.op, layout)) {
            expect_physical({.op = op.op,
                             .size = Bytes(1000003.0),
                             .group = {},
                             .root = op.rooted ? n / 2 : 0,
                             .weights = {}},
                            layout,
                            *algorithm);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace cairn
