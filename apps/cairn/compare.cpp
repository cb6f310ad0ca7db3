// cairn compare: why two results differ.
#include "cairn/report/compare.hpp"

#include <string>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/page.hpp"
#include "apps/cairn/result.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

std::string compare(const CompareRequest& request) {
  refuse_detail_without_json(request.detail, request.json);
  for (const auto& [name, file] : {std::pair("A", request.a), std::pair("B", request.b)}) {
    refuse_same_paths({{name, file}, {"--report", request.report}});
  }
  const Page page(request.report);
  report::ReadResult a = report::read_result(request.a, kVersion);  // whose faults are said first
  report::ReadResult b = report::read_result(request.b, kVersion);
  const report::Compared compared = report::compare(std::move(a), std::move(b));
  const auto json = [&] { return stamped("compare", "", report::compared_json(compared)); };
  page.write(json);
  return request.json ? json() : report::compared_text(compared);
}

}  // namespace cairn::app
