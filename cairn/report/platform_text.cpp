#include "cairn/report/platform_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cairn/base/quantity_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

constexpr std::size_t kClassesShown = 12;
constexpr std::size_t kRingsShown = 16;

std::string plural(platform::NodeKind kind, std::uint32_t count) {
  const std::string_view one = platform::to_text(kind);
  const char* const ending = one.ends_with("ch") ? "es" : "s";
  return fmt::format("{}{}", one, count == 1 ? "" : ending);
}

std::string nodes_line(const platform::Facts& facts) {
  std::string text;
  for (std::size_t k = 0; k < facts.nodes.size(); ++k) {
    if (facts.nodes[k] > 0) {
      text += fmt::format("{}{} {}",
                          text.empty() ? "" : ", ",
                          facts.nodes[k],
                          plural(static_cast<platform::NodeKind>(k), facts.nodes[k]));
    }
  }
  return text;
}

// "3: 8, 8 and 24 hops", equal ones counted: "64: 16 hops each".
std::string rings_line(const std::vector<std::uint32_t>& hops) {
  if (hops.empty()) {
    return "none";
  }
  if (std::ranges::all_of(hops, [&](std::uint32_t h) { return h == hops.front(); })) {
    return fmt::format(
        "{} of {} hops{}", hops.size(), hops.front(), hops.size() > 1 ? " each" : "");
  }
  const std::size_t shown = std::min(hops.size(), kRingsShown);
  return fmt::format(
      "{} of {}{} hops",
      hops.size(),
      fmt::join(hops.begin(), hops.begin() + static_cast<std::ptrdiff_t>(shown), "/"),
      shown < hops.size() ? "/..." : "");
}

std::string dims_line(const platform::Platform& platform) {
  return fmt::format("{} ({} routing{})",
                     fmt::join(platform.dims, " x "),
                     platform::to_text(platform.routing),
                     platform.shift_symmetric ? ", symmetric: one device stands for all" : "");
}

std::string link_classes(const platform::Platform& platform) {
  const std::vector<Column> columns{{.header = "links", .align = Align::kLeft, .widest = 40},
                                    {.header = "alike"},
                                    {.header = "bandwidth"},
                                    {.header = "latency"}};
  std::vector<std::vector<std::string>> rows;
  std::size_t left_out = 0;
  for (const platform::LinkClass& link_class : platform.graph.link_classes()) {
    if (link_class.count == 0) {
      continue;
    }
    if (rows.size() == kClassesShown) {
      ++left_out;
      continue;
    }
    rows.push_back({link_class.name,
                    std::to_string(link_class.count),
                    to_text(link_class.bandwidth),
                    to_text(link_class.latency)});
  }
  if (rows.empty()) {
    return "";
  }
  return "\n" + table_text(columns, rows) + more_text(left_out);
}

// Those of islands say so.
std::string protocols(const platform::Platform& platform) {
  if (platform.protocols.empty()) {
    return "";
  }
  const std::vector<Column> columns{{.header = "protocol", .align = Align::kLeft, .widest = 20},
                                    {.header = "carries", .align = Align::kLeft, .widest = 30},
                                    {.header = "start"},
                                    {.header = "latency"},
                                    {.header = "efficiency"},
                                    {.header = "copy"}};
  std::vector<std::vector<std::string>> rows;
  for (const platform::Protocol& each : platform.protocols) {
    rows.push_back({each.name + (each.island > 0 ? ", in islands" : ""),
                    each.ops.empty() ? "everything" : fmt::format("{}", fmt::join(each.ops, ", ")),
                    to_text(each.start),
                    to_text(each.latency),
                    fmt::format("{:.4g}", each.efficiency),
                    each.copy ? to_text(*each.copy) : "-"});
  }
  return "\n" + table_text(columns, rows);
}

}  // namespace

std::string platform_text(const platform::Platform& platform, const platform::Facts& facts) {
  constexpr const char* kTooLarge = "not computed: the platform is too large";
  std::string text = wrap_text(platform.name, 0) + "\n\n" + labelled("nodes", nodes_line(facts));
  text += labelled("links", std::to_string(facts.links));
  text += labelled("dimensions", dims_line(platform));
  text += labelled("rings", rings_line(facts.ring_hops));
  if (facts.idle_links) {
    text += labelled("idle links", fmt::format("{} that no ring uses", *facts.idle_links));
  }
  text += labelled("diameter",
                   facts.diameter ? fmt::format("{} {} between devices",
                                                *facts.diameter,
                                                *facts.diameter == 1 ? "link" : "links")
                                  : kTooLarge);
  text += labelled("bisection",
                   facts.bisection ? fmt::format("{} per direction ({})",
                                                 to_text(facts.bisection->bandwidth),
                                                 facts.bisection->method)
                                   : kTooLarge);
  if (facts.device_to_memory) {
    text += labelled("device to memory",
                     to_text(*facts.device_to_memory) + " from a device to its memory-nodes");
  }
  text += labelled("memory needed", to_text(facts.memory) + " in this program");
  return text + link_classes(platform) + protocols(platform);
}

}  // namespace cairn::report
