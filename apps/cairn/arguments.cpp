#include "apps/cairn/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/many.hpp"
#include "cairn/base/nearest.hpp"
#include "cairn/base/quantity_text.hpp"

namespace cairn::app {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ');
  return std::string(text.substr(begin, end == std::string_view::npos ? 0 : end + 1 - begin));
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(',', begin);
    parts.push_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (end == std::string::npos) {
      return parts;
    }
    begin = end + 1;
  }
}

Bytes parse_size(const std::string& text, const std::string& flag) {
  const auto size = parse_quantity<Bytes>(text, at(flag));
  if (size < Bytes(0.0)) {
    throw ConfigError(at(flag), in_quotes(text) + " is negative (expected 0 B or more)");
  }
  if (size > Bytes(0.0) && size < Bytes(1.0)) {
    throw ConfigError(at(flag),
                      in_quotes(text) + " is less than a byte (expected 0 B, or 1 B or more)");
  }
  return size;
}

void add_doubling(const std::string& text, const std::string& flag, std::vector<Bytes>& sizes) {
  const std::size_t dots = text.find("..");
  const Bytes first = parse_size(trimmed(text.substr(0, dots)), flag);
  const Bytes last = parse_size(trimmed(text.substr(dots + 2)), flag);
  if (first <= Bytes(0.0) || last < first) {
    throw ConfigError(
        at(flag),
        in_quotes(text) + " is not a range (expected e.g. \"1 KiB..1 GiB\", smallest first)");
  }
  for (Bytes size = first; size <= last && sizes.size() <= kMaxSizes; size *= 2.0) {
    sizes.push_back(size);
  }
}

// "3" is 3 to 3.
std::pair<std::uint32_t, std::uint32_t> parse_range(const std::string& text,
                                                    const std::string& flag,
                                                    std::uint32_t devices) {
  const auto device = [&](const std::string& digits) {
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
      throw ConfigError(at(flag),
                        in_quotes(text) + R"( is not a device (expected e.g. "3" or "0-7"))");
    }
    const double number = std::stod(digits);  // any length
    if (number >= devices) {
      throw ConfigError(
          at(flag),
          fmt::format("device {} does not exist (expected 0 to {})", digits, devices - 1));
    }
    return static_cast<std::uint32_t>(number);
  };
  const std::size_t dash = text.find('-');
  const std::uint32_t first = device(trimmed(text.substr(0, dash)));
  const std::uint32_t last =
      dash == std::string::npos ? first : device(trimmed(text.substr(dash + 1)));
  if (last < first) {
    throw ConfigError(
        at(flag),
        fmt::format("{} is descending (expected \"{}-{}\")", in_quotes(text), last, first));
  }
  return {first, last};
}

}  // namespace

Where at(const std::string& flag) {
  return {.file = "", .line = 0, .key = flag};
}

Config value_of_flag(std::string text, const std::string& flag) {
  return {.kind = Config::Kind::kScalar,
          .where = at(flag),
          .text = std::move(text),
          .keys = {},
          .items = {}};
}

void refuse_detail_without_json(bool detail, bool json) {
  if (detail && !json) {
    throw ConfigError(at("--detail"), "needs --json");
  }
}

std::uint32_t parse_count(const std::string& text,
                          const std::string& flag,
                          std::uint32_t least,
                          std::uint32_t most) {
  Config config;
  config.kind = Config::Kind::kScalar;
  config.where = at(flag);
  config.text = text;
  return static_cast<std::uint32_t>(read_integer(config, least, most));
}

std::uint32_t parse_threads(const std::string& text) {
  constexpr std::uint32_t kMax = 4096;
  return parse_count(text, "--threads", 0, kMax);
}

std::size_t parse_name(const std::string& text,
                       const std::string& flag,
                       const std::string& what,
                       const std::vector<std::string>& known) {
  const auto found = std::ranges::find(known, text);
  if (found == known.end()) {
    throw ConfigError(
        at(flag), fmt::format("{} is not {} ({})", in_quotes(text), what, suggestion(text, known)));
  }
  return static_cast<std::size_t>(found - known.begin());
}

std::vector<Bytes> parse_sizes(const std::vector<std::string>& texts, const std::string& flag) {
  std::vector<Bytes> sizes;
  for (const std::string& text : texts) {
    for (const std::string& part : split_at_commas(text)) {
      if (part.find("..") != std::string::npos) {
        add_doubling(part, flag, sizes);
      } else {
        sizes.push_back(parse_size(part, flag));
      }
      if (sizes.size() > kMaxSizes) {
        throw ConfigError(at(flag), fmt::format("more than {} sizes", kMaxSizes));
      }
    }
  }
  return sizes;
}

std::vector<std::uint32_t> parse_group(const std::string& text,
                                       const std::string& flag,
                                       std::uint32_t devices) {
  std::vector<std::uint32_t> group;
  std::vector<bool> named(devices, false);
  for (const std::string& part : split_at_commas(text)) {
    const auto [first, last] = parse_range(part, flag, devices);
    for (std::uint32_t device = first; device <= last; ++device) {
      if (named[device]) {
        throw ConfigError(at(flag),
                          fmt::format("device {} is given twice (expected each once)", device));
      }
      named[device] = true;
      group.push_back(device);
    }
  }
  return group;
}

bool is_file(const NamedPath& path) {
  std::error_code unknown;
  return path.path && std::filesystem::is_regular_file(*path.path, unknown);
}

void refuse_same_paths(const std::vector<NamedPath>& paths) {
  namespace fs = std::filesystem;
  std::map<fs::path, std::string> known;
  for (const auto& [flag, path] : paths) {
    std::error_code unknown;
    if (!path || path->empty() || fs::is_character_file(*path, unknown)) {
      continue;
    }
    const fs::path place = fs::weakly_canonical(fs::absolute(*path, unknown), unknown);
    const auto [other, is_new] = known.emplace(unknown ? fs::path(*path) : place, flag);
    if (!is_new) {
      throw ConfigError(
          at(flag),
          fmt::format(
              "{} is also given as {} (expected another path)", in_quotes(*path), other->second));
    }
  }
}

std::uint32_t parse_chunk_size(const std::string& text, const std::string& flag, Bytes size) {
  const auto chunk = parse_quantity<Bytes>(text, at(flag));
  if (!(chunk > Bytes(0.0))) {
    throw ConfigError(at(flag), in_quotes(text) + " must be greater than 0 B");
  }
  const double chunks = std::max(1.0, std::ceil(size / chunk));
  if (!(chunks <= kMaxChunks)) {
    throw ConfigError(at(flag),
                      fmt::format("{} cuts {} into {} chunks (expected at most {})",
                                  in_quotes(text),
                                  to_text(size),
                                  many(chunks),
                                  kMaxChunks));
  }
  return static_cast<std::uint32_t>(chunks);
}

}  // namespace cairn::app
