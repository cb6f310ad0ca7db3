#include "cairn/memory/dispatch.hpp"

namespace cairn::memory {

const Schema<Background>& schema_of(const Background*) {
  static const auto kSchema =
      Schema<Background>("background", "what of a device is kept for kernels beside the others")
          .optional("sms", &Background::sms, "cores")
          .at_least(1)
          .optional("memory", &Background::memory, "bandwidth")
          .positive();
  return kSchema;
}

const Schema<Dispatch>& schema_of(const Dispatch*) {
  static const auto kSchema =
      Schema<Dispatch>("kernels", "which of a device's kernels run at a time, and who issues them")
          .optional("at_once", &Dispatch::at_once, "the most; more than one: whichever are ready")
          .at_least(1)
          .at_most(1024)
          .optional("order", &Dispatch::order, "of the plan, or whichever has what it reads")
          .used_if(
              [](const Dispatch& d) { return d.at_once == 1 || d.order == KernelOrder::kReady; },
              "at_once: 1, or as ready")
          .optional("issue",
                    &Dispatch::issue,
                    "what the host takes to issue each, and each exchange, one after the other")
          .not_negative()
          .optional("scale",
                    &Dispatch::scale,
                    "time and traffic of every kernel, relative to what the device's model says")
          .positive()
          .at_most(1e6)
          .optional("background",
                    &Dispatch::background,
                    "of training: {tables: background}: cores and bandwidth that these have");
  return kSchema;
}

}  // namespace cairn::memory
