#include "cairn/model/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "cairn/base/nearest.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/model/hugging_face.hpp"
#include "cairn/model/layer_types.hpp"
#include "cairn/model/networks/networks.hpp"

namespace cairn::model {

namespace {

template <class Parameters>
std::string reference() {
  return schema_of(static_cast<const Parameters*>(nullptr)).reference();
}

template <class Parameters>
Graph build_network(const Config& config, double batch, const NetOptions& options) {
  return build(read_config<Parameters>(config), batch, options);
}

Graph build_gpt(const Config& config, double batch, const NetOptions& options) {
  return build(read_gpt(config), batch, options);
}

struct NetworkEntry {
  Network network;
  Graph (*build)(const Config&, double, const NetOptions&);
};

constexpr std::array kEntries{
    NetworkEntry{{"alexnet", "8 layers (Krizhevsky et al. 2012)", reference<AlexNet>},
                 build_network<AlexNet>},
    NetworkEntry{{"googlenet", "58 layers (Szegedy et al. 2015)", reference<GoogLeNet>},
                 build_network<GoogLeNet>},
    NetworkEntry{{"vgg", "19 layers as VGG-E (Simonyan and Zisserman 2015)", reference<Vgg>},
                 build_network<Vgg>},
    NetworkEntry{{"resnet", "34 layers, or others (He et al. 2016)", reference<ResNet>},
                 build_network<ResNet>},
    NetworkEntry{{"recurrent", "recurrent layers, as in DeepBench", reference<RecurrentNet>},
                 build_network<RecurrentNet>},
    NetworkEntry{{"language_model", "LSTM language model", reference<LanguageModel>},
                 build_network<LanguageModel>},
    NetworkEntry{{"gpt", "transformer decoder: GPT, Llama (Radford et al. 2019)", reference<Gpt>},
                 build_gpt},
    NetworkEntry{
        {"dlrm", "recommendation by embedding tables (Naumov et al. 2019)", reference<Dlrm>},
        build_network<Dlrm>},
    NetworkEntry{{"gnmt", "LSTM translation with attention (Wu et al. 2016)", reference<Gnmt>},
                 build_network<Gnmt>},
    NetworkEntry{{"gemm", "a single GEMM", reference<Gemm>}, build_network<Gemm>},
    NetworkEntry{{"video", "VGG on each frame, LSTM over frames", reference<VideoNet>},
                 build_network<VideoNet>},
};

constexpr auto kNetworks = [] {
  std::array<Network, kEntries.size()> list{};
  std::ranges::transform(kEntries, list.begin(), &NetworkEntry::network);
  return list;
}();

// The entry of `table` named by `config`.
template <class Table, class Name>
const auto& entry_of(const Config& config, const Table& table, const char* what, Name name_of) {
  const std::string& text = scalar_text(config, what);
  std::vector<std::string> known;
  for (const auto& entry : table) {
    if (name_of(entry) == text) {
      return entry;
    }
    known.emplace_back(name_of(entry));
  }
  reject(config, fmt::format("is not {} ({})", what, suggestion(text, known)));
}

// Builds a network from a list of layers.
class ListedLayers {
 public:
  ListedLayers(const ModelSource& source, double batch, const NetOptions& options)
      : net_(source.name, batch, options) {
    const Config& config = *source.config;
    const Config* input = config.find("input");
    if (input == nullptr) {
      reject(config,
             "has no input (expected e.g. \"input: {channels: 3, height: 32, width: 32}\")");
    }
    try {
      previous_ = read_input(*input).add_to(net_, "input", TensorKind::kData);
    } catch (const BatchError&) {
      throw;
    } catch (const ShapeError& error) {
      throw ConfigError(input->where, error.what());
    }
    by_name_.emplace("input", previous_);
  }

  Graph build(const Config& layers) {
    if (layers.kind != Config::Kind::kList || layers.items.empty()) {
      reject(layers, "is not a list of layers (expected e.g. \"- {type: relu}\")");
    }
    for (const Config& layer : layers.items) {
      add(layer);
    }
    return std::move(net_).take();
  }

