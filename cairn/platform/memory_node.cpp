#include "cairn/platform/memory_node.hpp"

#include <algorithm>

namespace cairn::platform {

const Schema<MemoryStage>& schema_of(const MemoryStage*) {
  static const auto kSchema =
      Schema<MemoryStage>("stage", "processing between the links and the DIMMs")
          .required("kind", &MemoryStage::kind, "compression or encryption", "compression")
          .required("rate", &MemoryStage::rate, "rate per group, in bytes on the links", "100 GB/s")
          .positive()
          .optional("ratio",
                    &MemoryStage::ratio,
                    "compression ratio: bytes on the links per byte in the DIMMs")
          .at_least(1);
  return kSchema;
}

const Schema<MemoryNode>& schema_of(const MemoryNode*) {
  using P = MemoryNode;
  static const auto kSchema =
      Schema<P>("memory_node", "DIMMs behind device-side links")
          .optional("dimm", &P::dimm, "capacity and power of a DIMM, by name")
          .optional("dimms", &P::dimms, "number of DIMMs in all groups")
          .at_least(1)
          .optional("dimm_bandwidth",
                    &P::dimm_bandwidth,
                    "DIMM bandwidth, reads and writes together: 17 GB/s for PC4-17000")
          .positive()
          .optional("groups", &P::groups, "equal groups of DIMMs, each serving one device")
          .at_least(1)
          .optional("latency", &P::latency, "latency until the first byte of a read")
          .not_negative()
          .optional("stage", &P::stage, "compression or encryption");
  return kSchema;
}

const Dimm& dimm_of(DimmKind kind) {
  return *std::ranges::find(kDimms, kind, &Dimm::kind);
}

NodeMemory memory_of(const MemoryNode& node) {
  const auto dimms = static_cast<double>(node.dimms);
  const auto groups = static_cast<double>(node.groups);
  const MemoryStage stage = node.stage.value_or(MemoryStage{});
  const Dimm& dimm = dimm_of(node.dimm);
  return {.bandwidth = std::min(dimms * stage.ratio * node.dimm_bandwidth, groups * stage.rate),
          .capacity = dimms * stage.ratio * dimm.capacity,
          .latency = node.latency,
          .groups = node.groups,
          .power = dimms * dimm.power};
}

void check_memory_node(const MemoryNode& node, const Config& source) {
  if (node.stage && node.stage->kind == StageKind::kEncryption && node.stage->ratio != 1.0) {
    reject(*source.find("memory_node")->find("stage")->find("ratio"),
           "applies only to compression, and the stage has kind: encryption");
  }
}

}  // namespace cairn::platform
