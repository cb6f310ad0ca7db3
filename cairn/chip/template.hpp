// An architecture template: what a chip is composed of, and which part of its area, power and edge
// each component may take, without saying how many of anything there are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cairn/base/config.hpp"
#include "cairn/base/named_file.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/chip/fabric_interface.hpp"
#include "cairn/chip/organization.hpp"
#include "cairn/tech/library.hpp"

namespace cairn::chip {

// Parts of the die's area and of the power that a collectives engine leaves, and of the die's edge.
// Nothing of any means that the component is absent.
struct Shares {
  double area = 0.0;
  double power = 0.0;
  double perimeter = 0.0;
};

struct CoreTemplate {
  tech::ComputeUnit unit{};
  double mcus_per_bundle = 1.0;  // MCU: minimal compute unit
  Dataflow dataflow = Dataflow::kBest;
  Shares shares{};
};

struct LevelTemplate {
  std::string name{};
  tech::OnChipMemory memory{};
  Scope scope = Scope::kGlobal;
  Shares shares{};  // no perimeter
};

struct MainMemoryTemplate {
  tech::OffChipMemory memory{};
  Shares shares{};  // area: of controllers on the die
};

struct NetworkTemplate {
  tech::Link link{};
  NetworkShape topology = NetworkShape::kSwitch;
  Shares shares{};
};

inline constexpr const char* kEngineName = "engine";  // the component that executes collectives

struct Template {
  std::string name{};
  std::string description{};
  std::string source{};
  SquareMetres chip_area{};
  SquareMetres package_area{};  // die and memory devices together
  Watts power{};
  CoreTemplate core{};
  std::vector<LevelTemplate> levels{};  // from the innermost
  MainMemoryTemplate main_memory{};
  std::optional<NetworkTemplate> intra_package{};
  std::optional<NetworkTemplate> inter_package{};
  FabricInterface fabric{};  // its engine takes its area and power before all shares
  std::optional<tech::Package> package{};
};

// Where templates and technologies lie.
struct TemplateFolders {
  Folders chips{};
  Folders technologies{};
};

// Throws ConfigError: also for an unknown technology, and for shares of more than the whole, at the
// share that is too much.
Template read_template(const Config& config, const TemplateFolders& folders);

// "core.technology=scalar-n12", "main_memory.technology.energy=3 pJ/bit": the second also where the
// template only names the technology.
// `called`: what the user calls the template, before its keys; empty: nothing.
void set_value_of_template(Config& config,
                           const std::string& assignment,
                           const TemplateFolders& folders,
                           const std::string& called = {});

// The template with all its technologies as maps.
Config with_technologies(Config config, const TemplateFolders& folders);

// The keys of a template, for people.
std::string template_reference();

}  // namespace cairn::chip
