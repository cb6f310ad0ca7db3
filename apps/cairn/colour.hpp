// Colours of what people read at a terminal.
#pragma once

#include <string>

namespace cairn::app {

// Whether standard output shows colours: it is a terminal, one that can, or somebody said
// CLICOLOR_FORCE (bixense.com/clicolors: set, and not 0); never if NO_COLOR is said (no-color.org:
// set and not empty).
bool shows_colours();

// The text of a verb with its title, bars and verdicts marked. Only marks are added.
std::string coloured(const std::string& text);

}  // namespace cairn::app
