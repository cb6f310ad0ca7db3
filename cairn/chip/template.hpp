// An architecture template: the components of a chip and their shares of its area, power and
// perimeter. Counts follow from these (generate.hpp).
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

// Fractions of the die area and power that remain after the collectives engine, and of the
// perimeter of the die. All zero: the component is absent.
struct Shares {
  double area = 0.0;
  double power = 0.0;
  double perimeter = 0.0;
};

// Shares of one budget add up to at most 1, with a tolerance for rounding.
inline constexpr double kMaxShareSum = 1.0 + 1e-9;

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
  Shares shares{};  // area: controllers on the die
};

struct NetworkTemplate {
  tech::Link link{};
  NetworkShape topology = NetworkShape::kSwitch;
  Shares shares{};
};

inline constexpr const char* kEngineName = "engine";  // the collectives engine as a component

struct Template {
  std::string name{};
  std::string description{};
  std::string source{};
  SquareMetres chip_area{};
  SquareMetres package_area{};  // die and memory devices
  Watts power{};
  CoreTemplate core{};
  std::vector<LevelTemplate> levels{};  // innermost first
  MainMemoryTemplate main_memory{};
  std::optional<NetworkTemplate> intra_package{};
  std::optional<NetworkTemplate> inter_package{};
  FabricInterface fabric{};  // its engine is allocated before all shares
  std::optional<tech::Package> package{};
};

// Folders of templates and technologies.
struct TemplateFolders {
  Folders chips{};
  Folders technologies{};
};

// Throws ConfigError: also for an unknown technology, and for shares that add up to more than 1, at
// the share that exceeds it.
Template read_template(const Config& config, const TemplateFolders& folders);

// "core.technology=scalar-n12", "main_memory.technology.energy=3 pJ/bit": the second also if the
// technology is given by name. `called`: the user's key of the template, for error messages.
void set_value_of_template(Config& config,
                           const std::string& assignment,
                           const TemplateFolders& folders,
                           const std::string& called = {});

// The template with all its technologies inlined as maps.
Config with_technologies(Config config, const TemplateFolders& folders);

// Reference text of the keys of a template.
std::string template_reference();

}  // namespace cairn::chip
