#include "cairn/chip/precision.hpp"

#include "cairn/base/failure.hpp"

namespace cairn::chip {

Bytes element_bytes(Precision precision) {
  switch (precision) {
    case Precision::kFp64:
      return Bytes(8.0);
    case Precision::kFp32:
    case Precision::kTf32:
      return Bytes(4.0);
    case Precision::kFp16:
    case Precision::kBf16:
      return Bytes(2.0);
    case Precision::kFp8:
    case Precision::kInt8:
      return Bytes(1.0);
  }
  throw Bug("a precision without a width");
}

}  // namespace cairn::chip
