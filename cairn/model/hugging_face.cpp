#include "cairn/model/hugging_face.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/model/hugging_face_types.hpp"

namespace cairn::model {

namespace {

struct ModelType {
  std::string_view name{};
  void (*read)(hugging_face::Keys&) = nullptr;
  const char* lacks = "";  // why it is not modelled
};

constexpr const char* kExperts = "experts are";
constexpr const char* kHybrid = "layers other than attention (Mamba, linear attention) are";

constexpr std::array kTypes{ModelType{"llama", hugging_face::read_llama},
                            ModelType{"mistral", hugging_face::read_mistral},
                            ModelType{"phi3", hugging_face::read_mistral},
                            ModelType{"granite", hugging_face::read_llama},
                            ModelType{"qwen2", hugging_face::read_qwen2},
                            ModelType{"qwen3", hugging_face::read_qwen3},
                            ModelType{"gemma", hugging_face::read_gemma},
                            ModelType{"gemma2", hugging_face::read_gemma2},
                            ModelType{"gemma3_text", hugging_face::read_gemma3},
                            ModelType{"starcoder2", hugging_face::read_starcoder2},
                            ModelType{"gpt2", hugging_face::read_gpt2},
                            ModelType{"opt", hugging_face::read_opt},
                            ModelType{"bloom", hugging_face::read_bloom},
                            ModelType{"gpt_neox", hugging_face::read_gpt_neox},
                            ModelType{"mpt", hugging_face::read_mpt},
                            ModelType{"falcon", hugging_face::read_falcon},
                            ModelType{"nemotron", hugging_face::read_nemotron},
                            ModelType{"mixtral", nullptr, kExperts},
                            ModelType{"qwen2_moe", nullptr, kExperts},
                            ModelType{"qwen3_moe", nullptr, kExperts},
                            ModelType{"deepseek_v2", nullptr, kExperts},
                            ModelType{"deepseek_v3", nullptr, kExperts},
                            ModelType{"kimi_k2", nullptr, kExperts},
                            ModelType{"llama4", nullptr, kExperts},
                            ModelType{"llama4_text", nullptr, kExperts},
                            ModelType{"gpt_oss", nullptr, kExperts},
                            ModelType{"granitemoe", nullptr, kExperts},
                            ModelType{"phimoe", nullptr, kExperts},
                            ModelType{"olmoe", nullptr, kExperts},
                            ModelType{"dbrx", nullptr, kExperts},
                            ModelType{"nemotron_h", nullptr, kHybrid},
                            ModelType{"jamba", nullptr, kHybrid},
                            ModelType{"qwen3_next", nullptr, kHybrid}};

const ModelType& type_of(const Config& written) {
  const std::string& text = scalar_text(written, "a type of model");
  const auto found = std::ranges::find(kTypes, text, &ModelType::name);
  if (found == kTypes.end()) {
    std::vector<std::string> known;
    for (const ModelType& type : kTypes) {
      if (type.read != nullptr) {
        known.emplace_back(type.name);
      }
    }
    reject(written, fmt::format("is not a known type of model ({})", suggestion(text, known)));
  }
  if (found->read == nullptr) {
    reject(written, fmt::format("is not modelled ({} not modelled yet)", found->lacks));
  }
  return *found;
}

// One of our keys that may stand beside those of the file.
void add_missing(Config& map, const char* key, const Config& from) {
  const Config* found = from.find(key);
  if (found != nullptr && map.find(key) == nullptr) {
    map.keys.emplace_back(key);
    map.items.push_back(*found);
  }
}

}  // namespace

bool is_hugging_face(const Config& config) {
  return config.kind == Config::Kind::kMap && config.find("model_type") != nullptr;
}

Config from_hugging_face(const Config& config) {
  const Config* text = config.find("text_config");
  Config read = text != nullptr && text->kind == Config::Kind::kMap ? *text : config;
  add_missing(read, "seq", config);
  const Config* type = read.find("model_type");
  if (type == nullptr) {
    Where where = read.where;
    where.key += where.key.empty() ? "model_type" : ".model_type";
    throw ConfigError(std::move(where), "is missing (expected e.g. llama)");
  }
  const ModelType& model = type_of(*type);
  HuggingFaceKeys keys(read);
  keys.set("network", std::string("gpt"));
  model.read(keys);
  Config result = std::move(keys).take_result();
  add_missing(result, "name", config);
  return result;
}

Config in_our_keys(Config model) {
  return is_hugging_face(model) ? from_hugging_face(model) : std::move(model);
}

NamedFile in_our_keys(NamedFile file) {
  if (is_hugging_face(file.config)) {
    if (file.name.empty() || file.name == "config") {
      file.name = file.config.find("model_type")->text;
    }
    file.config = from_hugging_face(file.config);
  }
  return file;
}

}  // namespace cairn::model
