// The C interface: calls of the runtime, with exceptions converted to statuses.
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "cairn/base/failure.hpp"
#include "cairn/platform/parse.hpp"
#include "cairn/remote/cairn_remote.h"
#include "cairn/remote/error.hpp"
#include "cairn/remote/runtime.hpp"

struct cairn_context {
  cairn::remote::Runtime runtime;
};

namespace {

using namespace cairn::remote;

// Runs `call` and converts exceptions to a status; their text goes to `message`, if given.
template <class Call>
cairn_status guarded(Call call, std::string* message = nullptr) {
  const auto failed = [&](cairn_status status, const char* text) {
    if (message != nullptr) {
      *message = text;
    }
    return status;
  };
  try {
    call();
    return CAIRN_OK;
  } catch (const Error& error) {
    return failed(error.code(), error.what());
  } catch (const cairn::ConfigError& error) {
    return failed(CAIRN_ERROR_INVALID_PLATFORM, error.what());
  } catch (const std::bad_alloc&) {
    return failed(CAIRN_ERROR_HOST_MEMORY, cairn_status_text(CAIRN_ERROR_HOST_MEMORY));
  } catch (const std::exception& error) {
    return failed(CAIRN_ERROR_INTERNAL, error.what());
  } catch (...) {
    return CAIRN_ERROR_INTERNAL;
  }
}

// The same on the runtime of a context.
template <class Call>
cairn_status in(cairn_context* context, Call call) {
  if (context == nullptr) {
    return CAIRN_ERROR_INVALID_CONTEXT;
  }
  return guarded([&] { call(context->runtime); });
}

Options options_from(const cairn_options& c) {
  require(c.placement == CAIRN_PLACEMENT_LOCAL || c.placement == CAIRN_PLACEMENT_BW_AWARE,
          CAIRN_ERROR_INVALID_VALUE);
  return {.device = c.device,
          .placement = c.placement == CAIRN_PLACEMENT_LOCAL ? PagePlacement::kLocal
                                                            : PagePlacement::kBandwidthAware,
          .page_size = c.page_size,
          .local = {.capacity = c.local_capacity,
                    .bandwidth = cairn::BytesPerSecond(c.local_bandwidth),
                    .latency = cairn::Seconds(c.local_latency)},
          .node_capacity = c.node_capacity,
          .bits = {.virtual_bits = c.virtual_bits, .physical_bits = c.physical_bits}};
}

cairn::platform::Platform platform_from(const cairn_options& c) {
  require(c.platform != nullptr, CAIRN_ERROR_INVALID_VALUE);
  cairn::platform::SearchPath presets;
  if (c.presets != nullptr) {
    presets.emplace_back(c.presets);
  }
  return cairn::platform::read_platform(
      c.platform, presets, {.file = "", .line = 0, .key = "platform"});
}

Direction direction_from(cairn_direction direction) {
  switch (direction) {
    case CAIRN_LOCAL_TO_REMOTE:
      return Direction::kLocalToRemote;
    case CAIRN_REMOTE_TO_LOCAL:
      return Direction::kRemoteToLocal;
    case CAIRN_LOCAL_TO_LOCAL:
      return Direction::kLocalToLocal;
    default:
      throw Error(CAIRN_ERROR_INVALID_DIRECTION);
  }
}

cairn_status allocate(cairn_context* context, Kind kind, size_t size, cairn_address* address) {
  return in(context, [&](Runtime& runtime) {
    require(address != nullptr, CAIRN_ERROR_INVALID_VALUE);
    *address = runtime.malloc(kind, size);
  });
}

}  // namespace

cairn_options cairn_default_options(void) {
  const Options options;
  return {.platform = nullptr,
          .presets = nullptr,
          .device = options.device,
          .placement = CAIRN_PLACEMENT_BW_AWARE,
          .page_size = options.page_size,
          .local_capacity = options.local.capacity,
          .local_bandwidth = options.local.bandwidth.si(),
          .local_latency = options.local.latency.si(),
          .node_capacity = options.node_capacity,
          .virtual_bits = options.bits.virtual_bits,
          .physical_bits = options.bits.physical_bits};
}

