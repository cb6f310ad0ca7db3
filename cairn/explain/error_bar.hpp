// How far off a step may be, from how far off kernels of its kinds were.
#pragma once

#include <optional>
#include <span>

#include "cairn/chip/device.hpp"
#include "cairn/kernel/cost.hpp"
#include "cairn/model/graph.hpp"

namespace cairn::explain {

// The mean error of kernels that the device was not calibrated on, by kind of measurement, weighted
// with the time that the step's kernels of that kind take. Nothing where the device is not
// calibrated, or where kernels of a kind that was not measured take more than a hundredth of it.
std::optional<double> error_bar(const model::Graph& graph,
                                std::span<const kernel::Cost> costs,
                                chip::Precision precision,
                                const chip::Device& device);

}  // namespace cairn::explain
