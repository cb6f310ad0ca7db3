#include "cairn/memory/dispatch.hpp"

namespace cairn::memory {

const Schema<Dispatch>& schema_of(const Dispatch*) {
  static const auto kSchema =
      Schema<Dispatch>("kernels", "which of a device's kernels run at a time, and who issues them")
          .optional("at_once", &Dispatch::at_once, "the most; more than one: whichever are ready")
          .at_least(1)
          .at_most(1024)
          .optional("order", &Dispatch::order, "of the plan, or whichever has what it reads")
          .optional("issue",
                    &Dispatch::issue,
                    "what the host takes to issue each, and each exchange, one after the other")
          .not_negative();
  return kSchema;
}

}  // namespace cairn::memory