cairn_status cairn_context_create(const cairn_options* options,
                                  cairn_context** context,
                                  char* message,
                                  size_t message_size) {
  std::string text;
  const cairn_status status = guarded(
      [&] {
        require(options != nullptr && context != nullptr, CAIRN_ERROR_INVALID_VALUE);
        *context = nullptr;
        *context = new cairn_context{{platform_from(*options), options_from(*options)}};
      },
      &text);
  if (message != nullptr && message_size > 0) {
    message[text.copy(message, message_size - 1)] = '\0';
  }
  return status;
}

cairn_status cairn_context_destroy(cairn_context* context) {
  if (context == nullptr) {
    return CAIRN_ERROR_INVALID_CONTEXT;
  }
  delete context;
  return CAIRN_OK;
}

cairn_status cairn_malloc_local(cairn_context* context, size_t size, cairn_address* address) {
  return allocate(context, Kind::kLocal, size, address);
}

cairn_status cairn_malloc_remote(cairn_context* context, size_t size, cairn_address* address) {
  return allocate(context, Kind::kRemote, size, address);
}

cairn_status cairn_free_local(cairn_context* context, cairn_address address) {
  return in(context, [&](Runtime& runtime) { runtime.free(Kind::kLocal, address); });
}

cairn_status cairn_free_remote(cairn_context* context, cairn_address address) {
  return in(context, [&](Runtime& runtime) { runtime.free(Kind::kRemote, address); });
}

cairn_status cairn_map(cairn_context* context, cairn_address address, size_t size, void** pointer) {
  return in(context, [&](Runtime& runtime) {
    require(pointer != nullptr, CAIRN_ERROR_INVALID_VALUE);
    *pointer = runtime.map(address, size);
  });
}

cairn_status cairn_memcpy_async(cairn_context* context,
                                cairn_address to,
                                cairn_address from,
                                size_t size,
                                cairn_direction direction,
                                cairn_stream stream) {
  return in(context, [&](Runtime& runtime) {
    runtime.copy(to, from, size, direction_from(direction), stream);
  });
}

cairn_status cairn_stream_create(cairn_context* context, cairn_stream* stream) {
  return in(context, [&](Runtime& runtime) {
    require(stream != nullptr, CAIRN_ERROR_INVALID_VALUE);
    *stream = runtime.create_stream();
  });
}

cairn_status cairn_stream_destroy(cairn_context* context, cairn_stream stream) {
  return in(context, [&](Runtime& runtime) { runtime.destroy_stream(stream); });
}

cairn_status cairn_stream_synchronize(cairn_context* context, cairn_stream stream) {
  return in(context, [&](Runtime& runtime) { runtime.synchronize(stream); });
}

cairn_status cairn_device_synchronize(cairn_context* context) {
  return in(context, [&](Runtime& runtime) { runtime.synchronize(); });
}

cairn_status cairn_advance(cairn_context* context, double seconds) {
  return in(context, [&](Runtime& runtime) { runtime.advance(cairn::Seconds(seconds)); });
}

cairn_status cairn_elapsed(cairn_context* context, double* seconds) {
  return in(context, [&](const Runtime& runtime) {
    require(seconds != nullptr, CAIRN_ERROR_INVALID_VALUE);
    *seconds = runtime.elapsed().si();
  });
}

cairn_status cairn_get_memory_info(cairn_context* context, cairn_memory_info* info) {
  return in(context, [&](const Runtime& runtime) {
    require(info != nullptr, CAIRN_ERROR_INVALID_VALUE);
    const AddressSpace& space = runtime.memory().space();
    const std::uint64_t local = space.local().count;
    *info = {.page_size = space.page_size(),
             .local_pages = local,
             .local_pages_free = runtime.memory().free_pages(Kind::kLocal),
             .remote_pages = space.all_frames().count - local,
             .remote_pages_free = runtime.memory().free_pages(Kind::kRemote)};
  });
}
