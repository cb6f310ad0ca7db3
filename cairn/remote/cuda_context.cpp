// The thread-local context of the CUDA names, which take no context argument; nothing else in the
// library reads it.
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
