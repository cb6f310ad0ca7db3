// Identity of a search as text: two searches are the same if these are equal.
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

// The program's version and all inputs that determine the result: the design with named parts
// written out, axes, objectives, limits, algorithm; then the contents of files named by choices.
Identity identity_of(const Request& request,
                     const DataFolders& folders,
                     const std::string& version);

// The last of these: "device.template=v100" and its contents, which may change between runs.
Identity names_of(const Request& request, const DataFolders& folders);

// Version of the program that wrote it; empty: not recorded.
std::string version_of(const Identity& identity);

// The first part that differs, with its previous value; within the design the first such value:
// "design.strategy.batch". Descriptions may differ.
std::optional<IdentityPart> difference(const Identity& before, const Identity& now);

// The same for names_of only: "platform=ring.yaml".
std::optional<std::string> different_name(const Identity& one, const Identity& other);

// Reconstructs the search. Messages name `file`. Throws ConfigError if this version of the program
// cannot read it.
Request request_of(const Identity& identity, const DataFolders& folders, const std::string& file);

}  // namespace cairn::explore
