#include "cairn/platform/shared_keys.hpp"

#include <algorithm>

namespace cairn::platform {

const Schema<SharedKeys>& schema_of(const SharedKeys*) {
  static const auto kSchema =
      Schema<SharedKeys>("platform", "what every platform may say")
          .required("topology", &SharedKeys::topology, "name of the topology", "ring")
          .optional("name", &SharedKeys::name, "instead of the file's")
          .optional("description", &SharedKeys::description, "one line about it")
          .optional("source", &SharedKeys::source, "where the numbers come from")
          .optional("injection",
                    &SharedKeys::injection,
                    "limit on what a device sends over all its links, and on what it receives")
          .positive()
          .optional("link_efficiency",
                    &SharedKeys::link_efficiency,
                    "part of the bandwidth of links that is left for payload, beside headers")
          .positive()
          .at_most(1.0)
          .optional("routing", &SharedKeys::routing, "instead of the topology's own")
          .optional("system_power",
                    &SharedKeys::system_power,
                    "thermal design power of all but devices and memory-nodes")
          .not_negative()
          .optional("protocols",
                    &SharedKeys::protocols,
                    "how software sends messages; the fastest carries a collective");
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
