#include "cairn/base/shared_module.hpp"

#include <dlfcn.h>

#include "cairn/base/failure.hpp"

namespace cairn {

// Global: libraries that a module loads itself (MPI does) find its symbols.
void* find_in_module(const std::string& module, const char* function) {
  const std::string file = "lib" + module + ".so";
  void* loaded = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* found = loaded == nullptr ? nullptr : dlsym(loaded, function);
  if (found == nullptr) {
    const char* error = dlerror();
    throw ConfigError({},
                      std::string("cannot load a part of Cairn: ") +
                          (error == nullptr ? file : error) +
                          " (reinstall Cairn, or set LD_LIBRARY_PATH to the folder of this file)");
  }
  return found;
}

}  // namespace cairn
