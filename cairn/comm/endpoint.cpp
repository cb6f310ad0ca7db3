#include "cairn/comm/endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cairn/base/quantity_text.hpp"
#include "cairn/comm/algorithm.hpp"
#include "cairn/sim/phase_runner.hpp"

namespace cairn::comm {

const Schema<EngineChoice>& schema_of(const EngineChoice*) {
  static const auto kSchema =
      Schema<EngineChoice>("engine", "overrides of the device's collectives engine")
          .optional("sram", &EngineChoice::sram, "capacity of its own SRAM")
          .positive()
          .optional("fsms", &EngineChoice::fsms, "state machines; each works on one chunk")
          .whole()
          .at_least(1)
          .at_most(65536)
          .optional("alus", &EngineChoice::alus, "number of ALUs for reductions")
          .whole()
          .at_least(1)
          .optional("chunk", &EngineChoice::chunk, "unit that passes its SRAM")
          .at_least(Bytes(1.0))
          .optional("packet", &EngineChoice::packet, "bytes that a forwarding device stores first")
          .positive()
          .optional("split", &EngineChoice::split, "split of SRAM and state machines over phases")
          .optional("order", &EngineChoice::order, "which collective sends its next chunk");
  return kSchema;
}

const Schema<EndpointChoice>& schema_of(const EndpointChoice*) {
  using Choice = EndpointChoice;
  const auto by_device = [](const Choice& choice) { return choice.executor != Executor::kIdeal; };
  const auto by_cores = [](const Choice& choice) { return choice.executor == Executor::kCores; };
  constexpr const char* kByDevice = "executor: cores or engine";
  static const auto kSchema =
      Schema<EndpointChoice>("endpoint", "executes collectives at each device, on its resources")
          .optional("description", &EndpointChoice::description, "one-line description")
          .optional("source", &EndpointChoice::source, "source of its numbers")
          .optional("executor", &EndpointChoice::executor, "what executes collectives")
          .optional("accounting",
                    &EndpointChoice::accounting,
                    "memory accesses that count: reads_per_sent, or those of every step")
          .used_if(by_device, kByDevice)
          .optional("sharing",
                    &EndpointChoice::sharing,
                    "whether kernels compete for its cores and memory, or never use them")
          .used_if(by_device, kByDevice)
          .optional("sms", &EndpointChoice::sms, "maximum number of cores (absent: all)")
          .at_least(1)
          .used_if(by_cores, "executor: cores")
          .optional("memory", &EndpointChoice::memory, "maximum memory bandwidth (absent: all)")
          .positive()
          .used_if(by_device, kByDevice)
          .optional("reads_per_sent",
                    &EndpointChoice::reads_per_sent,
                    "memory reads per byte that cores send")
          .positive()
          .used_if(
              [](const Choice& choice) {
                return choice.executor == Executor::kCores &&
                       choice.accounting == Accounting::kPaper;
              },
              "executor: cores and accounting: paper")
          .optional("engine", &EndpointChoice::engine, "overrides of the device's engine")
          .used_if([](const Choice& choice) { return choice.executor == Executor::kEngine; },
                   "executor: engine");
  return kSchema;
}

namespace {

EngineLimits limits_of(const EngineChoice& choice, const chip::Device& device) {
  const chip::CollectivesEngine& engine = *device.fabric.engine;
  EngineLimits limits;
  limits.sram = choice.sram.value_or(engine.sram.value_or(limits.sram));
  limits.fsms = choice.fsms.value_or(engine.fsms.value_or(limits.fsms));
  if (const std::optional<double> alus = choice.alus ? choice.alus : engine.alus) {
    limits.alus = engine.per_alu * device.cores.frequency * *alus;
  }
  limits.chunk = choice.chunk.value_or(engine.chunk);
  limits.packet = choice.packet.value_or(engine.packet.value_or(limits.packet));
  limits.split = choice.split.value_or(engine.split);
  limits.order = choice.order.value_or(engine.order);
  return limits;
}

}  // namespace

Endpoint endpoint_of(const Config& config, const chip::Device& device) {
  const auto choice = read_config<EndpointChoice>(config);
  Endpoint endpoint{.executor = choice.executor,
                    .accounting = choice.accounting,
                    .sharing = choice.sharing,
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
  if (choice.executor == Executor::kEngine) {
    if (!device.fabric.engine) {
      reject(*config.find("executor"),
             fmt::format("needs a collectives engine, which {} does not have (use a device with "
                         "fabric.engine, e.g. ace-npu)",
                         device.name));
    }
    endpoint.engine = limits_of(choice.engine, device);
    endpoint.area = device.fabric.engine->area();
    endpoint.power = device.fabric.engine->power();
    return endpoint;
  }
  if (choice.sms && *choice.sms > device.cores.count) {
    reject(*config.find("sms"),
           fmt::format("is more than the {} cores of {}", device.cores.count, device.name));
  }
  endpoint.cores = choice.sms ? *choice.sms : device.cores.count;
  endpoint.cores_move = cores_move(device) * (endpoint.cores / device.cores.count);
  return endpoint;
}

chip::Device left_for_kernels(chip::Device device, const Endpoint& endpoint) {
  if (endpoint.executor != Executor::kIdeal && endpoint.sharing == Sharing::kReserved) {
    device.cores.count -= endpoint.cores;
    device.memory.bandwidth -= endpoint.memory;
  }
  return device;
}

BytesPerSecond cores_move(const chip::Device& device) {
  return device.fabric.per_core * device.cores.frequency * device.cores.count;
}

void check_leaves_resources(const Config& config,
                            const chip::Device& device,
                            const Endpoint& endpoint) {
  const chip::Device left = left_for_kernels(device, endpoint);
  const auto reject_key = [&](const char* key, const char* what) {
    const Config* written = config.find(key);
    reject(written == nullptr ? *config.find("sharing") : *written,
           fmt::format("leaves no {} of {} for kernels", what, device.name));
  };
  if (left.cores.count < 1.0) {
    reject_key("sms", "core");
  }
  if (left.memory.bandwidth <= BytesPerSecond(0.0)) {
    reject_key("memory", "memory bandwidth");
  }
}

std::uint32_t chunks_at(const Endpoint& endpoint, Bytes size, std::uint32_t wanted) {
  constexpr std::uint32_t kMax = 256;
  return endpoint.executor == Executor::kEngine ? std::max(wanted, pipeline_chunks(size, kMax))
                                                : wanted;
}

bool engine_sets_chunk_size(const Endpoint& endpoint) {
  return endpoint.engine.chunk.has_value();
}

std::uint32_t window_at(const Endpoint& endpoint) {
  constexpr std::uint32_t kDefault = 64;
  return endpoint.executor == Executor::kEngine && std::isfinite(endpoint.engine.sram.si())
             ? sim::Tag::kMaxSlots
             : kDefault;
}

}  // namespace cairn::comm
