// A study's file: the keys that every study has.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "cairn/base/schema.hpp"
#include "cairn/study/assumptions.hpp"
#include "cairn/study/study.hpp"

namespace cairn::study {

struct StudyKeys {
  std::string description{};
  std::string source{};
  std::string study{};
  Config assumptions{};
  Config claims{};
};

// The schema of a file derived from StudyKeys, to which its own keys are added.
template <class File>
Schema<File> study_schema(const char* doc) {
  using Text = std::string File::*;
  using Tree = Config File::*;
  return Schema<File>("study", doc)
      .optional("description", Text(&File::description), "one-line description")
      .optional("source", Text(&File::source), "the paper, or the origin of its parts")
      .optional("study", Text(&File::study), "name of the study, if not the file's name")
      .required("assumptions", Tree(&File::assumptions), "choices left open", "{...}")
      .required("claims", Tree(&File::claims), "the paper's claims, or questions", "[...]");
}

// Rejects empty lists.
void check_filled(const Config& file, std::initializer_list<std::string_view> keys);

}  // namespace cairn::study
