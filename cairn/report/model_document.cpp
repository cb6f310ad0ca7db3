#include "cairn/report/model_document.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "cairn/base/many.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::report {

namespace {

using model::LayerSize;
using model::ModelSize;

// A whole number, printed as an integer while doubles are exact.
Value count_of(double number) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return number < kExact ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

std::string name_of(const LayerSize& layer) {
  return layer.part.empty() ? layer.kind : layer.kind + ", " + layer.part;
}

Table layers_of(const ModelSize& size) {
  Table table{.key = "layers",
              .columns = {{.label = "layer", .align = Align::kLeft},
                          {.key = "kind"},
                          {.key = "part"},
                          {.key = "count", .label = "count"},
                          {.key = "parameters"},
                          {.label = "parameters"},
                          {.label = "share", .show = Show::kBarAndPercent},
                          {.key = "flops_per_token", .label = "flops per token"},
                          {.label = "share", .show = Show::kBarAndPercent},
                          {.key = "flops_per_token_not_causal"}}};
  for (const LayerSize& layer : size.layers) {
    table.rows.push_back({name_of(layer),
                          layer.kind,
                          layer.part,
                          count_of(layer.count),
                          count_of(layer.parameters),
                          many(layer.parameters),
                          layer.parameters / size.parameters(),
                          Flops(layer.flops_per_token),
                          layer.flops_per_token / size.flops_per_token(),
                          Flops(layer.flops_per_token_not_causal)});
  }
  return table;
}

}  // namespace

Document document_of(const model::Gpt& gpt, const std::string& name) {
  const ModelSize size = size_of(gpt);
  Document document{.verb = "model", .name = name, .title = name};
  document.add(Field{.key = "parameters",
                     .value = count_of(size.parameters()),
                     .label = "parameters",
                     .text = many(size.parameters())});
  const bool all_active = size.active_parameters() == size.parameters();
  document.add(Field{.key = "active_parameters",
                     .value = count_of(size.active_parameters()),
                     .label = all_active ? "" : "active parameters",
                     .text = many(size.active_parameters()),
                     .note = "for one token"});
  document.add("seq", count_of(gpt.seq));
  document.add(
      Field{.key = "flops_per_token",
            .value = Flops(size.flops_per_token()),
            .label = "flops per token",
            .note = fmt::format("in a training step, sequences of {} tokens", many(gpt.seq))});
  document.add(Field{.key = "flops_per_token_not_causal",
                     .value = Flops(size.flops_per_token_not_causal()),
                     .label = "not causal",
                     .note = "counting all scores of causal attention, as many reports do"});
  document.add(layers_of(size));
  return document;
}

}  // namespace cairn::report
