// Whether output goes to a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace cairn::app {

// Whether standard output or standard error is a terminal. Open MPI's mpirun redirects them, so the
// descriptors of mpirun itself are checked, which is possible on the host where it runs.
bool is_terminal(int descriptor);

// Whether to colour standard output: on a terminal unless NO_COLOR is set, and always if
// CLICOLOR_FORCE is.
bool shows_colours();

// Columns that lines on standard output should fit: the terminal's, between 60 and 160; 100 where
// that is not known, as under mpirun.
std::size_t output_width();

// The help text in lines of at most `width` columns, as far as words allow. Lines go on in the
// column in which their last part begins; commands to copy, "  cairn ...", are left whole.
std::string fit_help(const std::string& text, std::size_t width);

// Whether this is the only process, or rank 0 under mpirun.
bool is_first_process();

}  // namespace cairn::app
