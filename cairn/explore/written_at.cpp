#include "cairn/explore/written_at.hpp"

#include <algorithm>

namespace cairn::explore {

ConfigError written_at(const Where& where, const std::string& key, const ConfigError& error) {
  const std::string place = to_text(error.where());
  const std::string text = error.what();
  const std::string problem =
      place.empty() ? text : text.substr(std::min(text.size(), place.size() + 2));
  Where inside = error.where();
  if (inside.file == kSettingFile) {
    inside.file.clear();
  }
  const bool is_known = inside.key == key || inside.key == kSettingFile || place.empty();
  return {where, is_known ? problem : to_text(inside) + ": " + problem};
}

}  // namespace cairn::explore
