#include "cairn/base/shared_module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cairn/base/failure.hpp"

namespace cairn {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SharedModule, NamesTheFileThatIsMissing) {
  EXPECT_THAT([] { find_in_module("cairn_nothing", "f"); },
              ThrowsMessage<ConfigError>(HasSubstr("libcairn_nothing.so cannot be loaded")));
}

}  // namespace
}  // namespace cairn
