// The context of a thread, for the CUDA names. They take no context argument, so it must be kept
// somewhere; nothing else in the library reads it.
#include "cairn/remote/cairn_remote_cuda.h"

namespace {

thread_local cairn_context* current = nullptr;

}  // namespace

void cairnSetContext(cairn_context* context) {
  current = context;
}

cairn_context* cairnGetContext(void) {
  return current;
}
