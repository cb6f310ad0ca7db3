// Whether somebody looks at what is written.
#pragma once

namespace cairn::app {

// Of standard output or standard error: whether it is a terminal. Under Open MPI's mpirun, which
// gives its processes others than its own, whether mpirun's is, as far as that can be seen: on the
// machine where it runs.
bool is_terminal(int descriptor);

// Whether standard output is to have colours: at a terminal, unless NO_COLOR is set, or where
// CLICOLOR_FORCE is.
bool shows_colours();

// Whether this process is the only one, or the first of those that mpirun started.
bool is_first_process();

}  // namespace cairn::app
