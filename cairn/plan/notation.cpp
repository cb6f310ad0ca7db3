#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "cairn/base/failure.hpp"
#include "cairn/plan/pipeline.hpp"
#include "cairn/plan/strategy.hpp"

namespace cairn::plan {

namespace {

constexpr std::uint32_t kMaxShards = 1U << 24U;
constexpr const char* kExpected =
    " (expected e.g. \"tp8-pp4-dp2\", \"RC-4-2-d3-p2\", \"CR-8-d16-p1\", \"d64\")";

// Consumes the text from the left.
class Reader {
 public:
  Reader(const Config& config, std::string_view text) : config_(config), rest_(text) {}

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) {
      return false;
    }
    rest_.remove_prefix(word.size());
    return true;
  }

  // `what`: the number's meaning, for error messages.
  std::uint32_t number(const char* what, std::uint32_t most = kMaxShards) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value == 0 || value > most) {
      reject(config_,
             fmt::format("needs a {} from 1 to {} at \"{}\"{}", what, most, rest_, kExpected));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  const Config& config_;
  std::string_view rest_;
};

// Sizes by the names that Megatron-LM and TorchTitan give them, in any order: "tp8-pp4-vp2-dp16".
// What is left out is 1, and dp takes the remaining devices.
struct AxisSize {
  std::string_view name;
  const char* what;
  std::uint32_t Strategy::* size;  // nullptr: not modelled
};

constexpr std::array<AxisSize, 6> kAxisSizes{
    {{"tp", "tensor-parallel size", &Strategy::tensor_rows},
     {"pp", "number of pipeline stages", &Strategy::stages},
     {"vp", "number of virtual stages", &Strategy::virtual_stages},
     {"dp", "data-parallel size", &Strategy::data},
     {"cp", "context-parallel size", nullptr},
     {"ep", "expert-parallel size", nullptr}}};

const AxisSize* axis_size_at(std::string_view text) {
  const auto found = std::ranges::find_if(kAxisSizes, [&](const AxisSize& axis) {
    return text.size() > 2 && text.starts_with(axis.name) && text[2] >= '0' && text[2] <= '9';
  });
  return found == kAxisSizes.end() ? nullptr : &*found;
}

Strategy parse_axis_sizes(const Config& config, Reader& reader) {
  Strategy strategy{.tensor_rows = 1, .tensor_columns = 1, .stages = 1};
  std::vector<std::string_view> seen;
  do {
    const AxisSize* axis = axis_size_at(reader.rest());
    if (axis == nullptr) {
      reject(config, fmt::format("has unexpected text \"{}\"{}", reader.rest(), kExpected));
    }
    if (std::ranges::find(seen, axis->name) != seen.end()) {
      reject(config, fmt::format("has {} twice", axis->name));
    }
    seen.push_back(axis->name);
    reader.take(axis->name);
    const bool is_virtual = axis->size == &Strategy::virtual_stages;
    const std::uint32_t size =
        reader.number(axis->what, is_virtual ? kMaxVirtualStages : kMaxShards);
    if (axis->size == nullptr && size > 1) {
      reject(config, fmt::format("{} of {} is not modelled yet (use 1)", axis->what, size));
    }
    if (axis->size != nullptr) {
      strategy.*axis->size = size;
    }
  } while (reader.take("-"));
  if (!reader.at_end()) {
    reject(config, fmt::format("has unexpected text \"{}\"{}", reader.rest(), kExpected));
  }
  if (strategy.virtual_stages > 1 && strategy.stages == 1) {
    reject(config, "has virtual stages without a pipeline (expected e.g. \"tp8-pp4-vp2-dp2\")");
  }
  strategy.parallelism = strategy.tensor_rows > 1 ? Parallelism::kTensor : Parallelism::kData;
  return strategy;
}

Strategy parse_notation(const Config& config) {
  const std::string& text = scalar_text(config, "a strategy (a name or a map)");
  if (axis_size_at(text) != nullptr) {
    Reader axes(config, text);
    return parse_axis_sizes(config, axes);
  }
  Strategy strategy{.tensor_rows = 1, .tensor_columns = 1, .data = 1, .stages = 1};
  Reader reader(config, text);
  if (reader.take("RC-")) {
    strategy.parallelism = Parallelism::kRowColumn;
    strategy.tensor_rows = reader.number("number of row shards");
    if (!reader.take("-")) {
      reject(config, fmt::format("needs a number of column shards{}", kExpected));
    }
    strategy.tensor_columns = reader.number("number of column shards");
  } else if (reader.take("CR-")) {
    strategy.parallelism = Parallelism::kColumnRow;
    strategy.tensor_rows = reader.number("number of tensor shards");
  } else if (reader.take("tensor-")) {
    strategy.parallelism = Parallelism::kTensor;
    strategy.tensor_rows = reader.number("number of tensor shards");
  } else if (reader.take("model-")) {
    strategy.parallelism = Parallelism::kModel;
    strategy.tensor_rows = reader.number("number of tensor shards");
  } else if (reader.take("one_weird_trick-")) {
    strategy.parallelism = Parallelism::kOneWeirdTrick;
    strategy.tensor_rows = reader.number("number of tensor shards");
  } else if (reader.take("hybrid-")) {
    strategy.parallelism = Parallelism::kHybrid;
    strategy.tensor_rows = reader.number("number of tensor shards");
  } else if (reader.take("d")) {
    strategy.data = reader.number("number of replicas");
  } else {
    reject(config, fmt::format("is not a strategy{}", kExpected));
  }
  if (strategy.parallelism != Parallelism::kData && reader.take("-d")) {
    strategy.data = reader.number("number of replicas");
  }
  if (reader.take("-p")) {
    strategy.stages = reader.number("number of stages");
  }
  if (reader.take("-v")) {
    strategy.virtual_stages = reader.number("number of virtual stages", kMaxVirtualStages);
    if (strategy.stages == 1) {
      reject(config, "has virtual stages without a pipeline (expected e.g. \"tensor-8-d2-p4-v2\")");
    }
  }
  if (!reader.at_end()) {
    reject(config, fmt::format("has unexpected text \"{}\"{}", reader.rest(), kExpected));
  }
  return strategy;
}

}  // namespace

