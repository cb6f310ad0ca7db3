// A training step's result as a document.
#pragma once

#include "cairn/chip/device.hpp"
#include "cairn/explain/step_result.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/report/document.hpp"

namespace cairn::report {

// The hardware that a step ran on.
struct StepSubject {
  const platform::Platform& platform;
  const chip::Device& device;
  chip::Precision precision;
};

// `detail`: adds timeline, memory over time, every operator, the roofline of the device and the
// platform's graph with link utilization; the step must be recorded. nullptr: no detail.
Document document_of(const explain::StepResult& result, const StepSubject* detail = nullptr);

}  // namespace cairn::report
