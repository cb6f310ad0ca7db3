#include "apps/cairn/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "apps/cairn/arguments.hpp"
#include "apps/cairn/examples.hpp"
#include "apps/cairn/input_files.hpp"
#include "apps/cairn/verbs.hpp"
#include "cairn/base/failure.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/version.hpp"

namespace cairn::app {

void fail_usage(const std::string& verb, const std::string& problem) {
  throw ConfigError(
      {}, fmt::format("{}; see cairn {}{}--help", problem, verb, verb.empty() ? "" : " "));
}

namespace {

[[noreturn]] void fail_usage(const CLI::App& verb, const std::string& problem) {
  app::fail_usage(verb.get_parent() == nullptr ? "" : verb.get_name(), problem);
}

std::string in_quotes_joined(const std::vector<std::string>& values) {
  std::string joined;
  for (const std::string& value : values) {
    joined += (joined.empty() ? "" : " and ") + in_quotes(value);
  }
  return joined;
}

// Rejects flags with too few or too many values, with our messages instead of the library's.
void refuse_values(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    const std::vector<std::string>& values = option->results();
    if (option->get_expected_max() == 0) {
      for (const std::string& value : values) {
        if (value != "true") {
          fail_usage(verb, fmt::format("{}: found {} (expected no value)", name, in_quotes(value)));
        }
      }
      continue;
    }
    for (const std::string& value : values) {
      if (value.starts_with("--")) {
        fail_usage(verb,
                   fmt::format("{}: found the flag {} (expected {} before it)",
                               name,
                               in_quotes(value),
                               option->get_type_name()));
      }
    }
    if (values.size() > 1 && option->get_expected_max() == 1) {
      fail_usage(verb, fmt::format("{}: found {} (expected one)", name, in_quotes_joined(values)));
    }
  }
}

// Reports a parse error of the library: too many values of a flag, or none after the last flag.
[[noreturn]] void refuse_mismatch(const CLI::App& verb, std::string last, const char* fault) {
  refuse_values(verb);
  last = last.substr(0, last.find('='));
  const CLI::Option* option = verb.get_option_no_throw(last);
  if (option == nullptr) {
    fail_usage(verb, fault);
  }
  fail_usage(
      verb,
      fmt::format("{}: found no value (expected {} {})", last, last, option->get_type_name()));
}

// Rejects the first unused argument.
void refuse_extras(const CLI::App& verb, const CLI::App* parent) {
  const auto extras = verb.remaining();
  if (extras.empty()) {
    return;
  }
  const std::string& extra = extras.front();
  std::vector<std::string> known;
  if (extra.starts_with("-")) {
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        known.push_back("--" + name);
      }
    }
    const std::string flag = extra.substr(0, extra.find('='));
    fail_usage(verb,
               fmt::format("{} is not a flag ({})", in_quotes(flag), suggestion(flag, known)));
  }
  if (parent != nullptr) {
    fail_usage(verb, in_quotes(extra) + " is not expected");
  }
  for (const CLI::App* other : verb.get_subcommands({})) {
    known.push_back(other->get_name());
  }
  fail_usage(verb,
             fmt::format("{} is not a command ({})", in_quotes(extra), suggestion(extra, known)));
}

// Parses the arguments; returns the text of --help or --version if requested.
std::optional<std::string> parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    refuse_extras(app, nullptr);
    return app.help();
  } catch (const CLI::CallForVersion& version) {
    refuse_extras(app, nullptr);
    return std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    refuse_mismatch(chosen.empty() ? app : *chosen.front(), argv[argc - 1], error.what());
  }
  refuse_extras(app, nullptr);
  if (app.get_subcommands().empty()) {
    std::string known;
    for (const Verb& verb : verbs()) {
      known += (known.empty() ? "" : &verb == &verbs().back() ? " or " : ", ");
      known += verb.name;
    }
    fail_usage(app, fmt::format("no command given (expected {})", known));
  }
  return std::nullopt;
}

