// Reads a model. It is given as
//
//   a name           vgg-e                      NAME.yaml in one of the given directories
//   a file           my/config.json             of Hugging Face (hugging_face.hpp), or in YAML
//                    my/model.yaml              a map:
//
//     network: resnet                 one of the table below, and its parameters
//     blocks: [3, 4, 23, 3]
//
//   or a list of layers, each on the output of the previous one, or `from` others by name:
//
//     input: {channels: 3, height: 224, width: 224}
//     layers:
//       - {type: convolution, name: c1, channels: 64, kernel: 3, pad: 1}
//       - {type: relu}
//       - {type: add, from: [c1, previous]}
//
// Both take `pool_saves` (indices | long_indices | maps), `activation_saves` (map | mask),
// `recurrent_kernels` (by_step | by_layer), and name, description, source.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/base/config.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::model {

struct Gpt;

struct Network {
  std::string_view name;
  std::string_view doc;
  std::string (*reference)();
};

// The values of `network:`.
std::span<const Network> networks();

// A model as read from a file; can be built for any batch.
struct ModelSource {
  std::shared_ptr<const Config> config{};
  std::string name{};

  ModelSource() = default;

  ModelSource(Config written, std::string called)
      : config(std::make_shared<const Config>(std::move(written))), name(std::move(called)) {}

  // Equal sources build the same graphs.
  friend bool operator==(const ModelSource& a, const ModelSource& b) {
    return a.name == b.name && (a.config == b.config || same_content(*a.config, *b.config));
  }
};

// `text` is a name or a file; errors about it name `where`.
NamedFile load_model(const std::string& text, const Folders& folders, const Where& where);
ModelSource model_source(const std::string& text, const Folders& folders, const Where& where);
// A name, a file, or a map.
ModelSource model_source(const Config& config, const Folders& folders);

bool is_language_model(const ModelSource& source);

// Throws ConfigError unless is_language_model().
Gpt language_model(const ModelSource& source);

// The forward pass. Throws ConfigError: unknown network or layer, shapes that do not chain.
// Infeasible if a tensor is too large for the batch.
Feasible<Graph> build_model(const ModelSource& source, double batch);

}  // namespace cairn::model
