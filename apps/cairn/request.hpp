// Command line arguments as text; the commands parse the values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cairn/verb.hpp"

namespace cairn::app {

struct CollectiveRequest {
  std::string platform;
  std::vector<std::string> settings;  // --set
  std::string op = "all_reduce";
  std::string endpoint = "ideal";
  std::optional<std::string> device;  // device of the endpoints
  std::vector<std::string> sizes;
  std::string algorithm = "auto";
  std::optional<std::string> group;
  std::optional<std::string> root;
  std::optional<std::string> chunks;
  std::optional<std::string> chunk_size;
  std::optional<std::string> window;
  std::string fold = "on";
  bool steps = false;
  bool unroll = false;
  Output output;
  std::optional<std::string> trace;
};

struct RunRequest {
  std::string design;  // or, with the flags up to `platform`, a model
  std::optional<std::string> device;
  std::optional<std::string> devices;
  std::optional<std::string> strategy;
  std::optional<std::string> seq;
  std::optional<std::string> micro_batch;
  std::optional<std::string> global_batch;
  std::optional<std::string> platform;
  std::optional<std::string> out;
  std::vector<std::string> settings;
  std::string fold = "on";
  bool unroll = false;
  Output output;
  bool sensitivity = false;
  std::optional<std::string> trace;
  std::optional<std::string> plot;
};

struct StudyRequest {
  std::string study;
  std::vector<std::string> settings;
  bool range = false;
  Output output;
  std::optional<std::string> plot;
};

struct SearchRequest {
  std::string search;
  std::vector<std::string> settings;
  std::optional<std::string> threads;
  Output output;
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
  Output output;
};

struct PlatformRequest {
  std::string platform;
  std::vector<std::string> settings;
  Output output;
  bool dot = false;
};

struct ModelRequest {
  std::string model;
  std::optional<std::string> seq;
  std::vector<std::string> settings;
  Output output;
};

struct ChipRequest {
  std::string chip;
  std::vector<std::string> settings;
  Output output;
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
  Output output;
};

struct ValidateRequest {
  std::string file;
  std::string device;    // and/or platform,
  std::string platform;  // depending on the kind of measurements
  bool held_out = false;
  std::vector<std::string> settings;
  Output output;
  std::optional<std::string> plot;
};

struct CalibrateRequest {
  std::vector<std::string> files;
  std::string device;
  std::vector<std::string> settings;
  std::string out;
  Output output;
};

struct CompareRequest {
  std::string a;
  std::string b;
  std::vector<std::string> more;
  Output output;
};

struct ListRequest {
  std::string kind;  // empty: all
  std::string name;  // empty: all
  bool verbose = false;
  Output output;
};

}  // namespace cairn::app