 private:
  void add(const Config& layer) {
    const Config* type_text = layer.kind == Config::Kind::kMap ? layer.find("type") : nullptr;
    if (type_text == nullptr) {
      reject(layer, "is not a layer (expected e.g. \"{type: relu}\")");
    }
    const LayerType& type =
        entry_of(*type_text, layer_types(), "a type of layer", [](const LayerType& entry) {
          return entry.name;
        });
    std::string name;
    do {
      name = fmt::format("{}{}", type.name, ++count_);
    } while (by_name_.contains(name));
    if (const Config* given = layer.find("name")) {
      name = scalar_text(*given, "a name");
      if (by_name_.contains(name) || name == "previous") {
        reject(*given, "is the name of another layer");
      }
    }
    const std::vector<Value> inputs = inputs_of(layer, type);
    try {
      previous_ = type.add(net_, name, inputs, without(layer, {"type", "name", "from"}));
    } catch (const BatchError&) {
      throw;
    } catch (const ShapeError& error) {
      throw ConfigError(layer.where,
                        fmt::format("{} {}: {}", type.name, in_quotes(name), error.what()));
    }
    by_name_.emplace(std::move(name), previous_);
  }

  std::vector<Value> inputs_of(const Config& layer, const LayerType& type) {
    const Config* from = layer.find("from");
    if (from == nullptr) {
      return {previous_};
    }
    std::vector<Value> inputs;
    const bool several = from->kind == Config::Kind::kList;
    for (const Config& item : several ? from->items : std::vector<Config>{*from}) {
      const std::string& name = scalar_text(item, "the name of a layer");
      if (name == "previous") {
        inputs.push_back(previous_);
        continue;
      }
      const auto found = by_name_.find(name);
      if (found == by_name_.end()) {
        std::vector<std::string> known{"previous"};
        for (const auto& [other, value] : by_name_) {
          known.push_back(other);
        }
        reject(item, "is not a layer before this one (" + suggestion(name, known) + ")");
      }
      inputs.push_back(found->second);
    }
    if (inputs.empty() || (type.max_inputs != 0 && inputs.size() > type.max_inputs)) {
      const std::string expected =
          type.max_inputs == 0 ? "at least 1" : std::to_string(type.max_inputs);
      reject(*from, fmt::format("has {} inputs (expected {})", inputs.size(), expected));
    }
    return inputs;
  }

