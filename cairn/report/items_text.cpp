#include "cairn/report/items_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/report/table.hpp"

namespace cairn::report {

std::string items_text(std::span<const Item> items) {
  std::size_t width = 0;
  for (const Item& item : items) {
    width = std::max(width, text_width(item.name));
  }
  const std::size_t indent = width + 2;
  std::string text;
  for (const Item& item : items) {
    const std::string blanks(item.description.empty() ? 0 : indent - text_width(item.name), ' ');
    text += item.name + blanks + wrap_text(item.description, indent) + "\n";
  }
  return text;
}

}  // namespace cairn::report
