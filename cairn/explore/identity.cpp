#include "cairn/explore/identity.hpp"

#include <array>
#include <string_view>

#include "cairn/design_settings.hpp"

namespace cairn::explore {

namespace {

constexpr std::string_view kVersionKey = "version";
constexpr std::string_view kDesign = "design";
// The design last: what varies changes it too, and is the better answer to what is other.
constexpr std::array<std::string_view, 5> kKeys{
    "vary", "objectives", "limits", "algorithm", kDesign};

std::string text_of(const Identity& identity, std::string_view key) {
  for (const IdentityPart& part : identity) {
    if (part.key == key) {
      return part.text;
    }
  }
  return "";
}

}  // namespace

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
  return identity;
}

std::string version_of(const Identity& identity) {
  return text_of(identity, kVersionKey);
}

std::optional<std::string> difference(const Identity& one, const Identity& other) {
  if (text_of(one, kVersionKey) != text_of(other, kVersionKey)) {
    return std::string(kVersionKey);
  }
  for (const std::string_view key : kKeys) {
    if (text_of(one, key) != text_of(other, key)) {
      return std::string(key);
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
