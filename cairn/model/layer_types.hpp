// The layers that a model file may list.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/model/net.hpp"

namespace cairn::model {

const Schema<Convolution>& schema_of(const Convolution*);
const Schema<Pool>& schema_of(const Pool*);
const Schema<AttentionHeads>& schema_of(const AttentionHeads*);

struct LayerType {
  std::string_view name;
  std::string_view doc;
  std::size_t max_inputs;  // 0: any number
  std::string (*reference)();
  // `parameters` is a map without the keys that all layers share.
  Value (*add)(Net& net,
               const std::string& name,
               const std::vector<Value>& inputs,
               const Config& parameters);
};

std::span<const LayerType> layer_types();

// The `input` of a model file.
struct Input {
  Shape sample{};
  bool together = false;  // all steps in one tensor

  // Adds a batch of samples: external (kData), or from omitted lower layers (kActivation).
  Value add_to(Net& net, const std::string& name, TensorKind kind) const;
};

Input read_input(const Config& config);

}  // namespace cairn::model
