#include "cairn/comm/endpoint.hpp"

#include <fmt/format.h>

#include "cairn/base/quantity_text.hpp"

namespace cairn::comm {

const Schema<EndpointChoice>& schema_of(const EndpointChoice*) {
  static const auto kSchema =
      Schema<EndpointChoice>("endpoint", "who executes a collective, and with what of the device")
          .optional("description", &EndpointChoice::description, "one line")
          .optional("source", &EndpointChoice::source, "where its figures are from")
          .optional("executor", &EndpointChoice::executor, "who")
          .optional("accounting",
                    &EndpointChoice::accounting,
                    "which accesses to memory count: reads_per_sent, or those of every step")
          .optional("sms", &EndpointChoice::sms, "cores reserved for it (absent: all)")
          .at_least(1)
          .optional("memory", &EndpointChoice::memory, "bandwidth reserved for it (absent: all)")
          .positive()
          .optional("reads_per_sent",
                    &EndpointChoice::reads_per_sent,
                    "with accounting: paper, reads of memory per byte that cores send")
          .positive();
  return kSchema;
}

namespace {

// A choice that has no cores does not reserve any.
void refuse_cores(const Config& config, const EndpointChoice& choice) {
  for (const char* key : {"sms", "memory"}) {
    const Config* written = config.find(key);
    if (written != nullptr && choice.executor == Executor::kIdeal) {
      reject(*written, "is for cores (an ideal endpoint takes nothing of the device)");
    }
  }
}

}  // namespace

Endpoint endpoint_of(const Config& config, const chip::Device& device) {
  const auto choice = read_config<EndpointChoice>(config);
  refuse_cores(config, choice);
  Endpoint endpoint{.executor = choice.executor,
                    .accounting = choice.accounting,
                    .reads_per_sent = choice.reads_per_sent};
  if (choice.executor == Executor::kIdeal) {
    return endpoint;
  }
  if (choice.memory && *choice.memory > device.memory.bandwidth) {
    reject(*config.find("memory"),
           fmt::format("is more than the {} of {}", to_text(device.memory.bandwidth), device.name));
  }
  endpoint.memory = choice.memory.value_or(device.memory.bandwidth);
  endpoint.bus = device.fabric.bus.value_or(BytesPerSecond::infinity());
  if (choice.sms && *choice.sms > device.cores.count) {
    reject(*config.find("sms"),
           fmt::format("is more than the {} cores of {}", device.cores.count, device.name));
  }
  endpoint.cores = choice.sms ? *choice.sms : device.cores.count;
  endpoint.cores_move = device.fabric.per_core * device.cores.frequency * endpoint.cores;
  return endpoint;
}

}  // namespace cairn::comm
