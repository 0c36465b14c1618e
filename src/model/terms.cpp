#include <algorithm>
#include <array>

#include <abgate/model/terms.hpp>

namespace abgate {
namespace {

template <class T>
struct Named {
  T value;
  std::string_view name;
};

constexpr std::array sides{Named<Side>{Side::baseline, "baseline"},
                           Named<Side>{Side::candidate, "candidate"}};
constexpr std::array orders{Named<Order>{Order::ab, "ab"}, Named<Order>{Order::ba, "ba"},
                            Named<Order>{Order::aba, "aba"}, Named<Order>{Order::abba, "abba"}};
constexpr std::array launchers{Named<Launcher>{Launcher::slurm, "slurm"},
                               Named<Launcher>{Launcher::local, "local"}};
constexpr std::array verdicts{
    Named<Verdict>{Verdict::pass, "PASS"}, Named<Verdict>{Verdict::regression, "REGRESSION"},
    Named<Verdict>{Verdict::no_verdict, "NO_VERDICT"}, Named<Verdict>{Verdict::infra, "INFRA"}};

template <class T, std::size_t N>
std::string_view name_in(const std::array<Named<T>, N>& table, T value) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Named<T>& entry) { return entry.value == value; });
  return found == table.end() ? std::string_view("?") : found->name;
}

template <class T, std::size_t N>
std::optional<T> value_in(const std::array<Named<T>, N>& table, std::string_view s) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Named<T>& entry) { return entry.name == s; });
  if (found == table.end()) return {};
  return found->value;
}

}  // namespace

std::string_view name(Side side) {
  return name_in(sides, side);
}
std::string_view name(Order order) {
  return name_in(orders, order);
}
std::string_view name(Launcher launcher) {
  return name_in(launchers, launcher);
}
std::string_view name(Verdict verdict) {
  return name_in(verdicts, verdict);
}

std::string_view title(Verdict verdict) {
  return verdict == Verdict::no_verdict ? "NO VERDICT" : name(verdict);
}

int code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return exit_code::pass;
    case Verdict::regression:
      return exit_code::regression;
    case Verdict::no_verdict:
      return exit_code::no_verdict;
    case Verdict::infra:
      return exit_code::infra;
  }
  return exit_code::no_verdict;
}

std::optional<Side> parse_side(std::string_view s) {
  return value_in(sides, s);
}
std::optional<Order> parse_order(std::string_view s) {
  return value_in(orders, s);
}
std::optional<Launcher> parse_launcher(std::string_view s) {
  return value_in(launchers, s);
}
std::optional<Verdict> parse_verdict(std::string_view s) {
  return value_in(verdicts, s);
}

std::vector<Side> sides_of(Order order) {
  std::vector<Side> out;
  for (const char letter : name(order)) {
    out.push_back(letter == 'a' ? Side::baseline : Side::candidate);
  }
  return out;
}

}  // namespace abgate
