#include "cairn/validate/framework.hpp"

namespace cairn::validate {

const Schema<Framework>& schema_of(const Framework*) {
  static const auto kSchema =
      Schema<Framework>("framework", "a training framework")
          .optional("name", &Framework::name, "name in results")
          .optional("description", &Framework::description, "one-line description")
          .optional("source", &Framework::source, "origin of its figures")
          .optional("issue", &Framework::issue, "host time per kernel launch")
          .not_negative();
  return kSchema;
}

Framework read_framework(const std::string& name, const Folders& folders) {
  const NamedFile file = load_named(name, folders, "a framework", {});
  return read_config<Framework>(file.config);
}

}  // namespace cairn::validate
