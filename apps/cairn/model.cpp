// cairn model: counts the parameters and flops of a language model.
#include <cstdint>
#include <limits>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/data.hpp"
#include "apps/cairn/options.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/model/hugging_face.hpp"
#include "cairn/model/parse.hpp"
#include "cairn/report/model_document.hpp"

namespace cairn::app {

namespace {

// With values changed by --set and --seq.
NamedFile written_model(const ModelRequest& request) {
  NamedFile file = model::in_our_keys(load_input(request.model, "models", "a model", "MODEL"));
  if (const std::string name = text_at(file.config, "name"); !name.empty()) {
    file.name = name;
  }
  for (const std::string& setting : request.settings) {
    set_value(file.config, setting);
    file.name += ", " + setting;
  }
  if (request.seq) {
    parse_count(*request.seq, "--seq", 1, std::numeric_limits<std::uint32_t>::max());
    file.config = without(file.config, {"seq"});
    file.config.keys.emplace_back("seq");
    file.config.items.push_back(value_of_flag(*request.seq, "--seq"));
  }
  return file;
}

}  // namespace

std::vector<Option> options_of(ModelRequest& request) {
  std::vector<Option> options{
      {.name = "MODEL",
       .doc = "a name (cairn list models), a YAML file, or a config.json of Hugging Face",
       .value = &request.model,
       .example = "llama-3.1-70b or my/config.json"},
      {"--seq", "N", "sequence length in tokens (default: the model's)", &request.seq},
      settings_option(request.settings, "change a value of the model, e.g. layers=16")};
  add_output(options, request.output);
  return options;
}

Answer model(const ModelRequest& request) {
  NamedFile file = written_model(request);
  const std::string description = text_at(file.config, "description");
  const model::ModelSource source(std::move(file.config), file.name);
  report::Document document = report::document_of(model::language_model(source), file.name);
  document.description = description;
  return document;
}

}  // namespace cairn::app
