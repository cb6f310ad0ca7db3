#include "cairn/report/page_source.hpp"

// The file's bytes, put there by the assembler: a compiler takes long over a literal of this size.
__asm__(
    ".pushsection .rodata\n"
    ".global cairn_page_begin\n"
    ".global cairn_page_end\n"
    "cairn_page_begin:\n"
    ".incbin \"" CAIRN_PAGE_FILE
    "\"\n"
    "cairn_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char cairn_page_begin[];  // NOLINT: what the assembler calls them
extern const char cairn_page_end[];    // NOLINT
}

namespace cairn::report {

std::string_view page_source() {
  return {cairn_page_begin, cairn_page_end};
}

}  // namespace cairn::report
