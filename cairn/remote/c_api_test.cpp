// Every failing call returns a status and leaves the context unchanged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include "cairn/remote/cairn_remote.h"

namespace {

using testing::HasSubstr;
using testing::StrEq;

constexpr std::size_t kKiB = 1024;

class CApi : public testing::Test {
 protected:
  void SetUp() override {
    cairn_options options = small();
    ASSERT_EQ(cairn_context_create(&options, &context, nullptr, 0), CAIRN_OK);
    ASSERT_EQ(cairn_malloc_local(context, 256 * kKiB, &local), CAIRN_OK);
    ASSERT_EQ(cairn_malloc_remote(context, 256 * kKiB, &remote), CAIRN_OK);
  }

  void TearDown() override { EXPECT_EQ(cairn_context_destroy(context), CAIRN_OK); }

  static cairn_options small() {
    cairn_options options = cairn_default_options();
    options.platform = "mc_dla_ring:8x3@25GB/s,500ns";
    options.page_size = 64 * kKiB;
    options.local_capacity = 1024 * kKiB;
    options.node_capacity = 1024 * kKiB;
    return options;
  }

  cairn_status copy(cairn_address to,
                    cairn_address from,
                    std::size_t size,
                    cairn_direction direction,
                    cairn_stream stream = CAIRN_DEFAULT_STREAM) {
    return cairn_memcpy_async(context, to, from, size, direction, stream);
  }