void add_option(CLI::App& verb, const Option& option) {
  std::visit(
      [&](auto* value) {
        using Value = std::remove_pointer_t<decltype(value)>;
        if constexpr (std::same_as<Value, bool>) {
          verb.add_flag(option.name, *value, option.doc);
        } else {
          CLI::Option* added =
              verb.add_option(option.name, *value, option.doc)->type_name(option.type);
          if (option.shows_default) {
            added->capture_default_str();
          }
          if (std::same_as<Value, std::vector<std::string>> && option.name.starts_with("-")) {
            added->allow_extra_args(false);
          }
        }
      },
      option.value);
}

// The footer is the reference of the input file, built only for --help, then examples.
void add_verb(CLI::App& app, const Verb& verb, const std::vector<Option>& options) {
  CLI::App* added = app.add_subcommand(verb.name, verb.doc);
  if (verb.reference != nullptr) {
    added->footer(std::function<std::string()>(verb.reference));
  }
  added->footer(std::string(verb.examples));
  added->group("Commands")->allow_extras();  // handled by refuse_extras, with a suggestion
  for (const Option& option : options) {
    add_option(*added, option);
  }
}

// The given values, if any.
std::vector<std::string> values_of(const Option& option) {
  struct Values {
    std::vector<std::string> operator()(const bool* /*flag*/) const { return {}; }

    std::vector<std::string> operator()(const std::string* value) const {
      return value->empty() ? std::vector<std::string>{} : std::vector{*value};
    }

    std::vector<std::string> operator()(const std::optional<std::string>* value) const {
      return *value ? std::vector{**value} : std::vector<std::string>{};
    }

    std::vector<std::string> operator()(const std::vector<std::string>* values) const {
      return *values;
    }
  };

  return std::visit(Values{}, option.value);
}

void require_options(const CLI::App& verb, const std::vector<Option>& options) {
  for (const Option& option : options) {
    if (!option.example.empty() && values_of(option).empty()) {
      fail_usage(verb,
                 fmt::format("{}: is missing (expected e.g. {})", option.name, option.example));
    }
  }
}

// No output file may be an input file or another output file. --report comes last.
void refuse_shared_paths(const std::vector<Option>& options) {
  std::vector<NamedPath> arguments;
  std::vector<NamedPath> written;
  std::vector<NamedPath> report;
  for (const Option& option : options) {
    for (const std::string& value : values_of(option)) {
      if (option.is_output) {
        (option.name == "--report" ? report : written).push_back({option.name, value});
      } else {
        arguments.push_back({option.name, value});
      }
    }
  }
  written.insert(written.end(), report.begin(), report.end());
  refuse_same_paths(written);
  if (std::ranges::none_of(written, is_file)) {
    return;
  }
  for (const NamedPath& input : input_files(arguments)) {
    std::vector<NamedPath> with{input};
    with.insert(with.end(), written.begin(), written.end());
    refuse_same_paths(with);
  }
}

// Quoted for a shell.
std::string quoted(const std::string& argument) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
    return argument;
  }
  std::string text = "'";
  for (const char letter : argument) {
    text += letter == '\'' ? "'\\''" : std::string(1, letter);
  }
  return text + "'";
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  CLI::App app(kAbout, "cairn");
  app.footer(kExample);
  app.set_version_flag("--version", fmt::format("cairn {} (commit {})", kVersion, kCommit));
  app.get_formatter()->column_width(28);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  std::vector<Invocation> asked;
  for (const Verb& verb : verbs()) {
    asked.push_back(verb.ask());
    add_verb(app, verb, asked.back().options);
  }
  app.require_subcommand(0, 1);
  app.allow_extras();
  if (auto text = parse(app, argc, argv)) {
    return {.text = std::move(text)};
  }
  const CLI::App* chosen = app.get_subcommands().front();
  refuse_extras(*chosen, &app);
  refuse_values(*chosen);
  for (std::size_t v = 0; v < asked.size(); ++v) {
    if (chosen->get_name() == verbs()[v].name) {
      require_options(*chosen, asked[v].options);
      refuse_detail_without_json(asked[v].output->detail, asked[v].output->json);
      refuse_shared_paths(asked[v].options);
      Command command{.asked = std::move(asked[v]), .line = "cairn"};
      for (int i = 1; i < argc; ++i) {
        command.line += " " + quoted(argv[i]);
      }
      return command;
    }
  }
  throw Bug("a command that is not in the table");
}

}  // namespace cairn::app
