#include "apps/cairn/verbs.hpp"

#include <memory>

#include "apps/cairn/examples.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/chip/template.hpp"
#include "cairn/design.hpp"
#include "cairn/explore/search_file.hpp"

namespace cairn::app {

namespace {

template <class Request>
Verb row(const char* name,
         const char* doc,
         Answer (*run)(const Request&),
         const char* examples,
         std::string (*reference)() = nullptr) {
  return {name, doc, examples, reference, [run] {
            const auto request = std::make_shared<Request>();
            return Invocation{
                options_of(*request), [=] { return run(*request); }, &request->output};
          }};
}

}  // namespace

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs{
      row("run", "how long a training step takes, and why", run, kRunExample, design_reference),
      row("study", "a paper's claims, ours beside theirs", study, kStudyExample),
      row("search", "the best of many designs", search, kSearchExample, explore::request_reference),
      row("sensitivity",
          "what more of each number of a design buys",
          sensitivity,
          kSensitivityExample),
      row("collective", "how long a collective takes, and why", collective, kCollectiveExample),
      row("platform", "what a platform is made of", platform, kPlatformExample),
      row("chip",
          "the chip that technology and budgets give",
          chip,
          kChipExample,
          chip::template_reference),
      row("kernel",
          "how long one operator takes on a device, and why",
          kernel,
          kKernelExample,
          chip::device_reference),
      row("validate", "how far predictions are from measurements", validate, kValidateExample),
      row("calibrate",
          "a device whose figures are fitted to measurements",
          calibrate,
          kCalibrateExample),
      row("compare", "why results differ", compare, kCompareExample),
      row("list", "what cairn knows", list, kListExample)};
  return kVerbs;
}

}  // namespace cairn::app
