// cairn list: everything available by name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/comm/collective.hpp"
#include "cairn/comm/endpoint.hpp"
#include "cairn/model/layer_types.hpp"
#include "cairn/model/parse.hpp"
#include "cairn/plan/strategy.hpp"
#include "cairn/platform/topology.hpp"
#include "cairn/report/document.hpp"
#include "cairn/tech/library.hpp"

namespace cairn::app {

namespace {

struct Item {
  std::string kind{};  // "platforms"
  std::string name{};
  std::string description{};
  std::vector<std::pair<std::string, std::string>> details{};  // further keys of the JSON object
};

using Items = std::vector<Item>;

// NAME.yaml files in the folder of that kind.
Items files_of(const char* kind) {
  Items items;
  for (const NamedEntry& entry : list_named(data_folders(kind))) {
    items.push_back({kind, entry.name, entry.description, {{"file", entry.file.string()}}});
  }
  return items;
}

Items designs() {
  return files_of("designs");
}

Items studies() {
  return files_of("studies");
}

Items searches() {
  return files_of("searches");
}

Items models() {
  return files_of("models");
}

Items chips() {
  return files_of("chips");
}

Items technologies() {
  Items items;
  for (const tech::Kind& kind : tech::kinds()) {
    for (const NamedEntry& entry :
         list_named(tech::folders_of(kind.folder, data_folders("tech")))) {
      items.push_back({"technologies",
                       entry.name,
                       fmt::format("{}: {}", kind.folder, entry.description),
                       {{"category", std::string(kind.folder)},
                        {"reference", kind.reference()},
                        {"file", entry.file.string()}}});
    }
  }
  return items;
}

Items devices() {
  return files_of("devices");
}

// Entries of a table with name, doc and parameter reference.
template <class Table>
Items described(const char* kind, const Table& table) {
  Items items;
  for (const auto& entry : table) {
    items.push_back({kind,
                     std::string(entry.name),
                     std::string(entry.doc),
                     {{"reference", entry.reference()}}});
  }
  return items;
}

Items networks() {
  return described("networks", model::networks());
}

Items layers() {
  return described("layers", model::layer_types());
}

Items operators() {
  Items items{{"operators", "gemm", "matrix multiplication: m x n outputs, reduction over k", {}}};
  for (Item& layer : described("operators", model::layer_types())) {
    items.push_back(std::move(layer));
  }
  return items;
}

Items strategies() {
  Items items;
  for (const auto& [value, name] : EnumNames<plan::Parallelism>::kNames) {
    items.push_back(
        {"strategies",
         std::string(name),
         std::string(plan::describe(value)),
         {{"inline", std::string(plan::notation_form(value))},
          {"reference", schema_of(static_cast<plan::Strategy*>(nullptr)).reference()}}});
  }
  return items;
}

Items endpoints() {
  Items items = files_of("endpoints");
  for (Item& item : items) {
    item.details.emplace_back(
        "reference", schema_of(static_cast<const comm::EndpointChoice*>(nullptr)).reference());
  }
  return items;
}

Items platforms() {
  return files_of("platforms");
}

// "rings:DEVICESxRINGS@BANDWIDTH,LATENCY"; empty for topologies that need a file.
std::string inline_text(const platform::Topology& topology) {
  const auto parameters = topology.parameters();
  if (std::ranges::find(parameters, "bandwidth", &Parameter::key) == parameters.end()) {
    return "";
  }
  std::string dims = topology.inline_dims == "dims..." ? "NxMx..." : "";
  if (dims.empty()) {
    std::string_view keys = topology.inline_dims;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys.substr(i, 3) == " x ") {
        dims += 'x';
        i += 2;
      } else {
        dims += keys[i] >= 'a' && keys[i] <= 'z' ? static_cast<char>(keys[i] - 'a' + 'A') : keys[i];
      }
    }
  }
  return fmt::format("{}{}{}@BANDWIDTH,LATENCY", topology.name, dims.empty() ? "" : ":", dims);
}

Items topologies() {
  Items items;
  for (const platform::Topology& topology : platform::topologies()) {
    items.push_back({"topologies",
                     std::string(topology.name),
                     std::string(topology.doc),
                     {{"reference", platform::reference_text(topology)}}});
    if (const std::string written = inline_text(topology); !written.empty()) {
      items.back().details.emplace_back("inline", written);
    }
  }
  return items;
}

Items collectives() {
  Items items;
  for (const comm::OpInfo& op : comm::ops()) {
    items.push_back({"collectives", std::string(op.name), std::string(op.doc), {}});
  }
  return items;
}

Items algorithms() {
  Items items{{"algorithms", "auto", "the algorithm below with the lowest estimated time", {}}};
  for (const comm::Algorithm* algorithm : comm::algorithms()) {
    items.push_back({"algorithms", std::string(algorithm->name), std::string(algorithm->doc), {}});
  }
  return items;
}

struct Kind {
  const char* name;
  Items (*items)();
};

