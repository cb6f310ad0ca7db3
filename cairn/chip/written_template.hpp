// A template as in its file, before technologies are looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/base/config_reader.hpp"
#include "cairn/base/quantity.hpp"
#include "cairn/base/schema.hpp"
#include "cairn/chip/fabric_interface.hpp"
#include "cairn/chip/organization.hpp"

namespace cairn::chip {

struct WrittenCore {
  Config technology{};
  std::uint32_t mcus_per_bundle = 1;
  Dataflow dataflow = Dataflow::kBest;
  double area = 0.0;
  double power = 0.0;
};

const Schema<WrittenCore>& schema_of(const WrittenCore*);

struct WrittenLevel {
  std::string name{};
  Config technology{};
  Scope scope = Scope::kGlobal;
  double area = 0.0;
  double power = 0.0;
};

const Schema<WrittenLevel>& schema_of(const WrittenLevel*);

struct WrittenMainMemory {
  Config technology{};
  double area = 0.0;
  double power = 0.0;
  double perimeter = 0.0;
};

const Schema<WrittenMainMemory>& schema_of(const WrittenMainMemory*);

struct WrittenNetwork {
  Config technology{};
  NetworkShape topology = NetworkShape::kSwitch;
  double area = 0.0;
  double power = 0.0;
  double perimeter = 0.0;
};

const Schema<WrittenNetwork>& schema_of(const WrittenNetwork*);

struct WrittenNetworks {
  std::optional<WrittenNetwork> intra_package{};
  std::optional<WrittenNetwork> inter_package{};
};

const Schema<WrittenNetworks>& schema_of(const WrittenNetworks*);

struct WrittenTemplate {
  std::string name{};
  std::string description{};
  std::string source{};
  SquareMetres chip_area{};
  SquareMetres package_area{};
  Watts power{};
  std::optional<Metres> node{};
  Config scaling{};
  Config package{};
  WrittenCore core{};
  std::vector<WrittenLevel> levels{};
  WrittenMainMemory main_memory{};
  WrittenNetworks network{};
  FabricInterface fabric{};
};

const Schema<WrittenTemplate>& schema_of(const WrittenTemplate*);

}  // namespace cairn::chip
