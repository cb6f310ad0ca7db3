#include "cairn/remote/error.hpp"

const char* cairn_status_text(cairn_status status) {
  switch (status) {
    case CAIRN_OK:
      return "no error";
    case CAIRN_ERROR_INVALID_VALUE:
      return "an argument is null or out of its range";
    case CAIRN_ERROR_INVALID_CONTEXT:
      return "no context";
    case CAIRN_ERROR_INVALID_PLATFORM:
      return "the platform cannot be read, or has no such device";
    case CAIRN_ERROR_NO_REMOTE_MEMORY:
      return "the device has neither memory-nodes beside it nor a host socket";
    case CAIRN_ERROR_ADDRESS_LIMIT:
      return "more memory than physical addresses can reach";
    case CAIRN_ERROR_ZERO_SIZE:
      return "a size of zero";
    case CAIRN_ERROR_OUT_OF_MEMORY:
      return "fewer pages are free than are needed";
    case CAIRN_ERROR_OUT_OF_ADDRESSES:
      return "no range of virtual addresses is free that is long enough";
    case CAIRN_ERROR_FOREIGN_POINTER:
      return "an address that was never given out";
    case CAIRN_ERROR_FREED_POINTER:
      return "an address whose memory has been freed";
    case CAIRN_ERROR_MISALIGNED:
      return "an address inside an allocation, not its beginning";
    case CAIRN_ERROR_WRONG_MEMORY:
      return "local memory where remote is asked for, or the reverse";
    case CAIRN_ERROR_OUT_OF_RANGE:
      return "a range that goes past the end of its allocation";
    case CAIRN_ERROR_OVERLAP:
      return "source and destination overlap";
    case CAIRN_ERROR_INVALID_DIRECTION:
      return "no such direction of a copy";
    case CAIRN_ERROR_INVALID_STREAM:
      return "no such stream";
    case CAIRN_ERROR_TIME_LIMIT:
      return "past the 106 days that can be simulated";
    case CAIRN_ERROR_HOST_MEMORY:
      return "the machine that runs the simulation lacks memory or mappings";
    case CAIRN_ERROR_INTERNAL:
      return "a fault of Cairn itself";
    default:
      return "no such status";
  }
}
