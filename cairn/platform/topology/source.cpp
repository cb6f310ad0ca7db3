#include "cairn/platform/topology/source.hpp"

namespace cairn::platform::topology {

void reject_key(const Config& source, std::string_view key, const std::string& problem) {
  Where where = source.where;
  if (const Config* at = source.kind == Config::Kind::kMap ? source.find(key) : nullptr) {
    where = at->where;
  } else if (!key.empty()) {
    where.key += (where.key.empty() ? "" : ".") + std::string(key);
  }
  throw ConfigError(where, problem);
}

}  // namespace cairn::platform::topology
