#include "cairn/model/hugging_face_keys.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include "cairn/base/config_reader.hpp"

namespace cairn::model {

namespace {

Config written_at(const Where& where, Config::Kind kind, std::string text = {}) {
  Config config;
  config.kind = kind;
  config.where = where;
  config.text = std::move(text);
  return config;
}

}  // namespace

HuggingFaceKeys::HuggingFaceKeys(const Config& config)
    : theirs_(config),
      type_(*config.find("model_type")),
      ours_(written_at(config.where, Config::Kind::kMap)) {}

const Config* HuggingFaceKeys::find(Names theirs) const {
  for (const std::string_view key : theirs) {
    const Config* found = theirs_.find(key);
    if (found != nullptr && found->kind != Config::Kind::kNull) {
      return found;
    }
  }
  return nullptr;
}

const Config& HuggingFaceKeys::get(Names theirs) const {
  const Config* found = find(theirs);
  if (found == nullptr) {
    Where where = theirs_.where;
    where.key += (where.key.empty() ? "" : ".") + std::string(*theirs.begin());
    throw ConfigError(std::move(where), "is missing (needed by model_type " + type_.text + ")");
  }
  return *found;
}

bool HuggingFaceKeys::is(std::string_view theirs, bool otherwise) const {
  const Config* found = find({theirs});
  return found == nullptr ? otherwise : read_bool(*found);
}

std::uint32_t HuggingFaceKeys::number(Names theirs) const {
  return static_cast<std::uint32_t>(
      read_integer(get(theirs), 1, std::numeric_limits<std::int32_t>::max()));
}

void HuggingFaceKeys::take(std::string_view ours, Names theirs) {
  add(ours, get(theirs));
}

void HuggingFaceKeys::take_if(std::string_view ours, Names theirs) {
  if (const Config* found = find(theirs)) {
    add(ours, *found);
  }
}

void HuggingFaceKeys::set(std::string_view ours, std::string text) {
  set(ours, std::move(text), type_);
}

void HuggingFaceKeys::set(std::string_view ours, std::string text, const Config& from) {
  add(ours, written_at(from.where, Config::Kind::kScalar, std::move(text)));
}

void HuggingFaceKeys::set(std::string_view ours,
                          const std::vector<std::string>& texts,
                          const Config& from) {
  Config list = written_at(from.where, Config::Kind::kList);
  for (const std::string& text : texts) {
    list.items.push_back(written_at(from.where, Config::Kind::kScalar, text));
  }
  add(ours, std::move(list));
}

void HuggingFaceKeys::add(std::string_view ours, Config value) {
  ours_.keys.emplace_back(ours);
  ours_.items.push_back(std::move(value));
}

}  // namespace cairn::model
