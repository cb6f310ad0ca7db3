// An index into a vector of T that cannot be mistaken for an index into a vector of U.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace cairn {

template <class T>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;

  explicit constexpr Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}

  [[nodiscard]] constexpr std::size_t index() const { return value; }

  constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace cairn

template <class T>
struct std::hash<cairn::Id<T>> {
  std::size_t operator()(cairn::Id<T> id) const noexcept { return id.value; }
};
