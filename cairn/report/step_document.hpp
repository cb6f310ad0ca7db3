// A training step's result as a document.
#pragma once

#include "cairn/chip/device.hpp"
#include "cairn/explain/step_result.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// What a step ran on.
struct StepSubject {
  const platform::Platform& platform;
  const chip::Device& device;
  chip::Precision precision;
};

// `detail`: adds what ran when, memory over time, every operator, the roofs of the device and the
// platform's graph with what its links did, of a step that was recorded; nullptr: not.
Document document_of(const explain::StepResult& result, const StepSubject* detail = nullptr);

}  // namespace cairn::report
