// Which search it is, in words: two searches are the same if these are equal, letter by letter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/explore/search_file.hpp"

namespace cairn::explore {

struct IdentityPart {
  std::string key{};
  std::string text{};

  friend bool operator==(const IdentityPart&, const IdentityPart&) = default;
};

using Identity = std::vector<IdentityPart>;

// The program's version, and what decides what is found: the design with all that it only names,
// what may vary, objectives, limits, algorithm; then what choices of what varies name.
Identity identity_of(const Request& request,
                     const DataFolders& folders,
                     const std::string& version);

// The last of these: "device.template=v100" and what that is. What a choice only names may be
// another when it is read again; numbers name nothing.
Identity names_of(const Request& request, const DataFolders& folders);

// Of the program that made it; empty: it does not say.
std::string version_of(const Identity& identity);

// The first part that is not the same in both, as it was before; of the design the first such
// value: "design.strategy.batch". Words that only describe the design may be others.
std::optional<IdentityPart> difference(const Identity& before, const Identity& now);

// The same of names_of alone: "platform=ring.yaml".
std::optional<std::string> different_name(const Identity& one, const Identity& other);

// The search again. `file` is what messages call it. Throws ConfigError if this version of the
// program does not understand it.
Request request_of(const Identity& identity, const DataFolders& folders, const std::string& file);

}  // namespace cairn::explore