Strategy read_strategy(const Config& config) {
  if (config.kind == Config::Kind::kScalar) {
    return parse_notation(config);
  }
  const Config* spread = config.find("spread");
  if (config.kind != Config::Kind::kMap || spread == nullptr) {
    return read_config<Strategy>(config);
  }
  const Strategy sizes = parse_notation(*spread);
  std::vector<const char*> set{"parallelism", "tensor_rows", "tensor_columns", "data", "stages"};
  if (spread->text.find("-v") != std::string::npos || spread->text.starts_with('v')) {
    set.push_back("virtual_stages");
  }
  for (const char* key : set) {
    if (const Config* both = config.find(key)) {
      reject(*both, "is already set by \"spread\" (remove one of them)");
    }
  }
  Config written = without(config, {"spread"});
  const auto write = [&](const char* key, std::string text) {
    written.keys.emplace_back(key);
    written.items.push_back(*spread);
    written.items.back().text = std::move(text);
  };
  write("parallelism", enum_name(sizes.parallelism));
  write("tensor_rows", std::to_string(sizes.tensor_rows));
  write("tensor_columns", std::to_string(sizes.tensor_columns));
  if (sizes.data > 0) {
    write("data", std::to_string(sizes.data));
  }
  write("stages", std::to_string(sizes.stages));
  if (sizes.virtual_stages > 1) {
    write("virtual_stages", std::to_string(sizes.virtual_stages));
  }
  return read_config<Strategy>(written);
}

std::string notation(const Strategy& strategy, const Mesh& mesh) {
  const std::string rest = fmt::format(
      "d{}-p{}{}",
      mesh.size(Axis::kData),
      mesh.size(Axis::kPipeline),
      pipeline_of(strategy).per_stage > 1 ? fmt::format("-v{}", strategy.virtual_stages) : "");
  switch (strategy.parallelism) {
    case Parallelism::kRowColumn:
      return fmt::format(
          "RC-{}-{}-{}", mesh.size(Axis::kTensor), mesh.size(Axis::kTensorColumns), rest);
    case Parallelism::kColumnRow:
      return fmt::format("CR-{}-{}", mesh.size(Axis::kTensor), rest);
    case Parallelism::kTensor:
      return fmt::format("tensor-{}-{}", mesh.size(Axis::kTensor), rest);
    case Parallelism::kModel:
      return fmt::format("model-{}-{}", mesh.size(Axis::kTensor), rest);
    case Parallelism::kOneWeirdTrick:
      return fmt::format("one_weird_trick-{}-{}", mesh.size(Axis::kTensor), rest);
    case Parallelism::kHybrid:
      return fmt::format("hybrid-{}-{}", mesh.size(Axis::kTensor), rest);
    case Parallelism::kData:
      break;
  }
  return rest;
}

std::string_view notation_form(Parallelism parallelism) {
  switch (parallelism) {
    case Parallelism::kData:
      return "dD-pP";
    case Parallelism::kModel:
      return "model-K1-dD-pP";
    case Parallelism::kOneWeirdTrick:
      return "one_weird_trick-K1-dD-pP";
    case Parallelism::kHybrid:
      return "hybrid-K1-dD-pP";
    case Parallelism::kRowColumn:
      return "RC-K1-K2-dD-pP";
    case Parallelism::kColumnRow:
      return "CR-K1-dD-pP";
    case Parallelism::kTensor:
      return "tensor-K1-dD-pP";
  }
  throw Bug("a parallelism without a notation");
}

std::string name_of(const Strategy& strategy, const Mesh& mesh) {
  const bool by_kernel = strategy.parallelism == Parallelism::kRowColumn ||
                         strategy.parallelism == Parallelism::kColumnRow ||
                         strategy.parallelism == Parallelism::kTensor;
  return by_kernel || mesh.axes().size() > 1 || mesh.stages() > 1 ? notation(strategy, mesh)
                                                                  : enum_name(strategy.parallelism);
}

}  // namespace cairn::plan
