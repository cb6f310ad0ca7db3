#include "apps/cairn/pictures.hpp"

#include <cstdio>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "cairn/base/printable.hpp"
#include "cairn/report/plot.hpp"

namespace cairn::app {

Pictures::Pictures(std::optional<std::string> folder) : folder_(std::move(folder)) {
  if (folder_) {
    report::check_folder_writable(*folder_, at("--plot"));
  }
}

void Pictures::draw(const std::function<std::vector<report::Chart>()>& charts) const {
  if (!folder_) {
    return;
  }
  std::string note;  // the same for each chart that has one
  for (const report::Chart& chart : charts()) {
    const report::Plotted plotted = report::plot(chart, *folder_, at("--plot"));
    note = plotted.note.empty() ? note : "cairn: --plot: " + printable(plotted.note) + "\n";
  }
  std::fputs(note.c_str(), stderr);
}

}  // namespace cairn::app
