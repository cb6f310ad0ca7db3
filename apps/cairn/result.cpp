#include "apps/cairn/result.hpp"

#include <fmt/format.h>

#include <utility>

#include "apps/cairn/data.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/design_settings.hpp"
#include "cairn/report/document_json.hpp"
#include "cairn/report/document_text.hpp"
#include "cairn/report/trace_writer.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

namespace {

constexpr std::string_view kOpening = "{\n";
constexpr std::string_view kClosing = "\n}\n";

}  // namespace

std::string stamped(std::string_view verb, const std::string& name, const std::string& json) {
  ensure(json.starts_with(kOpening), "a result that is no object");
  return fmt::format(
      "{}  \"verb\": \"{}\",\n  \"cairn_version\": \"{}\",\n{}{}",
      kOpening,
      verb,
      kVersion,
      name.empty() ? "" : fmt::format("  \"name\": {},\n", report::json_quoted(name)),
      json.substr(kOpening.size()));
}

std::string with_member(const std::string& json, std::string_view key, const std::string& value) {
  ensure(json.ends_with(kClosing), "a result that is no object");
  return fmt::format(
      "{},\n  \"{}\": {}{}", json.substr(0, json.size() - kClosing.size()), key, value, kClosing);
}

std::string described(const std::string& json, const std::string& description) {
  return description.empty() ? json
                             : with_member(json, "description", report::json_quoted(description));
}

void add_design(report::Document& document, const Config& design) {
  const DataFolders folders = DataFolders::in(data_roots());
  report::Object values;
  for (const auto& [key, text] : values_of_design(written_out_design(design, folders))) {
    values.push_back({key, text});
  }
  document.add("design", std::move(values));
}

std::string rendered(report::Document document, bool json, bool detail) {
  document.version = kVersion;
  return json ? report::json_of(document, detail ? report::Detail::kAll : report::Detail::kBrief)
              : report::text_of(document);
}

}  // namespace cairn::app
