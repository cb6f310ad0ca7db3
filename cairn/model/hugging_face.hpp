// The configuration that Hugging Face publishes with a model's weights, config.json, as a model of
// ours. Keys that have no effect on time and memory are ignored.
#pragma once

#include "cairn/base/named_file.hpp"

namespace cairn::model {

// A map with the key `model_type`.
bool is_hugging_face(const Config& config);

// The same model as `network: gpt` with our keys; each keeps the place of the key that it was
// written as. Of a model that reads more than text, the part in `text_config`. `seq`, which these
// files do not have, is the largest sequence, at most 8,192. Throws ConfigError for a model type
// that is unknown or not modelled, and for a missing key.
Config from_hugging_face(const Config& config);

// A model in either form. A file that is called config.json is named after its model type.
NamedFile in_our_keys(NamedFile file);
// A value of a design: a name, or a map in either form.
Config in_our_keys(Config model);

}  // namespace cairn::model
