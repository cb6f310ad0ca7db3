#include "cairn/remote/error.hpp"

const char* cairn_status_text(cairn_status status) {
  switch (status) {
    case CAIRN_OK:
      return "no error";
    case CAIRN_ERROR_INVALID_VALUE:
      return "an argument is null or out of range";
    case CAIRN_ERROR_INVALID_CONTEXT:
      return "no context";
    case CAIRN_ERROR_INVALID_PLATFORM:
      return "the platform cannot be read, or has no such device";
    case CAIRN_ERROR_NO_REMOTE_MEMORY:
      return "the device has neither memory-nodes beside it nor a host socket";
    case CAIRN_ERROR_ADDRESS_LIMIT:
      return "local and remote memory exceed the physical address space";
    case CAIRN_ERROR_ZERO_SIZE:
      return "the size is zero";
    case CAIRN_ERROR_OUT_OF_MEMORY:
      return "out of memory: fewer pages are free than needed";
    case CAIRN_ERROR_OUT_OF_ADDRESSES:
      return "no free virtual address range is long enough";
    case CAIRN_ERROR_FOREIGN_POINTER:
      return "the address was never returned by an allocation";
    case CAIRN_ERROR_FREED_POINTER:
      return "the memory at the address has been freed";
    case CAIRN_ERROR_MISALIGNED:
      return "the address is inside an allocation, not at its start";
    case CAIRN_ERROR_WRONG_MEMORY:
      return "local memory where remote is expected, or the reverse";
    case CAIRN_ERROR_OUT_OF_RANGE:
      return "the range extends past the end of its allocation";
    case CAIRN_ERROR_OVERLAP:
      return "source and destination overlap";
    case CAIRN_ERROR_INVALID_DIRECTION:
      return "no such copy direction";
    case CAIRN_ERROR_INVALID_STREAM:
      return "no such stream";
    case CAIRN_ERROR_TIME_LIMIT:
      return "past the simulated time limit of 106 days";
    case CAIRN_ERROR_HOST_MEMORY:
      return "out of memory, addresses or mappings on this host";
    case CAIRN_ERROR_INTERNAL:
      return "a bug in Cairn";
    default:
      return "no such status";
  }
}
