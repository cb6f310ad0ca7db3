#include "cairn/tech/supply.hpp"

namespace cairn::tech {

namespace {

void require(bool holds, const Config& config, const char* key, const std::string& problem) {
  if (!holds) {
    reject(*config.find(key), problem);
  }
}

}  // namespace

const Schema<Supply>& schema_of(const Supply*) {
  static const auto kSchema =
      Schema<Supply>("voltage", "operating voltages of a component")
          .required("nominal", &Supply::nominal, "voltage at which the figures are given", "0.8 V")
          .positive()
          .required("threshold", &Supply::threshold, "transistor threshold voltage", "0.2 V")
          .not_negative()
          .required("minimum", &Supply::minimum, "lowest operating voltage", "0.55 V")
          .positive()
          .required("maximum", &Supply::maximum, "highest operating voltage", "1.1 V")
          .positive();
  return kSchema;
}

void check(const Supply& supply, const Config& config) {
  const std::string above =
      "is not above the threshold voltage (expected more than " + to_text(supply.threshold) + ")";
  const std::string below =
      "is above the maximum voltage (expected at most " + to_text(supply.maximum) + ")";
  require(supply.nominal > supply.threshold, config, "nominal", above);
  require(supply.minimum > supply.threshold, config, "minimum", above);
  require(supply.nominal <= supply.maximum, config, "nominal", below);
  require(supply.minimum <= supply.maximum, config, "minimum", below);
}

}  // namespace cairn::tech
