#include "cairn/validate/framework.hpp"

namespace cairn::validate {

const Schema<Framework>& schema_of(const Framework*) {
  static const auto kSchema =
      Schema<Framework>("framework", "what runs a training step")
          .optional("name", &Framework::name, "what results call it")
          .optional("description", &Framework::description, "one line")
          .optional("source", &Framework::source, "where its figures are from")
          .optional("issue", &Framework::issue, "what the host takes to issue a kernel")
          .not_negative();
  return kSchema;
}

Framework read_framework(const std::string& name, const Folders& folders) {
  const NamedFile file = load_named(name, folders, "a framework", {});
  return read_config<Framework>(file.config);
}

}  // namespace cairn::validate
