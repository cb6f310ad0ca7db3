#include "cairn/report/collective_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity_text.hpp"
#include "cairn/report/labelled.hpp"
#include "cairn/report/numbered.hpp"
#include "cairn/report/table.hpp"

namespace cairn::report {

namespace {

using explain::CollectiveResult;
using explain::LinkLoad;

constexpr std::size_t kLinksShown = 5;
constexpr std::size_t kLinkNameWidth = 40;
constexpr int kAllDigits = 15;

// labelled() for "ring 7 ms, direct 9 ms": lines break only behind a comma.
std::string list_line(std::string_view label, const std::string& value) {
  constexpr std::string_view kUnbroken = "\u00a0";
  std::string glued;
  for (const char letter : value) {
    const bool inside = letter == ' ' && !glued.ends_with(',');
    glued += inside ? kUnbroken : std::string_view(&letter, 1);
  }
  std::string text = labelled(label, glued);
  for (std::size_t at = 0; (at = text.find(kUnbroken, at)) != std::string::npos;) {
    text.replace(at, kUnbroken.size(), " ");
  }
  return text;
}

std::string title(const CollectiveResult& result) {
  return wrap_text(fmt::format("{} of {} among {} on {}",
                               comm::info(result.op).name,
                               to_text(result.size),
                               count(result.devices, "device", "devices"),
                               result.platform),
                   0);
}

std::string above_bound(const CollectiveResult& result) {
  if (result.lower_bound <= Seconds(0.0)) {
    return "";
  }
  const double above = result.time / result.lower_bound - 1.0;
  if (above < -5e-5) {
    return "the time is below it, which is a bug in cairn: please report it";
  }
  if (above < 5e-5) {
    return "reached";
  }
  return above < 1.0 ? fmt::format("the time is {:.3g} % above it", above * 100.0)
                     : fmt::format("the time is {} times as long", many(above + 1.0, 3));
}

std::string busiest_links(const std::vector<LinkLoad>& links) {
  const std::vector<Column> columns{
      {.header = "busiest links", .align = Align::kLeft, .widest = kLinkNameWidth},
      {.header = "alike"},
      {.header = "bandwidth"},
      {.header = "carried"},
      {.header = "busy", .align = Align::kLeft},
      {.header = ""}};
  std::vector<std::vector<std::string>> rows;
  Numbered numbered;  // cables between the same ends have the same name
  for (const LinkLoad& link : links) {
    if (rows.size() == kLinksShown || link.carried <= Bytes(0.0)) {
      break;
    }
    const bool named = link.is_link || link.of_endpoint;
    rows.push_back({numbered(named ? link.name : "injection of " + link.name),
                    std::to_string(link.members),
                    to_text(link.bandwidth),
                    to_text(link.carried),
                    bar(link.utilization),
                    fmt::format("{:.1f} %", link.utilization * 100.0)});
  }
  if (rows.empty()) {
    return "";
  }
  const auto used = static_cast<std::size_t>(
      std::ranges::count_if(links, [](const LinkLoad& link) { return link.carried > Bytes(0.0); }));
  return "\n" + table_text(columns, rows) + more_text(used - rows.size());
}

std::string simulated(const CollectiveResult& result) {
  const std::string ranks = result.simulated_ranks < result.devices
                                ? fmt::format("{} for {} devices",
                                              count(result.simulated_ranks, "class", "classes"),
                                              result.devices)
                                : fmt::format("all {}", count(result.devices, "device", "devices"));
  return ranks + ", " + count(result.events, "event", "events");
}

// "6 cores that move 478.1 GB/s, 450 GB/s of memory, paper accounting"
std::string endpoint_text(const comm::Endpoint& endpoint) {
  if (endpoint.executor == comm::Executor::kEngine) {
    return fmt::format("engine of {} and {}, {} of memory, {} accounting",
                       to_text(endpoint.area),
                       to_text(endpoint.power),
                       to_text(endpoint.memory),
                       enum_name(endpoint.accounting));
  }
  return fmt::format("{:.15g} cores that move {}, {} of memory, {} accounting",
                     endpoint.cores,
                     to_text(endpoint.cores_move),
                     to_text(endpoint.memory),
                     enum_name(endpoint.accounting));
}

// "98 % of the time, 3.2 MB of 4.194 MB in use at most, 7 + 1 + 1 + 7 state machines 45 % busy"
std::string engine_text(const CollectiveResult& result) {
  std::string machines;
  for (const explain::PartitionUse& partition : result.engine.partitions) {
    if (partition.machines > 0.0) {
      machines += fmt::format("{}{:.15g}", machines.empty() ? "" : " + ", partition.machines);
    }
  }
  return fmt::format(
      "{:.3g} % of the time, {} of {} in use at most, {} state machines {:.3g} % busy",
      result.engine.busy * 100.0,
      to_text(result.engine.peak),
      to_text(result.endpoint.engine.sram),
      machines,
      result.engine.machines_busy * 100.0);
}

std::string memory_text(const CollectiveResult& result) {
  const Bytes moved = result.read_per_device + result.written_per_device;
  return noted(fmt::format("{} read, {} written",
                           to_text(result.read_per_device),
                           to_text(result.written_per_device)),
               fmt::format("at {}", to_text(moved / result.time)));
}

std::vector<std::string> table_row(const CollectiveResult& result) {
  const bool takes_time = result.time > Seconds(0.0);
  const auto number = [](double value) {
    return value >= 1e9 ? many(value) : fmt::format("{:.2f}", value);
  };
  const auto if_timed = [&](double value) { return takes_time ? number(value) : "-"; };
  constexpr std::string_view kLink = "link bandwidth: ";  // said by the link's name alone
  const bool by_link = result.bound_by.starts_with(kLink);
  return {many(result.size.si(), kAllDigits),
          result.algorithm + (result.protocol.empty() ? "" : ", " + result.protocol),
          number(result.time.si() * 1e6),
          if_timed(result.algorithm_bandwidth.si() / 1e9),
          if_timed(result.bus_bandwidth.si() / 1e9),
          number(result.lower_bound.si() * 1e6),
          takes_time ? fmt::format("{:.1f}", result.lower_bound / result.time * 100.0) : "-",
          by_link ? result.bound_by.substr(kLink.size()) : result.bound_by};
}

}  // namespace

std::string collective_text(const CollectiveResult& result) {
  std::string text = title(result) + "\n\n" + labelled("time", to_text(result.time));
  if (result.time <= Seconds(0.0)) {
    return text + labelled("bound by", result.bound_by);
  }
  const double factor = comm::bus_factor(result.op, result.devices);
  text += labelled("bus bandwidth",
                   noted(to_text(result.bus_bandwidth),
                         fmt::format("{:.4g} x size / time, as NCCL defines it", factor)));
  text +=
      labelled("algorithm bandwidth", noted(to_text(result.algorithm_bandwidth), "size / time"));
  text += labelled("lower bound", noted(to_text(result.lower_bound), above_bound(result)));
  text += labelled("bound by", result.bound_by);
  text += labelled("algorithm", result.algorithm + ", " + count(result.chunks, "chunk", "chunks"));
  if (!result.chosen_because.empty()) {
    text += list_line("", result.chosen_because);
  }
  if (!result.protocol.empty()) {
    text += labelled("protocol", result.protocol);
  }
  text += labelled("sent per device",
                   noted(to_text(result.sent_per_device),
                         fmt::format("at {}", to_text(result.driven_bandwidth))));
  if (result.endpoint.executor != comm::Executor::kIdeal) {
    text += labelled("endpoint", endpoint_text(result.endpoint));
    text += labelled("memory per device", memory_text(result));
    if (!result.engine.partitions.empty()) {
      text += labelled("engine busy", engine_text(result));
    }
  }
  text += labelled("simulated", simulated(result));
  return text + busiest_links(result.links);
}

std::string collective_table(std::span<const CollectiveResult> results) {
  ensure(!results.empty(), "a table of no results");
  const CollectiveResult& first = results.front();
  std::vector<Column> columns{{.header = "size"},
                              {.header = "algorithm", .align = Align::kLeft, .widest = 18},
                              {.header = "time"},
                              {.header = "algbw"},
                              {.header = "busbw"},
                              {.header = "lower bound"},
                              {.header = "% of"},
                              {.header = "bound by", .align = Align::kLeft, .widest = 0}};
  std::vector<std::vector<std::string>> rows{
      {"(B)", "", "(us)", "(GB/s)", "(GB/s)", "(us)", "bound", ""}};
  for (const CollectiveResult& result : results) {
    rows.push_back(table_row(result));
  }
  // The last column takes what is left of the line.
  std::size_t used = 2;
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
    std::size_t width = text_width(columns[c].header);
    for (const auto& row : rows) {
      width = std::max(width, std::min(text_width(row[c]), columns[c].widest));
    }
    used += width + 2;
  }
  columns.back().widest = kLineWidth > used + 12 ? kLineWidth - used : 12;
  return wrap_text(fmt::format("{} among {} on {}",
                               comm::info(first.op).name,
                               count(first.devices, "device", "devices"),
                               first.platform),
                   0) +
         "\n\n" + table_text(columns, rows);
}

}  // namespace cairn::report
