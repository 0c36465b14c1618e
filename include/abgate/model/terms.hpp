#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace abgate {

/// What is compared: the two sides of a gate (DESIGN 1).
enum class Side { baseline, candidate };

/// In which order the phases run. In `aba` the second baseline is a same-night A/A (LESSONS 15).
enum class Order { ab, ba, aba, abba };

/// How phases get their nodes.
enum class Launcher { slurm, local };

/// A gate's answer. The numbers are no exit codes; see `exit_code`.
enum class Verdict { pass, regression, no_verdict, infra };

/// Exit codes of the program (DESIGN 2).
namespace exit_code {
inline constexpr int pass = 0;
inline constexpr int regression = 1;
inline constexpr int usage = 2;
inline constexpr int no_verdict = 3;
inline constexpr int infra = 4;
inline constexpr int signal_base = 128;
}  // namespace exit_code

std::string_view name(Side side);          ///< `baseline`, `candidate`
std::string_view name(Order order);        ///< `ab`, …
std::string_view name(Launcher launcher);  ///< `slurm`, `local`
std::string_view name(Verdict verdict);    ///< `PASS`, `REGRESSION`, `NO_VERDICT`, `INFRA`
/// For people: `NO VERDICT` with a blank.
std::string_view title(Verdict verdict);
int code_of(Verdict verdict);

std::optional<Side> parse_side(std::string_view s);
std::optional<Order> parse_order(std::string_view s);
std::optional<Launcher> parse_launcher(std::string_view s);
std::optional<Verdict> parse_verdict(std::string_view s);

/// The sides of the phases of an order, first phase first.
std::vector<Side> sides_of(Order order);

}  // namespace abgate
