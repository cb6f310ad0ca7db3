/* The interface as a C program uses it, under our names and under those of Table I. */
#include <stdio.h>
#include <string.h>

#include "cairn/remote/cairn_remote_cuda.h"

#define CHECK(condition)                                      \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      return 1;                                               \
    }                                                         \
  } while (0)

enum { SIZE = 8 << 20 };

static int our_names(cairn_context* context) {
  cairn_address near = 0, far = 0;
  void* pointer = NULL;
  double before = 0.0, after = 0.0;
  cairn_stream stream;

  CHECK(cairn_malloc_local(context, SIZE, &near) == CAIRN_OK);
  CHECK(cairn_malloc_remote(context, SIZE, &far) == CAIRN_OK);
  CHECK(cairn_stream_create(context, &stream) == CAIRN_OK);
  CHECK(cairn_map(context, near, SIZE, &pointer) == CAIRN_OK);
  memset(pointer, 17, SIZE);
  CHECK(cairn_elapsed(context, &before) == CAIRN_OK);
  CHECK(cairn_memcpy_async(context, far, near, SIZE, CAIRN_LOCAL_TO_REMOTE, stream) == CAIRN_OK);
  CHECK(cairn_stream_synchronize(context, stream) == CAIRN_OK);
  CHECK(cairn_elapsed(context, &after) == CAIRN_OK);

  /* 100 ns + 500 ns + 8 MiB / 150 GB/s */
  CHECK(after - before > 0.999999 * (600e-9 + SIZE / 150e9));
  CHECK(after - before < 1.000001 * (600e-9 + SIZE / 150e9));
  CHECK(cairn_map(context, far, SIZE, &pointer) == CAIRN_OK);
  CHECK(((unsigned char*)pointer)[SIZE - 1] == 17);
  CHECK(cairn_memcpy_async(context, far, near, SIZE, 99, stream) == CAIRN_ERROR_INVALID_DIRECTION);
  CHECK(cairn_stream_destroy(context, stream) == CAIRN_OK);
  CHECK(cairn_free_remote(context, far) == CAIRN_OK);
  CHECK(cairn_free_remote(context, far) == CAIRN_ERROR_FREED_POINTER);
  CHECK(cairn_free_local(context, near) == CAIRN_OK);
  return 0;
}

static int names_of_table_1(cairn_context* context) {
  void *near = NULL, *far = NULL, *pointer = NULL;
  cudaStream_t stream;

  CHECK(cudaMallocRemote(&far, SIZE) == CAIRN_ERROR_INVALID_CONTEXT);
  cairnSetContext(context);
  CHECK(cudaMalloc(&near, SIZE) == cudaSuccess);
  CHECK(cudaMallocRemote(&far, SIZE) == cudaSuccess);
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cairnMap(far, SIZE, &pointer) == cudaSuccess);
  memset(pointer, 23, SIZE);
  CHECK(cudaMemcpyAsync(near, far, SIZE, cudaMemcpyRemoteToLocal, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(near, far, SIZE, cudaMemcpyLocalToRemote, stream) ==
        CAIRN_ERROR_WRONG_MEMORY);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cairnMap(near, SIZE, &pointer) == cudaSuccess);
  CHECK(((unsigned char*)pointer)[SIZE - 1] == 23);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFreeRemote(far) == cudaSuccess);
  CHECK(cudaFree(near) == cudaSuccess);
  CHECK(strcmp(cudaGetErrorString(cudaFree(near)), cudaGetErrorString(cudaSuccess)) != 0);
  cairnSetContext(NULL);
  return 0;
}

int main(void) {
  cairn_options options = cairn_default_options();
  cairn_context* context = NULL;
  char message[200];
  options.platform = "mc_dla_ring:8x3@25GB/s,500ns";
  if (cairn_context_create(&options, &context, message, sizeof message) != CAIRN_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  if (our_names(context) != 0 || names_of_table_1(context) != 0) {
    return 1;
  }
  return cairn_context_destroy(context) == CAIRN_OK ? 0 : 1;
}
