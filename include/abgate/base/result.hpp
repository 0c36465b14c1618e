#pragma once

#include <cstdlib>
#include <optional>
#include <utility>
#include <variant>

namespace abgate {

/// Wraps the error of a Result, as std::unexpected does.
template <class E>
struct Unexpected {
  E error;
};
template <class E>
Unexpected(E) -> Unexpected<E>;

/// A value or the reason why there is none; shaped like C++23's std::expected, which g++ 12 lacks.
/// Reading the side that is not there ends the program: that is a bug, never bad input.
template <class T, class E>
class Result {
 public:
  using value_type = T;
  using error_type = E;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(*-explicit-*)
  template <class G>
  Result(Unexpected<G> failure)  // NOLINT(*-explicit-*)
      : state_(std::in_place_index<1>, std::move(failure.error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return get<0>(state_); }
  const T& value() const& { return get<0>(state_); }
  T&& value() && { return std::move(get<0>(state_)); }
  E& error() & { return get<1>(state_); }
  const E& error() const& { return get<1>(state_); }
  E&& error() && { return std::move(get<1>(state_)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T value_or(T fallback) const& { return has_value() ? value() : std::move(fallback); }

 private:
  template <std::size_t I, class V>
  static auto& get(V& state) {
    if (state.index() != I) std::abort();
    return *std::get_if<I>(&state);
  }

  std::variant<T, E> state_;
};

/// A Result that carries no value: success, or an error.
template <class E>
class Status {
 public:
  Status() = default;
  template <class G>
  Status(Unexpected<G> failure) : error_(std::move(failure.error)) {}  // NOLINT(*-explicit-*)

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  const E& error() const {
    if (!error_) std::abort();
    return *error_;
  }

 private:
  std::optional<E> error_;
};

}  // namespace abgate
