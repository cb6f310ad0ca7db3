#include "cairn/platform/shared_keys.hpp"

#include <algorithm>

namespace cairn::platform {

const Schema<SharedKeys>& schema_of(const SharedKeys*) {
  static const auto kSchema =
      Schema<SharedKeys>("platform", "keys common to all platforms")
          .required("topology", &SharedKeys::topology, "name of the topology", "ring")
          .optional("name", &SharedKeys::name, "name (default: the file's)")
          .optional("description", &SharedKeys::description, "one-line description")
          .optional("source", &SharedKeys::source, "where the numbers come from")
          .optional("injection",
                    &SharedKeys::injection,
                    "limit on the total rate at which a device sends, and on the rate it receives")
          .positive()
          .optional("link_efficiency",
                    &SharedKeys::link_efficiency,
                    "fraction of link bandwidth left for payload after headers")
          .positive()
          .at_most(1.0)
          .optional("routing", &SharedKeys::routing, "routing (default: the topology's)")
          .optional("system_power",
                    &SharedKeys::system_power,
                    "thermal design power without devices and memory-nodes")
          .not_negative()
          .optional("protocols",
                    &SharedKeys::protocols,
                    "communication protocols; a collective uses the fastest");
  return kSchema;
}

PlatformMap split_keys(const Config& config) {
  const auto shared_keys = schema_of(static_cast<const SharedKeys*>(nullptr)).parameters();
  PlatformMap map{config, config};
  for (Config* part : {&map.shared, &map.parameters}) {
    part->keys.clear();
    part->items.clear();
  }
  for (std::size_t i = 0; i < config.keys.size(); ++i) {
    const bool is_shared =
        std::ranges::find(shared_keys, config.keys[i], &Parameter::key) != shared_keys.end();
    Config& part = is_shared ? map.shared : map.parameters;
    part.keys.push_back(config.keys[i]);
    part.items.push_back(config.items[i]);
  }
  return map;
}

}  // namespace cairn::platform
