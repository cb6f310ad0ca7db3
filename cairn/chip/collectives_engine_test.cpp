#include "cairn/chip/collectives_engine.hpp"

#include <gtest/gtest.h>

#include "cairn/base/must_have.hpp"
#include "cairn/chip/read_device.hpp"

namespace cairn::chip {
namespace {

// The published totals are 5,339,031 um2 and 4,255 mW: 4 ALUs of 16,112 um2 and 7.552 mW, a control
// unit of 159,803 and 128, SRAM of 5,113,696 and 4,096, a switch of 1,084 and 0.329.
TEST(CollectivesEngine, AreaAndPowerOfAceAreThoseOfItsParts) {
  const auto device =
      read_device("ace-npu", DeviceFolders::in({CAIRN_DATA_FOLDER}), {"", 0, "device"});
  const CollectivesEngine engine = must_have(device->fabric.engine, "ACE's engine");

  EXPECT_NEAR(engine.area().si() * 1e12, 4 * 16112 + 159803 + 5113696 + 1084, 0.5);
  EXPECT_NEAR(engine.area().si() * 1e6, 5.34, 0.005);
  EXPECT_NEAR(engine.power().si(), 4.2545, 0.0005);
}

}  // namespace
}  // namespace cairn::chip
