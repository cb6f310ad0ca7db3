#include "cairn/base/shared_module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"

namespace cairn {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SharedModule, NamesTheFileThatIsMissing) {
  EXPECT_THAT(
      [] { find_in_module("cairn_nothing", "f"); },
      ThrowsMessage<ConfigError>(HasSubstr("cannot load a part of Cairn: libcairn_nothing.so")));
}

}  // namespace
}  // namespace cairn
