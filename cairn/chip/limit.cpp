#include "cairn/chip/limit.hpp"

#include "cairn/base/failure.hpp"

namespace cairn::chip {

std::string_view to_text(Limit limit) {
  switch (limit) {
    case Limit::kArea:
      return "area";
    case Limit::kPower:
      return "power";
    case Limit::kPerimeter:
      return "perimeter";
    case Limit::kPackageArea:
      return "package";
    case Limit::kMinimumVoltage:
      return "minimum voltage";
    case Limit::kMaximumVoltage:
      return "maximum voltage";
    case Limit::kAsWritten:
      return "as written";
  }
  throw Bug("a limit without a name");
}

}  // namespace cairn::chip
