#include "cairn/memory/launch_policy.hpp"

namespace cairn::memory {

const Schema<Background>& schema_of(const Background*) {
  static const auto kSchema =
      Schema<Background>("background", "device resources reserved for background kernels")
          .optional("sms", &Background::sms, "number of cores")
          .at_least(1)
          .optional("memory", &Background::memory, "memory bandwidth")
          .positive();
  return kSchema;
}

const Schema<LaunchPolicy>& schema_of(const LaunchPolicy*) {
  static const auto kSchema =
      Schema<LaunchPolicy>("launch", "concurrency, order and launch time of a device's kernels")
          .optional(
              "at_once", &LaunchPolicy::at_once, "maximum of concurrent kernels (>1: as ready)")
          .at_least(1)
          .at_most(1024)
          .optional("order", &LaunchPolicy::order, "in plan order, or as inputs are ready")
          .used_if(
              [](const LaunchPolicy& launch) {
                return launch.at_once == 1 || launch.order == KernelOrder::kReady;
              },
              "at_once: 1, or order: ready")
          .optional("issue",
                    &LaunchPolicy::issue,
                    "host time to launch each kernel and exchange, one after the other")
          .not_negative()
          .optional("scale",
                    &LaunchPolicy::scale,
                    "factor on time and traffic of every kernel, relative to the device's model")
          .positive()
          .at_most(1e6)
          .optional("background",
                    &LaunchPolicy::background,
                    "resources reserved for background kernels (training: {tables: background})");
  return kSchema;
}

}  // namespace cairn::memory
