#include "cairn/explore/identity.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "cairn/base/config_set.hpp"
#include "cairn/base/figure.hpp"
#include "cairn/design_settings.hpp"

namespace cairn::explore {

namespace {

constexpr std::string_view kVersionKey = "version";
constexpr std::string_view kDesign = "design";
// The design last: changed axes change it too, and are the better explanation.
constexpr std::array<std::string_view, 5> kKeys{
    "vary", "objectives", "limits", "algorithm", kDesign};
// Parts of a design that may be names of files.
constexpr std::array<std::string_view, 4> kNaming{"model", "device", "platform", "endpoint"};

std::string text_of(const Identity& identity, std::string_view key) {
  for (const IdentityPart& part : identity) {
    if (part.key == key) {
      return part.text;
    }
  }
  return "";
}

bool is_name(std::string_view key) {
  return key.find('=') != std::string_view::npos;
}

// The first value that differs between two expanded designs, as in the first.
std::optional<IdentityPart> different_value(const std::string& before, const std::string& now) {
  std::map<std::string, std::string> values;
  for (auto& [key, text] : values_of_design(parse_config(now, ""))) {
    values.emplace(key, text);
  }
  for (const auto& [key, text] : values_of_design(parse_config(before, ""))) {
    const auto found = values.find(key);
    if (found == values.end() || found->second != text) {
      return IdentityPart{joined_key(kDesign, key), text};
    }
    values.erase(found);
  }
  return values.empty() ? std::nullopt
                        : std::optional(IdentityPart{joined_key(kDesign, values.begin()->first)});
}

}  // namespace

Identity names_of(const Request& request, const DataFolders& folders) {
  Identity names;
  for (const Variable& variable : request.designs.variables) {
    const std::string part = variable.key.substr(0, variable.key.find('.'));
    if (std::ranges::find(kNaming, part) == kNaming.end()) {
      continue;
    }
    for (const Config& choice : variable.choices) {
      if (choice.kind != Config::Kind::kScalar || figure_in(choice.text)) {
        continue;
      }
      const std::string setting = variable.key + "=" + to_text(choice);
      Config design = request.designs.base;
      set_value_of_design(design, setting, folders);
      const Config written = written_out_design(std::move(design), folders);
      names.push_back({setting, to_text(*written.find(part))});
    }
  }
  return names;
}

Identity identity_of(const Request& request,
                     const DataFolders& folders,
                     const std::string& version) {
  Identity identity{{std::string(kVersionKey), version}};
  for (const std::string_view key : kKeys) {
    if (const Config* value = request.written.find(key)) {
      identity.push_back(
          {std::string(key),
           to_text(key == kDesign ? written_out_design(request.designs.base, folders) : *value)});
    }
  }
  std::ranges::move(names_of(request, folders), std::back_inserter(identity));
  return identity;
}

std::string version_of(const Identity& identity) {
  return text_of(identity, kVersionKey);
}

std::optional<IdentityPart> difference(const Identity& before, const Identity& now) {
  const std::string version = version_of(before);
  if (version != version_of(now)) {
    return IdentityPart{std::string(kVersionKey), version};
  }
  for (const std::string_view key : kKeys) {
    const std::string was = text_of(before, key);
    const std::string is = text_of(now, key);
    if (was == is) {
      continue;
    }
    if (key != kDesign) {
      return IdentityPart{std::string(key), was};
    }
    if (auto value = different_value(was, is)) {
      return value;
    }
  }
  const auto name = different_name(before, now);
  return name ? std::optional(IdentityPart{*name, text_of(before, *name)}) : std::nullopt;
}

std::optional<std::string> different_name(const Identity& one, const Identity& other) {
  for (const Identity* each : {&one, &other}) {
    for (const IdentityPart& part : *each) {
      if (is_name(part.key) && text_of(one, part.key) != text_of(other, part.key)) {
        return part.key;
      }
    }
  }
  return std::nullopt;
}

Request request_of(const Identity& identity, const DataFolders& folders, const std::string& file) {
  std::string text;
  for (const std::string_view key : kKeys) {
    if (const std::string value = text_of(identity, key); !value.empty()) {
      text += std::string(key) + ": " + value + "\n";
    }
  }
  return read_request(parse_config(text, file), folders, {});
}

}  // namespace cairn::explore
