// The number formats that devices compute in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/quantity.hpp"

namespace cairn::chip {

enum class Precision : std::uint8_t { kFp64, kFp32, kTf32, kFp16, kBf16, kFp8, kInt8 };

inline constexpr std::size_t kPrecisions = 7;

// Size in memory: tf32 has 19 significant bits, stored in 4 bytes.
Bytes element_bytes(Precision precision);

}  // namespace cairn::chip

template <>
struct cairn::EnumNames<cairn::chip::Precision> {
  using E = cairn::chip::Precision;
  static constexpr std::array<EnumName<E>, cairn::chip::kPrecisions> kNames{{{E::kFp64, "fp64"},
                                                                             {E::kFp32, "fp32"},
                                                                             {E::kTf32, "tf32"},
                                                                             {E::kFp16, "fp16"},
                                                                             {E::kBf16, "bf16"},
                                                                             {E::kFp8, "fp8"},
                                                                             {E::kInt8, "int8"}}};
};
