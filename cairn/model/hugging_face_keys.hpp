// Reads the keys of a config.json and writes those of a model.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/base/config.hpp"

namespace cairn::model {

class HuggingFaceKeys {
 public:
  // Names of one key; the first that is in the file counts.
  using Names = std::initializer_list<std::string_view>;

  // `config`: a map with the key model_type. Must outlive this.
  explicit HuggingFaceKeys(const Config& config);

  // The value of a key; nullptr if it is absent or null.
  [[nodiscard]] const Config* find(Names theirs) const;
  // Throws ConfigError if it is absent or null.
  [[nodiscard]] const Config& get(Names theirs) const;
  [[nodiscard]] bool is(std::string_view theirs, bool otherwise) const;
  // A positive whole number.
  [[nodiscard]] std::uint32_t number(Names theirs) const;

  // Writes `ours` as it was written, or fails.
  void take(std::string_view ours, Names theirs);
  // The same, or leaves our default.
  void take_if(std::string_view ours, Names theirs);

  // A value that the model type, or `from`, decides.
  void set(std::string_view ours, std::string text);
  void set(std::string_view ours, std::string text, const Config& from);

  void set(std::string_view ours, bool value) { set(ours, std::string(value ? "true" : "false")); }

  void set(std::string_view ours, const std::vector<std::string>& texts, const Config& from);

  // What was written, in our keys.
  [[nodiscard]] Config take_result() && { return std::move(ours_); }

 private:
  void add(std::string_view ours, Config value);

  const Config& theirs_;
  const Config& type_;
  Config ours_;
};

}  // namespace cairn::model
