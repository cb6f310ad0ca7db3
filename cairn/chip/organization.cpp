#include "cairn/chip/organization.hpp"

#include "cairn/base/failure.hpp"

namespace cairn::chip {

double neighbours(NetworkShape shape) {
  switch (shape) {
    case NetworkShape::kSwitch:
      return 1.0;
    case NetworkShape::kRing:
      return 2.0;
    case NetworkShape::kMesh:
    case NetworkShape::kTorus:
      return 4.0;
  }
  throw Bug("a network shape without neighbours");
}

}  // namespace cairn::chip
