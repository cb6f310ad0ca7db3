#include "cairn/study/study_file.hpp"

namespace cairn::study {

void check_filled(const Config& file, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Config* list = file.find(key);
    if (list != nullptr && list->kind == Config::Kind::kList && list->items.empty()) {
      reject(*list, "has no items (expected at least one)");
    }
  }
}

}  // namespace cairn::study
