// Kinds of measurements, recognised by their columns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cairn/evaluation_cache.hpp"
#include "cairn/kernel/cache.hpp"
#include "cairn/platform/platform.hpp"
#include "cairn/validate/comparison.hpp"
#include "cairn/validate/framework.hpp"
#include "cairn/validate/measured_table.hpp"

namespace cairn::validate {

// What rows of a kind are predicted on.
enum class SubjectKind : std::uint8_t { kDevice, kPlatform, kSystem };

// A device with cached kernel costs, a platform, or devices connected by a platform.
struct Subject {
  explicit Subject(chip::Device device) : kernels(std::move(device)) {}

  explicit Subject(platform::Platform platform)
      : kernels(chip::Device{}), devices(std::move(platform)), kind_(SubjectKind::kPlatform) {}

  Subject(chip::Device device, platform::Platform platform)
      : kernels(std::move(device)), devices(std::move(platform)), kind_(SubjectKind::kSystem) {}

  [[nodiscard]] const chip::Device& device() const { return kernels.device(); }

  [[nodiscard]] SubjectKind kind() const { return kind_; }

  [[nodiscard]] const std::string& name() const {
    return kind_ == SubjectKind::kPlatform ? devices->name : device().name;
  }

  kernel::Cache kernels;
  EvaluationCache evaluations{};  // of training steps
  std::optional<platform::Platform> devices{};
  Framework framework{};  // that runs training steps

 private:
  SubjectKind kind_ = SubjectKind::kDevice;
};

struct Kind {
  std::string_view name{};
  std::span<const std::string_view> columns{};   // required
  std::span<const std::string_view> optional{};  // optional columns, besides those of every kind
  bool fitted = true;                            // by calibration; false: held out
  SubjectKind subject = SubjectKind::kDevice;
  std::optional<chip::Precision> precision{};  // if there is no column `dtype`
  std::string_view framework{};                // that ran it (data/frameworks), if any
  // Adds the prediction of a row; throws ConfigError for an invalid row.
  void (*predict)(const MeasuredRow& row, Subject& subject, Comparison& comparison) = nullptr;
};

std::span<const Kind> kinds();

// Throws ConfigError, naming the column, if the table is of no kind.
const Kind& kind_of(const MeasuredTable& table);

// Predicts every row, and calls `on_done` after each. Precondition: subject.kind() is the kind's
// subject.
Comparison compare(const MeasuredTable& table,
                   Subject& subject,
                   const std::function<void()>& on_done = {});

// One per kind.
void predict_gemm(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_memory_bound(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_rows(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_attention(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_recurrent(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_hostcopy(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_contention(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_interference(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_training(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_megatron(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_published_gpt(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_llama2(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_nanotron(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_convolution(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_collective(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void predict_vidur_collective(const MeasuredRow& row, Subject& subject, Comparison& comparison);

// Kinds that are read and not predicted yet: every row is skipped.
void skip_chain(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void skip_optimizer(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void skip_grouped(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void skip_issue(const MeasuredRow& row, Subject& subject, Comparison& comparison);
void skip_power(const MeasuredRow& row, Subject& subject, Comparison& comparison);

}  // namespace cairn::validate
