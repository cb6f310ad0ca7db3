#include "apps/cairn/verbs.hpp"

#include <memory>

#include "apps/cairn/examples.hpp"
#include "cairn/chip/device.hpp"
#include "cairn/chip/template.hpp"
#include "cairn/design.hpp"
#include "cairn/explore/search_file.hpp"
#include "cairn/model/networks/gpt.hpp"

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

std::string model_reference() {
  return schema_of(static_cast<const model::Gpt*>(nullptr)).reference();
}

}  // namespace

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs{
      row("run",
          "predict the time of a training step, and explain it",
          run,
          kRunExample,
          design_reference),
      row("study", "compare our results against a paper's claims", study, kStudyExample),
      row("search",
          "find the best designs of a search space",
          search,
          kSearchExample,
          explore::request_reference),
      row("sensitivity",
          "elasticity of step time in each parameter of a design",
          sensitivity,
          kSensitivityExample),
      row("collective",
          "predict the time of a collective, and explain it",
          collective,
          kCollectiveExample),
      row("model",
          "count the parameters and flops of a language model",
          model,
          kModelExample,
          model_reference),
      row("platform", "show the components and topology of a platform", platform, kPlatformExample),
      row("chip",
          "generate a chip from technology and budgets",
          chip,
          kChipExample,
          chip::template_reference),
      row("kernel",
          "predict the time of one operator on a device, and explain it",
          kernel,
          kKernelExample,
          chip::device_reference),
      row("validate", "compare predictions with measurements", validate, kValidateExample),
      row("calibrate", "fit a device to measurements", calibrate, kCalibrateExample),
      row("compare", "explain why results differ", compare, kCompareExample),
      row("list", "list designs, models, platforms and other names", list, kListExample)};
  return kVerbs;
}

}  // namespace cairn::app
