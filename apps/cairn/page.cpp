#include "apps/cairn/page.hpp"

#include <utility>

#include "apps/cairn/arguments.hpp"
#include "cairn/report/atomic_file.hpp"
#include "cairn/report/page.hpp"
#include "cairn/report/page_source.hpp"

namespace cairn::app {

Page::Page(std::optional<std::string> file) : file_(std::move(file)) {
  if (file_) {
    report::check_writable(*file_, at("--report"));
  }
}

void Page::write(const std::function<std::string()>& json) const {
  if (file_) {
    const std::string result = json();
    report::write_atomically(*file_, at("--report"), [&](std::ostream& out) {
      report::write_page(report::page_source(), result, out);
    });
  }
}

}  // namespace cairn::app