  cairn_context* context = nullptr;
  cairn_address local = 0;
  cairn_address remote = 0;
};

TEST_F(CApi, RejectsANullContext) {
  cairn_address address = 0;
  double seconds = 0.0;
  EXPECT_EQ(cairn_malloc_local(nullptr, 1, &address), CAIRN_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cairn_free_remote(nullptr, 1), CAIRN_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cairn_elapsed(nullptr, &seconds), CAIRN_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cairn_context_destroy(nullptr), CAIRN_ERROR_INVALID_CONTEXT);
}

TEST_F(CApi, RejectsNullOutputs) {
  EXPECT_EQ(cairn_malloc_local(context, 1, nullptr), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_malloc_remote(context, 1, nullptr), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_map(context, local, 1, nullptr), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_stream_create(context, nullptr), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_elapsed(context, nullptr), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_get_memory_info(context, nullptr), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_context_create(nullptr, nullptr, nullptr, 0), CAIRN_ERROR_INVALID_VALUE);
}

TEST_F(CApi, ReportsWhyAPlatformIsInvalid) {
  cairn_context* another = nullptr;
  std::array<char, 200> message{};
  cairn_options options = small();
  options.platform = "mc_dla_rung:8x3@25GB/s,500ns";
  EXPECT_EQ(cairn_context_create(&options, &another, message.data(), message.size()),
            CAIRN_ERROR_INVALID_PLATFORM);
  EXPECT_THAT(message.data(), HasSubstr("mc_dla_ring"));  // the nearest name
  EXPECT_EQ(another, nullptr);

  std::array<char, 5> shorter{};
  EXPECT_EQ(cairn_context_create(&options, &another, shorter.data(), shorter.size()),
            CAIRN_ERROR_INVALID_PLATFORM);
  EXPECT_EQ(std::string(shorter.data()), std::string(message.data(), 4));

  options = small();
  EXPECT_EQ(cairn_context_create(&options, &another, message.data(), message.size()), CAIRN_OK);
  EXPECT_THAT(message.data(), StrEq(""));
  EXPECT_EQ(cairn_context_destroy(another), CAIRN_OK);
}

TEST_F(CApi, RejectsInvalidOptions) {
  const auto status_with = [](auto change) {
    cairn_options options = small();
    change(options);
    cairn_context* another = nullptr;
    return cairn_context_create(&options, &another, nullptr, 0);
  };
  EXPECT_EQ(status_with([](auto& o) { o.platform = nullptr; }), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_with([](auto& o) { o.placement = 2; }), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_with([](auto& o) { o.device = 8; }), CAIRN_ERROR_INVALID_PLATFORM);
  EXPECT_EQ(status_with([](auto& o) { o.platform = "ring:4@25GB/s"; }),
            CAIRN_ERROR_NO_REMOTE_MEMORY);
  EXPECT_EQ(status_with([](auto& o) { o.page_size = 1000; }), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_with([](auto& o) { o.local_bandwidth = 0.0; }), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_with([](auto& o) { o.local_latency = -1.0; }), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(status_with([](auto& o) { o.node_capacity = std::uint64_t{1} << 47U; }),
            CAIRN_ERROR_ADDRESS_LIMIT);
}

TEST_F(CApi, RejectsInvalidMallocsAndFrees) {
  cairn_address address = 77;
  EXPECT_EQ(cairn_malloc_remote(context, 0, &address), CAIRN_ERROR_ZERO_SIZE);
  EXPECT_EQ(cairn_malloc_remote(context, 3000 * kKiB, &address), CAIRN_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cairn_malloc_local(context, SIZE_MAX, &address), CAIRN_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(address, 77U);

  EXPECT_EQ(cairn_free_local(context, remote), CAIRN_ERROR_WRONG_MEMORY);
  EXPECT_EQ(cairn_free_remote(context, remote + 8), CAIRN_ERROR_MISALIGNED);
  EXPECT_EQ(cairn_free_remote(context, 0), CAIRN_ERROR_FOREIGN_POINTER);
  EXPECT_EQ(cairn_free_remote(context, std::uint64_t{1} << 48U), CAIRN_ERROR_FOREIGN_POINTER);
  EXPECT_EQ(cairn_free_remote(context, remote), CAIRN_OK);
  EXPECT_EQ(cairn_free_remote(context, remote), CAIRN_ERROR_FREED_POINTER);
}

TEST_F(CApi, RejectsInvalidCopies) {
  EXPECT_EQ(copy(remote, local, 0, CAIRN_LOCAL_TO_REMOTE), CAIRN_ERROR_ZERO_SIZE);
  EXPECT_EQ(copy(remote, local, 257 * kKiB, CAIRN_LOCAL_TO_REMOTE), CAIRN_ERROR_OUT_OF_RANGE);
  EXPECT_EQ(copy(remote + 1, local, 256 * kKiB, CAIRN_LOCAL_TO_REMOTE), CAIRN_ERROR_OUT_OF_RANGE);
  EXPECT_EQ(copy(remote, local, SIZE_MAX, CAIRN_LOCAL_TO_REMOTE), CAIRN_ERROR_OUT_OF_RANGE);
  EXPECT_EQ(copy(remote, local, 1, CAIRN_REMOTE_TO_LOCAL), CAIRN_ERROR_WRONG_MEMORY);
  EXPECT_EQ(copy(remote, remote + kKiB, 1, CAIRN_LOCAL_TO_REMOTE), CAIRN_ERROR_WRONG_MEMORY);
  EXPECT_EQ(copy(local, local + 100, 101, CAIRN_LOCAL_TO_LOCAL), CAIRN_ERROR_OVERLAP);
  EXPECT_EQ(copy(local, local, 1, CAIRN_LOCAL_TO_LOCAL), CAIRN_ERROR_OVERLAP);
  EXPECT_EQ(copy(local, local + 100, 100, CAIRN_LOCAL_TO_LOCAL), CAIRN_OK);
  EXPECT_EQ(copy(7, local, 1, CAIRN_LOCAL_TO_REMOTE), CAIRN_ERROR_FOREIGN_POINTER);
  EXPECT_EQ(copy(remote, local, 1, CAIRN_LOCAL_TO_REMOTE, 5), CAIRN_ERROR_INVALID_STREAM);
}

TEST_F(CApi, RejectsAnUnknownDirection) {
  EXPECT_EQ(copy(remote, local, 1, 3), CAIRN_ERROR_INVALID_DIRECTION);
  EXPECT_EQ(copy(remote, local, 1, -1), CAIRN_ERROR_INVALID_DIRECTION);
}

TEST_F(CApi, RejectsADestroyedStream) {
  cairn_stream first = 0;
  cairn_stream second = 0;
  ASSERT_EQ(cairn_stream_create(context, &first), CAIRN_OK);
  ASSERT_EQ(cairn_stream_destroy(context, first), CAIRN_OK);
  ASSERT_EQ(cairn_stream_create(context, &second), CAIRN_OK);

  EXPECT_NE(first, second);
  EXPECT_EQ(cairn_stream_synchronize(context, first), CAIRN_ERROR_INVALID_STREAM);
  EXPECT_EQ(cairn_stream_destroy(context, first), CAIRN_ERROR_INVALID_STREAM);
  EXPECT_EQ(cairn_stream_destroy(context, CAIRN_DEFAULT_STREAM), CAIRN_ERROR_INVALID_STREAM);
  EXPECT_EQ(cairn_stream_synchronize(context, second), CAIRN_OK);
}

TEST_F(CApi, RejectsInvalidTimes) {
  EXPECT_EQ(cairn_advance(context, -1.0), CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_advance(context, std::numeric_limits<double>::quiet_NaN()),
            CAIRN_ERROR_INVALID_VALUE);
  EXPECT_EQ(cairn_advance(context, 1e9), CAIRN_ERROR_TIME_LIMIT);
  double seconds = 1.0;
  EXPECT_EQ(cairn_elapsed(context, &seconds), CAIRN_OK);
  EXPECT_EQ(seconds, 0.0);
}

TEST_F(CApi, CountsPages) {
  cairn_memory_info info;
  ASSERT_EQ(cairn_get_memory_info(context, &info), CAIRN_OK);
  EXPECT_EQ(info.page_size, 64 * kKiB);
  EXPECT_EQ(info.local_pages, 16U);
  EXPECT_EQ(info.local_pages_free, 12U);
  EXPECT_EQ(info.remote_pages, 32U);
  EXPECT_EQ(info.remote_pages_free, 28U);
}

TEST_F(CApi, ContextsAreIndependent) {
  cairn_options options = small();
  cairn_context* other = nullptr;
  ASSERT_EQ(cairn_context_create(&options, &other, nullptr, 0), CAIRN_OK);
  EXPECT_EQ(copy(remote, local, 1, CAIRN_LOCAL_TO_REMOTE), CAIRN_OK);
  EXPECT_EQ(cairn_device_synchronize(context), CAIRN_OK);
  double seconds = 1.0;
  EXPECT_EQ(cairn_elapsed(other, &seconds), CAIRN_OK);
  EXPECT_EQ(seconds, 0.0);
  EXPECT_EQ(cairn_free_local(other, local), CAIRN_ERROR_FOREIGN_POINTER);
  EXPECT_EQ(cairn_context_destroy(other), CAIRN_OK);
}

TEST(StatusText, ExistsForEachStatus) {
  for (cairn_status status = CAIRN_OK; status <= CAIRN_ERROR_INTERNAL; ++status) {
    EXPECT_THAT(cairn_status_text(status), testing::Not(StrEq("no such status")));
  }
  EXPECT_THAT(cairn_status_text(-1), StrEq("no such status"));
  EXPECT_THAT(cairn_status_text(CAIRN_ERROR_INTERNAL + 1), StrEq("no such status"));
}

}  // namespace
