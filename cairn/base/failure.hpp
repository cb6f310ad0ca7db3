// Three kinds of failure, three mechanisms:
//   the user's input is wrong      -> throw ConfigError   (exit 2)
//   the design cannot be built     -> return Infeasible    (exit 3; search meets millions of them)
//   we are wrong                   -> throw Bug            (exit 70; caught only in main)
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace cairn {

// The place that a message is about: `file:line: key`. Empty parts are not printed; for a command
// line flag, `file` is empty and `key` is the flag's name.
struct Where {
  std::string file;
  int line = 0;
  std::string key;

  bool operator==(const Where&) const = default;
};

// "h100.yaml:14: device.memory[2].bandwidth", without empty parts.
std::string to_text(const Where& where);

// `text` in quotes on one line: control characters escaped, cut after 60 characters.
std::string in_quotes(std::string_view text);

class ConfigError : public std::runtime_error {
 public:
  ConfigError(Where where, const std::string& problem);

  [[nodiscard]] const Where& where() const { return where_; }

 private:
  Where where_;
};

class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Throws Bug with `what` unless `condition` holds.
inline void ensure(bool condition, const char* what) {
  if (!condition) [[unlikely]] {
    throw Bug(what);
  }
}

// The limits that make a design infeasible. Each belongs to a key of a design: lack_key().
enum class Lack : std::uint8_t {
  kNothing,
  kReadableDesign,
  kDeviceMemory,
  kBackingStore,
  kStoredTables,      // no tables to keep in the backing store
  kBackgroundTables,  // no tables to look up in the background
  kCheckpoints,       // nothing to recompute from checkpoints
  kPrecision,
  kStrategy,
  kTensorRows,
  kTensorColumns,
  kSequenceParallel,
  kAxisOrder,
  kCuts,
  kBatch,
  kMicroBatches,
  kPlacement,
  kZero,
  kCollective,
  kCollectiveOrder,
  kEngineSram,
  kEngineFsms,
  kEngineChunks,
  kHostMemory,     // of the host that runs the simulator
  kSimulatedTime,  // beyond the range of the event clock
  kChip,           // a component or a budget of its template: Infeasible::part
  kPackageArea,
  kPackageLinks,
  kDesignOfSearch,  // none is feasible: Infeasible::part is the place in the search file
  kPrediction,      // no row of a measurement table can be predicted: Infeasible::part is its kind
};

// The design key that it depends on: "strategy.batch"; empty: the design as a whole.
std::string_view lack_key(Lack lack);

// Why a design is infeasible: which limit it violates, and by how much.
struct Infeasible {
  Lack lack = Lack::kNothing;
  std::string detail{};
  // Relative excess over the limit: needed / available - 1; infinite where that is undefined.
  double constraint_violation = std::numeric_limits<double>::infinity();
  std::string part{};  // "core"

  // Its name in results: "device memory", or the part.
  [[nodiscard]] std::string limit() const;
};

// The Infeasible with this limit(), without a detail; an unknown name is a part of a chip.
Infeasible lacking(const std::string& limit);

// A value, or the reason why there is none.
template <class T>
class Feasible {
 public:
  Feasible(T value) : state_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  Feasible(Infeasible reason) : state_(std::move(reason)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool feasible() const { return std::holds_alternative<T>(state_); }

  explicit operator bool() const { return feasible(); }

  [[nodiscard]] const T& value() const& { return get(); }

  [[nodiscard]] T&& value() && {
    get();
    return std::move(std::get<T>(state_));
  }

  const T& operator*() const { return get(); }

  const T* operator->() const { return &get(); }

  [[nodiscard]] const Infeasible& reason() const {
    if (feasible()) {
      throw Bug("Feasible::reason() of a feasible value");
    }
    return std::get<Infeasible>(state_);
  }

 private:
  const T& get() const {
    if (!feasible()) {
      throw Bug("Feasible::value() of an infeasible one: " + std::get<Infeasible>(state_).limit());
    }
    return std::get<T>(state_);
  }

  std::variant<T, Infeasible> state_;
};

}  // namespace cairn
