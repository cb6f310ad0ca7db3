// Quantities whose dimensions are checked at compile time: Bytes / BytesPerSecond is Seconds, and
// nothing else compiles. Values are double in SI base units (bytes for data, never bits). Only `*`
// and `/` take bare numbers, so a number can never be added to a quantity by mistake.
#pragma once

#include <compare>
#include <limits>

namespace cairn {

// Exponents of the base units. Energy is a base dimension here (Watts = Joules / Seconds) because
// nothing in Cairn needs mass.
struct Dimension {
  int time = 0;     // s
  int data = 0;     // B
  int work = 0;     // flop
  int energy = 0;   // J
  int length = 0;   // m
  int voltage = 0;  // V
  int money = 0;    // USD

  constexpr bool operator==(const Dimension&) const = default;
};

constexpr Dimension operator+(Dimension a, Dimension b) {
  return {a.time + b.time,
          a.data + b.data,
          a.work + b.work,
          a.energy + b.energy,
          a.length + b.length,
          a.voltage + b.voltage,
          a.money + b.money};
}

constexpr Dimension operator-(Dimension a, Dimension b) {
  return {a.time - b.time,
          a.data - b.data,
          a.work - b.work,
          a.energy - b.energy,
          a.length - b.length,
          a.voltage - b.voltage,
          a.money - b.money};
}

template <Dimension D>
class Quantity {
 public:
  static constexpr Dimension kDimension = D;

  constexpr Quantity() = default;

  // The value in SI base units: Seconds{1e-6} is a microsecond.
  explicit constexpr Quantity(double si) : si_(si) {}

  [[nodiscard]] constexpr double si() const { return si_; }

  static constexpr Quantity infinity() { return Quantity(std::numeric_limits<double>::infinity()); }

  constexpr auto operator<=>(const Quantity&) const = default;

  constexpr Quantity operator-() const { return Quantity(-si_); }

  constexpr Quantity& operator+=(Quantity other) {
    si_ += other.si_;
    return *this;
  }

  constexpr Quantity& operator-=(Quantity other) {
    si_ -= other.si_;
    return *this;
  }

  constexpr Quantity& operator*=(double factor) {
    si_ *= factor;
    return *this;
  }

  constexpr Quantity& operator/=(double divisor) {
    si_ /= divisor;
    return *this;
  }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.si_ + b.si_); }

  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.si_ - b.si_); }

  friend constexpr Quantity operator*(Quantity q, double factor) {
    return Quantity(q.si_ * factor);
  }

  friend constexpr Quantity operator*(double factor, Quantity q) {
    return Quantity(factor * q.si_);
  }

  friend constexpr Quantity operator/(Quantity q, double divisor) {
    return Quantity(q.si_ / divisor);
  }

 private:
  double si_ = 0.0;
};

// The product or quotient of two quantities; a plain double when the dimensions cancel.
template <Dimension D>
constexpr auto quantity_or_number(double si) {
  if constexpr (D == Dimension{}) {
    return si;
  } else {
    return Quantity<D>(si);
  }
}

template <Dimension A, Dimension B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  return quantity_or_number<A + B>(a.si() * b.si());
}

template <Dimension A, Dimension B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  return quantity_or_number<A - B>(a.si() / b.si());
}

template <Dimension B>
constexpr auto operator/(double number, Quantity<B> b) {
  return quantity_or_number<Dimension{} - B>(number / b.si());
}

using Seconds = Quantity<Dimension{.time = 1}>;
using Hertz = Quantity<Dimension{.time = -1}>;
using Bytes = Quantity<Dimension{.data = 1}>;
using BytesPerSecond = Quantity<Dimension{.time = -1, .data = 1}>;
using Flops = Quantity<Dimension{.work = 1}>;
using FlopsPerSecond = Quantity<Dimension{.time = -1, .work = 1}>;
using Joules = Quantity<Dimension{.energy = 1}>;
using JoulesPerByte = Quantity<Dimension{.data = -1, .energy = 1}>;
using JoulesPerFlop = Quantity<Dimension{.work = -1, .energy = 1}>;
using Watts = Quantity<Dimension{.time = -1, .energy = 1}>;
using Metres = Quantity<Dimension{.length = 1}>;
using SquareMetres = Quantity<Dimension{.length = 2}>;
using Volts = Quantity<Dimension{.voltage = 1}>;
using Dollars = Quantity<Dimension{.money = 1}>;

}  // namespace cairn
