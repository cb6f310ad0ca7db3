// A document for people, at a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "cairn/report/document.hpp"

namespace cairn::report {

struct TextStyle {
  std::size_t width = kLineWidth;  // no line is longer
  bool colours = false;
};

// How people read a field's value; empty: they do not.
std::string field_text(const Field& field);

// Title and description, fields as labelled lines, tables and paragraphs, an empty line between
// what is of different kinds. What a terminal would obey, in names from files, is shown instead.
std::string text_of(const Document& document, const TextStyle& style = {});

}  // namespace cairn::report
