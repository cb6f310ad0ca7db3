// YAML text to a Config tree, with bounds against hostile text.
#pragma once

#include <string>
#include <string_view>

#include "cairn/base/config.hpp"

namespace cairn {

// kNull when `text` holds no value. `origin` is where the text begins: its file, line (0: no line
// numbers) and the key path of the root. Throws ConfigError on bytes that are not text, YAML
// syntax, several documents, duplicate keys, tags, merge keys (<<), keys that are not plain words,
// quotes over several lines, nesting deeper than 64, and aliases that expand to more than 256 MiB.
Config read_yaml(std::string_view text, const Where& origin);

}  // namespace cairn