constexpr std::array kKinds{Kind{"designs", designs},
                            Kind{"studies", studies},
                            Kind{"searches", searches},
                            Kind{"models", models},
                            Kind{"networks", networks},
                            Kind{"layers", layers},
                            Kind{"operators", operators},
                            Kind{"devices", devices},
                            Kind{"chips", chips},
                            Kind{"technologies", technologies},
                            Kind{"strategies", strategies},
                            Kind{"endpoints", endpoints},
                            Kind{"platforms", platforms},
                            Kind{"topologies", topologies},
                            Kind{"collectives", collectives},
                            Kind{"algorithms", algorithms}};

std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const Item& item : items) {
    names.push_back(item.name);
  }
  return names;
}

const std::string* detail_of(const Item& item, std::string_view key) {
  for (const auto& [known, value] : item.details) {
    if (known == key) {
      return &value;
    }
  }
  return nullptr;
}

// Text: names and descriptions.
report::Table lines_of(const Items& items) {
  report::Table table{.columns = {{.label = "", .align = report::Align::kLeft},
                                  {.label = "", .align = report::Align::kLeft}}};
  for (const Item& item : items) {
    table.rows.push_back({item.name, item.description});
  }
  return table;
}

// JSON: {"items": [{"kind", "name", "description", and the item's details}]}
report::Table items_of(const Items& items) {
  report::Table table{.key = "items", .columns = {{"kind"}, {"name"}, {"description"}}};
  for (const Item& item : items) {
    for (const auto& [key, value] : item.details) {
      if (std::ranges::find(table.columns, key, &report::Column::key) == table.columns.end()) {
        table.columns.push_back({key});
      }
    }
  }
  for (const Item& item : items) {
    auto& row = table.rows.emplace_back();
    row = {item.kind, item.name, item.description};
    row.resize(table.columns.size());
    for (std::size_t c = row.size(); c-- > 3;) {
      if (const std::string* value = detail_of(item, table.columns[c].key)) {
        row[c] = *value;
      }
    }
  }
  return table;
}

// With inline notation, parameters and file.
void add_verbose(const Items& items, report::Document& document) {
  for (const Item& item : items) {
    document.add(lines_of({item}));
    if (const std::string* written = detail_of(item, "inline")) {
      document.add(report::Paragraph{.text = "inline: " + *written});
    }
    if (const std::string* reference = detail_of(item, "reference")) {
      document.add(report::Paragraph{.text = *reference, .verbatim = true});
    }
    if (const std::string* file = detail_of(item, "file")) {
      document.add(report::Paragraph{.text = "file: " + *file, .follows = true, .verbatim = true});
    }
  }
}

report::Document overview() {
  Items kinds;
  Items all;
  for (const Kind& kind : kKinds) {
    const Items items = kind.items();
    kinds.push_back(
        {"kinds",
         kind.name,
         items.empty() ? "none yet" : fmt::format("{}", fmt::join(names_of(items), ", ")),
         {}});
    all.insert(all.end(), items.begin(), items.end());
  }
  report::Document document{.verb = "list"};
  document.add(items_of(all));
  document.add(lines_of(kinds));
  document.add(report::Paragraph{.text = "cairn list KIND describes each."});
  return document;
}

Item with_inline_text(Item item) {
  if (const std::string* written = detail_of(item, "inline")) {
    item.description += " (" + *written + ")";
  }
  return item;
}

}  // namespace

std::vector<Option> options_of(ListRequest& request) {
  std::vector<Option> options{{"KIND",
                               "",
                               "designs, studies, searches, models, networks, layers, operators,\n"
                               "strategies, devices, chips, technologies, endpoints, platforms,\n"
                               "topologies, collectives or algorithms",
                               &request.kind},
                              {"NAME", "", "only this one, with its parameters", &request.name},
                              {"--verbose", "", "also show parameters", &request.verbose}};
  add_output(options, request.output);
  return options;
}

Answer list(const ListRequest& request) {
  if (request.kind.empty()) {
    return overview();
  }
  std::vector<std::string> known;
  known.reserve(kKinds.size());
  for (const Kind& kind : kKinds) {
    known.emplace_back(kind.name);
  }
  const Kind& kind = kKinds[parse_name(request.kind, "KIND", "a kind", known)];
  Items items = kind.items();
  if (items.empty()) {
    throw ConfigError(at("KIND"),
                      fmt::format("no {} ({})", kind.name, no_files_text(data_roots())));
  }
  if (!request.name.empty()) {
    const std::string what = fmt::format("among the {}", kind.name);
    items = {items[parse_name(request.name, "NAME", what, names_of(items))]};
  }
  report::Document document{.verb = "list"};
  document.add(items_of(items));
  if (request.verbose || !request.name.empty()) {
    add_verbose(items, document);
  } else {
    Items lines;
    std::ranges::transform(items, std::back_inserter(lines), with_inline_text);
    document.add(lines_of(lines));
  }
  return document;
}

}  // namespace cairn::app
