// What a user asks on the command line, as written; verbs read the values.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn::app {

struct CollectiveRequest {
  std::string platform;
  std::vector<std::string> settings;  // --set
  std::string op = "all_reduce";
  std::string endpoint = "ideal";
  std::string device = "ace-npu";  // whose endpoints they are
  std::vector<std::string> sizes;
  std::string algorithm = "auto";
  std::optional<std::string> group;
  std::optional<std::string> root;
  std::optional<std::string> chunks;
  std::optional<std::string> chunk_size;
  std::optional<std::string> window;
  std::string fold = "on";
  bool steps = false;
  bool json = false;
  bool detail = false;
  std::optional<std::string> report;
  std::optional<std::string> trace;
};

struct RunRequest {
  std::string design;
  std::vector<std::string> settings;
  std::string fold = "on";
  bool json = false;
  bool detail = false;
  bool sensitivity = false;
  std::optional<std::string> report;
  std::optional<std::string> trace;
  std::optional<std::string> plot;
};

struct StudyRequest {
  std::string study;
  std::vector<std::string> settings;
  bool range = false;
  bool json = false;
  bool detail = false;
  std::optional<std::string> report;
  std::optional<std::string> plot;
};

struct SearchRequest {
  std::string search;
  std::vector<std::string> settings;
  std::optional<std::string> threads;
  bool json = false;
  bool detail = false;
  std::optional<std::string> report;
  std::optional<std::string> store;
  bool resume = false;
  std::optional<std::string> from;
  std::optional<std::string> csv;
  std::optional<std::string> plot;
  std::optional<std::string> out;
};

struct SensitivityRequest {
  std::string design;
  std::vector<std::string> settings;
  std::string to;  // "2x"; empty: 1 %
  std::string threads = "0";
  bool json = false;
};

struct PlatformRequest {
  std::string platform;
  std::vector<std::string> settings;
  bool json = false;
  bool dot = false;
};

struct ChipRequest {
  std::string chip;
  std::vector<std::string> settings;
  bool json = false;
};

struct KernelRequest {
  std::string op;
  std::string device;
  std::vector<std::string> settings;
  std::string precision = "fp16";
  std::optional<std::string> m;
  std::optional<std::string> n;
  std::optional<std::string> k;
  std::optional<std::string> input;
  std::optional<std::string> layer;
  std::optional<std::string> batch;
  std::optional<std::string> pass;
  bool json = false;
};

struct ValidateRequest {
  std::string file;
  std::string device;    // and, or ...
  std::string platform;  // ... as the file's kind asks for
  std::vector<std::string> settings;
  bool json = false;
  bool detail = false;
  std::optional<std::string> report;
  std::optional<std::string> plot;
};

struct CalibrateRequest {
  std::vector<std::string> files;
  std::string device;
  std::vector<std::string> settings;
  std::string out;
  bool json = false;
};

struct CompareRequest {
  std::string a;
  std::string b;
  bool json = false;
  bool detail = false;
  std::optional<std::string> report;
};

struct ListRequest {
  std::string kind;  // empty: all
  std::string name;  // empty: all
  bool verbose = false;
  bool json = false;
};

// Help or version: ready to be printed.
struct TextRequest {
  std::string text;
};

using Request = std::variant<TextRequest,
                             RunRequest,
                             StudyRequest,
                             SearchRequest,
                             SensitivityRequest,
                             CollectiveRequest,
                             PlatformRequest,
                             ChipRequest,
                             KernelRequest,
                             ValidateRequest,
                             CalibrateRequest,
                             CompareRequest,
                             ListRequest>;

}  // namespace cairn::app
