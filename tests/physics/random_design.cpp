#include "tests/physics/random_design.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/physics/random_case.hpp"
#include "tests/physics/support.hpp"

namespace cairn::random_case {

namespace {

std::string one_of(const std::vector<std::string>& texts) {
  return texts[in_range(0, static_cast<std::uint32_t>(texts.size()) - 1)];
}

std::uint32_t divisor_of(std::uint32_t number) {
  std::vector<std::uint32_t> divisors;
  for (std::uint32_t d = 1; d <= number; ++d) {
    if (number % d == 0) {
      divisors.push_back(d);
    }
  }
  return divisors[in_range(0, static_cast<std::uint32_t>(divisors.size()) - 1)];
}

// Shards that use all devices, and samples divisible by replicas and micro-batches.
std::string strategy(const Network& network, std::uint32_t platform_devices, MicroBatches many) {
  const std::uint32_t devices =
      in_range(0, 3) == 0 ? in_range(1, platform_devices) : platform_devices;
  const std::string parallelism = one_of(network.parallelisms);
  std::uint32_t left = devices;
  const std::uint32_t stages = in_range(0, 2) == 0 ? std::min(divisor_of(left), 4U) : 1;
  const std::uint32_t used = left % stages == 0 ? stages : 1;
  left /= used;
  const std::uint32_t k1 = parallelism == "data" ? 1 : divisor_of(left);
  left /= k1;
  const std::uint32_t k2 = parallelism == "row_column" ? divisor_of(left) : 1;
  left /= k2;
  const std::uint32_t micro_batches = many == MicroBatches::kMany
                                          ? *rc::gen::element(4U, 5U, 8U, 13U, 24U, 41U)
                                          : *rc::gen::element(1U, 1U, 2U, 4U);
  std::string text = fmt::format(
      "strategy:\n  parallelism: {}\n  devices: {}\n  tensor_rows: {}\n  tensor_columns: {}\n  "
      "data: {}\n  stages: {}\n"
      "  micro_batches: {}\n  batch: {}\n  gradient_sync: {}\n  bucket: {}\n",
      parallelism,
      devices,
      k1,
      k2,
      left,
      used,
      micro_batches,
      k1 * k2 * left * micro_batches * in_range(1, 4),
      one_of({"overlapped", "overlapped", "overlapped", "blocking", "contention_free"}),
      one_of({"0 B", "0 B", "1 MB"}));
  if (used > 1) {
    text += "  pipeline: " + one_of({"1f1b", "gpipe"}) + "\n";
    const bool full_groups = micro_batches % used == 0 || micro_batches < used;
    text += "  virtual_stages: " + (full_groups ? one_of({"1", "2"}) : "1") + "\n";
  }
  if (parallelism == "tensor" && in_range(0, 1) == 0) {
    text += "  sequence_parallel: true\n";
  }
  if (parallelism == "model") {
    text = "assumptions: {partial_sum: " + one_of({"all_reduce", "reduce_scatter"}) + "}\n" + text;
  }
  return text;
}

std::string training(const Network& network, std::string& strategy) {
  std::string text = "training:\n  optimizer: " + one_of({"sgd", "adam", "free"}) + "\n";
  if (!network.training.empty() && in_range(0, 3) == 0) {
    text += "  " + one_of(network.training) + "\n";
  }
  const std::uint32_t choice = in_range(0, 3);
  if (choice == 0) {
    strategy += "  zero: 1\n";
  } else if (choice == 1) {
    text += "  updates: before_use\n";
  }
  return text;
}

// Like ace-npu, with memory from negligible to the bottleneck of everything.
std::string device(std::uint32_t gigabytes_per_second) {
  return fmt::format(
      "device:\n"
      "  cores: {{count: 80, frequency: 1245 MHz, units: 8, rows: 4, columns: 4, "
      "matrix: {{fp16: 1204.82 flop}}, vector: 64 flop, dataflow: best}}\n"
      "  levels: [{{name: l2, scope: global, capacity: 6 MiB, per_cycle: 2048 B}}]\n"
      "  memory: {{capacity: 16 GB, bandwidth: {} GB/s}}\n"
      "  launch: {}\n"
      "  fabric: {{per_core: 64 B, bus: {}, engine: {{sram: 4 MiB, fsms: 16, alus: 4, "
      "per_alu: 64 B, chunk: 64 KiB, packet: 256 B}}}}\n",
      gigabytes_per_second,
      one_of({"500 ns", "4 us"}),
      one_of({"500 GB/s", "100 GB/s"}));
}

std::string endpoint_text(std::uint32_t gigabytes_per_second) {
  const std::string part = fmt::format("memory: {} GB/s", gigabytes_per_second / 4);
  std::vector<std::string> all{
      "ideal",
      "cores",
      "cores",
      "cores",
      "cores",
      "engine",
      "{executor: cores, sms: 8, " + part + "}",
      "{executor: cores, accounting: paper, sms: 20}",
      "{executor: cores, sharing: reserved, sms: 4, " + part + "}",
      "{executor: engine, " + part + ", engine: {sram: 1 MiB, chunk: 128 KiB, split: equal}}",
      "{executor: engine, accounting: paper, engine: {chunk: 256 KiB, fsms: 24, order: fifo}}",
      "{executor: engine, sharing: reserved, " + part + ", engine: {split: time, alus: 1}}"};
  if (gigabytes_per_second == 900) {
    all.insert(all.end(), {"comm-opt", "comp-opt", "ace"});
  }
  return one_of(all);
}

std::string indented(const std::string& yaml) {
  std::string result = "  ";
  for (const char c : yaml) {
    result += c;
    if (c == '\n') {
      result += "  ";
    }
  }
  return result + "\n";
}

// The value at a key path: "memory.window".
void remove(Config& config, std::string_view path) {
  const std::size_t dot = path.find('.');
  const auto found = std::ranges::find(config.keys, path.substr(0, dot));
  ensure(found != config.keys.end(), "an error names a key that does not exist");
  const auto item = config.items.begin() + (found - config.keys.begin());
  if (dot != std::string_view::npos) {
    remove(*item, path.substr(dot + 1));
    return;
  }
  config.items.erase(item);
  config.keys.erase(found);
}

bool has_store(const platform::Platform& platform) {
  return std::ranges::any_of(platform.graph.node_classes(), [](const platform::NodeClass& node) {
    return node.kind == platform::NodeKind::kMemoryNode ||
           node.kind == platform::NodeKind::kHostSocket;
  });
}

std::string memory() {
  return fmt::format(
      "memory:\n  offload: {}\n  overlap: {}\n  window: {}\n  recompute: {}\n  in_order: {}\n"
      "page_placement: {}\n",
      one_of({"everything", "everything", "convolutions", "none"}),
      one_of({"layer", "free", "none"}),
      in_range(1, 3),
      one_of({"true", "false"}),
      one_of({"true", "false"}),
      one_of({"local", "bandwidth_aware"}));
}

}  // namespace

const std::vector<Network>& networks() {
  static const std::vector<Network> kAll{
      {.name = "recommendation",
       .yaml = "{network: dlrm, tables: 8, rows: 100000, dim: 64, lookups: 20, dense: 64, "
               "bottom: [512, 64], top: [512, 256]}",
       .parallelisms = {"data", "hybrid", "hybrid", "model"},
       .training = {"tables: background"}},
      {.name = "attention",
       .yaml = "{network: gpt, layers: 2, hidden: 128, heads: 4, vocab: 500, seq: 32}",
       .parallelisms = {"data", "tensor", "tensor", "model", "row_column", "column_row"},
       .training = {"checkpoints: blocks"}},
      {.name = "attention_with_options",
       .yaml = "{network: gpt, layers: 2, hidden: 128, heads: 4, kv_heads: 2, head_dim: 64, "
               "vocab: 500, seq: 32, qk_norm: true, norm: rms, positions: rotary, mlp: gated_gelu, "
               "block: sandwich, window: 8, window_layers: [sliding, full], bias: false}",
       .parallelisms = {"data", "tensor", "tensor", "model", "row_column"}},
      {.name = "recurrent",
       .yaml = "{network: recurrent, cell: lstm, hidden: 256, steps: 2, layers: 2}",
       .parallelisms = {"data", "model", "row_column", "column_row"}},
      {.name = "convolutions",
       .yaml = "{input: {channels: 16, height: 8, width: 8}, layers: ["
               "{type: convolution, channels: 32, kernel: 3, pad: 1}, {type: relu}, "
               "{type: convolution, channels: 32, kernel: 3, pad: 1}, {type: relu}, "
               "{type: fully_connected, features: 256}, "
               "{type: fully_connected, features: 256}]}",
       .parallelisms = {"data", "model", "one_weird_trick"}}};
  return kAll;
}

std::string design(const Network& network, MicroBatches micro_batches) {
  const std::string platform_text =
      families()[in_range(0, static_cast<std::uint32_t>(families().size()) - 1)].yaml();
  const platform::Platform platform = platform_of_yaml(platform_text);
  std::string spread = strategy(network, platform.device_count(), micro_batches);
  const std::string trained_how = training(network, spread);
  const std::uint32_t memory_bandwidth = *rc::gen::element(900U, 300U, 200U, 160U, 120U, 60U);
  std::string text = fmt::format("model: {}\n{}platform:\n{}{}{}endpoint: {}\n",
                                 network.yaml,
                                 device(memory_bandwidth),
                                 indented(platform_text),
                                 spread,
                                 trained_how,
                                 endpoint_text(memory_bandwidth));
  const bool simple = micro_batches == MicroBatches::kMany && in_range(0, 3) > 0;
  const std::string algorithm =
      one_of({"",
              "",
              "algorithm: {all_reduce: ring}, ",
              "algorithm: direct, ",
              "algorithm: {all_reduce: hierarchical, all_gather: ring}, "});
  text += fmt::format("collectives: {{{}order: {}, chunk: {}}}\nsteps: {}\ncontention: {}\n",
                      algorithm,
                      simple ? "in_turn" : one_of({"in_turn", "fifo", "lifo"}),
                      one_of({"0 B", "64 KiB"}),
                      simple ? "1" : one_of({"1", "1", "2", "3"}),
                      one_of({"true", "true", "true", "true", "false"}));
  text += fmt::format(
      "launch: {{at_once: {}, order: {}, issue: {}, background: {{memory: 20 GB/s}}}}\n",
      simple ? "1" : one_of({"1", "1", "2"}),
      simple ? "program" : one_of({"program", "program", "ready"}),
      simple ? "0 s" : one_of({"0 s", "0 s", "3 us"}));
  if (has_store(platform) && !simple) {
    text += memory();
  }
  return text;
}

Design read(const std::string& text) {
  Config config = parse_config(text, "design.yaml");
  for (;;) {
    try {
      return read_design(config, DataFolders::in({CAIRN_DATA_FOLDER})).value();
    } catch (const ConfigError& error) {
      if (std::string_view(error.what()).find("has no effect") == std::string_view::npos) {
        throw;
      }
      remove(config, error.where().key);
    }
  }
}

}  // namespace cairn::random_case
