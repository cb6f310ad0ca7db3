// What a verb found, as JSON: the object begins with the verb and the version it is of.
#pragma once

#include <string>
#include <string_view>

#include "cairn/base/config.hpp"
#include "cairn/report/document.hpp"

namespace cairn::app {

// `json`: an object with members, as the report room writes them. `name`: what was asked for, as it
// was called; empty: absent.
std::string stamped(std::string_view verb, const std::string& name, const std::string& json);

// The same with one more member at its end; `value` is JSON.
std::string with_member(const std::string& json, std::string_view key, const std::string& value);

// The same with what its file says it is about; empty: as it was.
std::string described(const std::string& json, const std::string& description);

// Every value of the design that a result is of. Throws ConfigError.
void add_design(report::Document& document, const Config& design);

// The document as JSON or text, of this version.
std::string rendered(report::Document document, bool json, bool detail = false);

}  // namespace cairn::app