  Net net_;
  Value previous_;
  std::map<std::string, Value> by_name_;
  std::size_t count_ = 0;
};

bool is_max_pool(const Graph& /*graph*/, const Operator& op) {
  return op.kind == OperatorKind::kPool && !op.saved.empty();
}

bool is_rectifier(const Graph& graph, const Operator& op) {
  return op.kind == OperatorKind::kActivation &&
         graph.tensor(op.outputs.front()).storage == graph.tensor(op.inputs.front()).storage;
}

bool is_recurrent(const Graph& /*graph*/, const Operator& op) {
  return op.kind == OperatorKind::kRecurrent;
}

// Rejects an option that no layer of the model uses.
void check_options_used(const Config& config, const Graph& graph) {
  struct Option {
    const char* key;
    bool (*uses)(const Graph&, const Operator&);
    const char* who;
  };

  constexpr std::array kOptions{Option{"pool_saves", is_max_pool, "max-pooling layers"},
                                Option{"activation_saves", is_rectifier, "relu layers"},
                                Option{"recurrent_kernels", is_recurrent, "recurrent layers"}};
  for (const Option& option : kOptions) {
    const Config* written = config.find(option.key);
    if (written != nullptr && std::ranges::none_of(graph.operators, [&](const Operator& op) {
          return option.uses(graph, op);
        })) {
      reject_unused(*written, option.who);
    }
  }
}

// The keys of the network itself, or of a list of layers.
Config parameters_of(const Config& config) {
  return without(config,
                 {"network",
                  "pool_saves",
                  "activation_saves",
                  "recurrent_kernels",
                  "name",
                  "description",
                  "source"});
}

// Throws ConfigError, and BatchError.
Graph forward_pass(const ModelSource& source, double batch) {
  const Config& config = *source.config;
  NetOptions options;
  if (const Config* saves = config.find("pool_saves")) {
    options.pool_saves = read_config<PoolSaves>(*saves);
  }
  if (const Config* saves = config.find("activation_saves")) {
    options.activation_saves = read_config<ActivationSaves>(*saves);
  }
  if (const Config* kernels = config.find("recurrent_kernels")) {
    options.recurrent = read_config<RecurrentKernels>(*kernels);
  }
  ModelSource named = source;
  if (const Config* name = config.find("name")) {
    named.name = scalar_text(*name, "a name");
  }
  const Config* network = config.find("network");
  const Config* layers = config.find("layers");
  if (network != nullptr && layers != nullptr && layers->kind == Config::Kind::kScalar) {
    layers = nullptr;  // the network's own: how many
  }
  if ((network == nullptr) == (layers == nullptr)) {
    reject(config,
           network == nullptr ? "has neither a network nor layers (expected one of them)"
                              : "has a network and layers (expected one of them)");
  }
  const Config rest = layers != nullptr ? without(parameters_of(config), {"layers", "input"})
                                        : parameters_of(config);
  Graph graph;
  if (layers != nullptr) {
    if (!rest.keys.empty()) {
      reject(rest.items.front(),
             "belongs to an unknown key (known: input, layers, pool_saves, activation_saves, "
             "recurrent_kernels, name, description, source)");
    }
    graph = ListedLayers(named, batch, options).build(*layers);
  } else {
    const NetworkEntry& entry = entry_of(
        *network, kEntries, "a network", [](const NetworkEntry& e) { return e.network.name; });
    try {
      graph = entry.build(rest, batch, options);
    } catch (const BatchError&) {
      throw;
    } catch (const ShapeError& error) {
      throw ConfigError(config.where, error.what());
    }
  }
  check_options_used(config, graph);
  graph.name = named.name;
  return graph;
}

}  // namespace

std::span<const Network> networks() {
  return kNetworks;
}

NamedFile load_model(const std::string& text, const Folders& folders, const Where& where) {
  return in_our_keys(load_named(text, folders, "a model", where));
}

ModelSource model_source(const std::string& text, const Folders& folders, const Where& where) {
  NamedFile file = load_model(text, folders, where);
  return {std::move(file.config), std::move(file.name)};
}

ModelSource model_source(const Config& config, const Folders& folders) {
  if (is_hugging_face(config)) {
    NamedFile file = in_our_keys(NamedFile{.config = config, .name = ""});
    return {std::move(file.config), std::move(file.name)};
  }
  if (config.kind == Config::Kind::kMap) {
    const Config* network = config.find("network");
    const bool is_named = network != nullptr && network->kind == Config::Kind::kScalar;
    return {config, is_named ? network->text : "model"};
  }
  return model_source(scalar_text(config, "a model (a name or a map)"), folders, config.where);
}

bool is_language_model(const ModelSource& source) {
  const Config* network = source.config->find("network");
  return network != nullptr && network->kind == Config::Kind::kScalar && network->text == "gpt";
}

Gpt language_model(const ModelSource& source) {
  const Config& config = *source.config;
  if (!is_language_model(source)) {
    const Config* network = config.find("network");
    reject(network == nullptr ? config : *network,
           "is not a transformer language model (expected \"network: gpt\", or a config.json)");
  }
  return read_gpt(parameters_of(config));
}

Feasible<Graph> build_model(const ModelSource& source, double batch) {
  try {
    return forward_pass(source, batch);
  } catch (const BatchError& error) {
    return Infeasible{Lack::kBatch, error.what()};
  }
}

}  // namespace cairn::model
