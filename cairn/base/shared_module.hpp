// Modules of Cairn that few commands need, loaded when they are used: what they link (pagmo, MPI)
// takes longer to load than most commands run.
#pragma once

#include <string>

namespace cairn {

// A function of a module, declared `extern "C"` there. Modules are looked up as the dynamic linker
// does; they stay loaded. Throws ConfigError if there is none.
void* find_in_module(const std::string& module, const char* function);

template <typename Function>
Function* function_in_module(const std::string& module, const char* name) {
  return reinterpret_cast<Function*>(find_in_module(module, name));
}

}  // namespace cairn
