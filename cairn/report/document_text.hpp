// A document as text for a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "cairn/report/document.hpp"

namespace cairn::report {

struct TextStyle {
  std::size_t width = kLineWidth;  // no line is longer
  bool colours = false;
};

// The value of a field as text; empty: the field is not shown.
std::string field_text(const Field& field);

// Title and description, fields as labelled lines, tables and paragraphs, with an empty line where
// the kind changes. Control characters in names from files are made visible.
std::string text_of(const Document& document, const TextStyle& style = {});

}  // namespace cairn::report
