/* Remote memory for one device: the runtime interface of memory-centric systems (Kwon and Rhu,
 * MICRO 2018, Table I), for C and C++. A context is one device of a platform with its local memory
 * and its share of the memory-nodes. Bytes are really copied; time is simulated. docs/remote.md has
 * the address map, the equations and the semantics.
 *
 *   cairn_options options = cairn_default_options();
 *   options.platform = "mc_dla_ring:8x3@25GB/s,500ns";
 *   cairn_context* context;
 *   cairn_status status = cairn_context_create(&options, &context, NULL, 0);
 *   cairn_malloc_remote(context, 1 << 30, &far_away);
 *   cairn_memcpy_async(
 *       context, far_away, near, 1 << 20, CAIRN_LOCAL_TO_REMOTE, CAIRN_DEFAULT_STREAM);
 *   cairn_device_synchronize(context);
 *
 * Every function returns a status and never throws or exits; a call that fails changes nothing. A
 * context belongs to one thread at a time. */
#ifndef CAIRN_REMOTE_H
#define CAIRN_REMOTE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Enumerations are ints, so that an invalid value is an error, not undefined behaviour. */
typedef int cairn_status;

enum {
  CAIRN_OK = 0,
  CAIRN_ERROR_INVALID_VALUE,
  CAIRN_ERROR_INVALID_CONTEXT,
  CAIRN_ERROR_INVALID_PLATFORM,
  CAIRN_ERROR_NO_REMOTE_MEMORY,
  CAIRN_ERROR_ADDRESS_LIMIT,
  CAIRN_ERROR_ZERO_SIZE,
  CAIRN_ERROR_OUT_OF_MEMORY,
  CAIRN_ERROR_OUT_OF_ADDRESSES,
  CAIRN_ERROR_FOREIGN_POINTER,
  CAIRN_ERROR_FREED_POINTER,
  CAIRN_ERROR_MISALIGNED,
  CAIRN_ERROR_WRONG_MEMORY,
  CAIRN_ERROR_OUT_OF_RANGE,
  CAIRN_ERROR_OVERLAP,
  CAIRN_ERROR_INVALID_DIRECTION,
  CAIRN_ERROR_INVALID_STREAM,
  CAIRN_ERROR_TIME_LIMIT,
  CAIRN_ERROR_HOST_MEMORY,
  CAIRN_ERROR_INTERNAL
};

/* One sentence; never NULL. */
const char* cairn_status_text(cairn_status status);

typedef int cairn_placement;

enum {
  CAIRN_PLACEMENT_LOCAL = 0,   /* LOCAL: each allocation on one memory-node */
  CAIRN_PLACEMENT_BW_AWARE = 1 /* BW_AWARE: pages round robin over all of them */
};

typedef struct cairn_options {
  const char*
      platform; /* a preset's name, a YAML file, or inline text, as for `cairn` */
  const char* presets; /* folder of presets (data/platforms); NULL: none */
  uint32_t device;     /* rank of the device on the platform */
  cairn_placement placement;
  uint64_t page_size; /* bytes; a power of two, and a multiple of the host's page */
  uint64_t local_capacity;
  double local_bandwidth; /* bytes per second */
  double local_latency;   /* seconds */
  uint64_t node_capacity; /* the device's share of one memory-node; 0: as the platform states */
  uint32_t virtual_bits;
  uint32_t physical_bits;
} cairn_options;

/* Defaults of all options except the platform. */
cairn_options cairn_default_options(void);

typedef struct cairn_context cairn_context;

/* On failure `message` (may be NULL) receives the reason, truncated to `message_size` bytes with
 * its terminating 0. */
cairn_status cairn_context_create(const cairn_options* options,
                                  cairn_context** context,
                                  char* message,
                                  size_t message_size);
/* Copies in flight are cancelled. */
cairn_status cairn_context_destroy(cairn_context* context);

/* A device address, not a host pointer (see cairn_map). Never 0. */
typedef uint64_t cairn_address;

/* Whole pages, initialized to zeros. */
cairn_status cairn_malloc_local(cairn_context* context, size_t size, cairn_address* address);
cairn_status cairn_malloc_remote(cairn_context* context, size_t size, cairn_address* address);
/* Waits, in simulated time, for copies that use the memory. */
cairn_status cairn_free_local(cairn_context* context, cairn_address address);
cairn_status cairn_free_remote(cairn_context* context, cairn_address address);

/* A pointer through which the program reads and writes `size` bytes at `address`, in no simulated
 * time; valid until the memory is freed. The range must be within one allocation. */
cairn_status cairn_map(cairn_context* context, cairn_address address, size_t size, void** pointer);

typedef uint32_t cairn_stream; /* copies of one stream run in order, one at a time */
#define CAIRN_DEFAULT_STREAM 0u

cairn_status cairn_stream_create(cairn_context* context, cairn_stream* stream);
/* Waits for its copies. The default stream cannot be destroyed. */
cairn_status cairn_stream_destroy(cairn_context* context, cairn_stream stream);
cairn_status cairn_stream_synchronize(cairn_context* context, cairn_stream stream);
cairn_status cairn_device_synchronize(cairn_context* context);

typedef int cairn_direction;

enum { CAIRN_LOCAL_TO_REMOTE = 0, CAIRN_REMOTE_TO_LOCAL = 1, CAIRN_LOCAL_TO_LOCAL = 2 };

/* Returns at once; the bytes are read and written when the copy completes. */
cairn_status cairn_memcpy_async(cairn_context* context,
                                cairn_address to,
                                cairn_address from,
                                size_t size,
                                cairn_direction direction,
                                cairn_stream stream);

/* The program computes for `seconds` of simulated time; copies in flight proceed. */
cairn_status cairn_advance(cairn_context* context, double seconds);
/* Simulated time since the context was created. */
cairn_status cairn_elapsed(cairn_context* context, double* seconds);

typedef struct cairn_memory_info {
  uint64_t page_size;
  uint64_t local_pages;
  uint64_t local_pages_free;
  uint64_t remote_pages;
  uint64_t remote_pages_free;
} cairn_memory_info;

cairn_status cairn_get_memory_info(cairn_context* context, cairn_memory_info* info);

#ifdef __cplusplus
}
#endif

#endif
