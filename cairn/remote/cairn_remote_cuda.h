/* Table I of Kwon and Rhu (MICRO 2018) under its own names: cudaMallocRemote, cudaFreeRemote, and
 * cudaMemcpyAsync with the directions LocalToRemote and RemoteToLocal, and the related calls of the
 * CUDA runtime. Include it only in programs that do not use a real CUDA runtime:
 * the names are the same.
 *
 * As in CUDA, the device is that of the calling thread: cairnSetContext() sets its context, the
 * only state outside a context. Arguments are in CUDA's order, destination first. A `void*` to
 * device memory is a device address; cairnMap() gives a host pointer to dereference. */
#ifndef CAIRN_REMOTE_CUDA_H
#define CAIRN_REMOTE_CUDA_H

#if defined(__CUDA_RUNTIME_H__) || defined(CUDART_VERSION)
#error "cairn_remote_cuda.h and the CUDA runtime declare the same names; use cairn_remote.h"
#endif

#include "cairn/remote/cairn_remote.h"

#ifdef __cplusplus
extern "C" {
#endif

void cairnSetContext(cairn_context* context);
cairn_context* cairnGetContext(void);

#ifdef __cplusplus
}
#define CAIRN_REMOTE_ADDRESS(pointer) (reinterpret_cast<uintptr_t>(pointer))
#define CAIRN_REMOTE_POINTER(address) (reinterpret_cast<void*>(address))
#else
#define CAIRN_REMOTE_ADDRESS(pointer) ((uintptr_t)(pointer))
#define CAIRN_REMOTE_POINTER(address) ((void*)(uintptr_t)(address))
#endif

typedef cairn_status cudaError_t;
#define cudaSuccess CAIRN_OK
typedef cairn_stream cudaStream_t;

typedef cairn_direction cudaMemcpyKind;
#define cudaMemcpyLocalToRemote CAIRN_LOCAL_TO_REMOTE
#define cudaMemcpyRemoteToLocal CAIRN_REMOTE_TO_LOCAL
#define cudaMemcpyDeviceToDevice CAIRN_LOCAL_TO_LOCAL

static inline const char* cudaGetErrorString(cudaError_t error) {
  return cairn_status_text(error);
}

static inline cudaError_t cudaMalloc(void** pointer, size_t size) {
  cairn_address address = 0;
  const cudaError_t error =
      pointer ? cairn_malloc_local(cairnGetContext(), size, &address) : CAIRN_ERROR_INVALID_VALUE;
  if (error == CAIRN_OK)
    *pointer = CAIRN_REMOTE_POINTER(address);
  return error;
}

static inline cudaError_t cudaMallocRemote(void** pointer, size_t size) {
  cairn_address address = 0;
  const cudaError_t error =
      pointer ? cairn_malloc_remote(cairnGetContext(), size, &address) : CAIRN_ERROR_INVALID_VALUE;
  if (error == CAIRN_OK)
    *pointer = CAIRN_REMOTE_POINTER(address);
  return error;
}

static inline cudaError_t cudaFree(void* pointer) {
  return cairn_free_local(cairnGetContext(), CAIRN_REMOTE_ADDRESS(pointer));
}

static inline cudaError_t cudaFreeRemote(void* pointer) {
  return cairn_free_remote(cairnGetContext(), CAIRN_REMOTE_ADDRESS(pointer));
}

static inline cudaError_t cairnMap(const void* device, size_t size, void** pointer) {
  return cairn_map(cairnGetContext(), CAIRN_REMOTE_ADDRESS(device), size, pointer);
}

static inline cudaError_t cudaMemcpyAsync(
    void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  return cairn_memcpy_async(
      cairnGetContext(), CAIRN_REMOTE_ADDRESS(to), CAIRN_REMOTE_ADDRESS(from), size, kind, stream);
}

static inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cairn_stream_create(cairnGetContext(), stream);
}

static inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return cairn_stream_destroy(cairnGetContext(), stream);
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return cairn_stream_synchronize(cairnGetContext(), stream);
}

static inline cudaError_t cudaDeviceSynchronize(void) {
  return cairn_device_synchronize(cairnGetContext());
}

#endif
