#include "apps/cairn/page.hpp"

#include "apps/cairn/arguments.hpp"
#include "cairn/report/page.hpp"
#include "cairn/report/page_source.hpp"

namespace cairn::app {

Page::Page(const std::optional<std::string>& file) {
  if (file) {
    file_.emplace(*file, at("--report"));
  }
}

void Page::write(const report::Document& document) const {
  if (file_) {
    file_->write(
        [&](std::ostream& out) { report::write_page(report::page_source(), document, out); });
  }
}

}  // namespace cairn::app
