#include <algorithm>
#include <array>

#include <abgate/base/text.hpp>
#include <abgate/slurm/salloc.hpp>

namespace abgate::slurm {
namespace {

using Kind = Event::Kind;

using text::is_digit;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Removes `prefix` and tells whether it was there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

/// What a terminal would show: without colours, and only what was written last over a line.
std::string shown(std::string_view line) {
  const std::string plain = text::strip_ansi(line);
  std::string_view last;
  for (const std::string_view part : text::split(plain, '\r')) {
    const std::string_view trimmed = text::trim(part);
    if (!trimmed.empty()) last = trimmed;
  }
  return std::string(last);
}

/// Removes the label that `srun --label` writes before each line.
void take_label(std::string_view& text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto digits = static_cast<std::size_t>(end - text.begin());
  if (digits > 0 && text.substr(digits).starts_with(": ")) text.remove_prefix(digits + 2);
}

/// Removes `salloc: ` and its like; without it the line is not Slurm's.
bool take_program(std::string_view& text) {
  constexpr std::array<std::string_view, 5> programs = {
      "salloc: ", "srun: ", "slurmstepd: ", "sbatch: ", "slurmstepd-"};
  for (const std::string_view program : programs) {
    if (!take(text, program)) continue;
    if (program.back() == ' ') return true;
    const std::size_t end = text.find(": ");  // `slurmstepd-<host>: `
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 2);
    return true;
  }
  return false;
}

/// The digits behind the first of the words that announce a job id.
std::string job_id_of(std::string_view text) {
  constexpr std::array<std::string_view, 5> announcements = {"job allocation ", "job ", "step ",
                                                             "jobid=", "stepid="};
  const std::string lower = text::to_lower(text);
  for (const std::string_view announcement : announcements) {
    for (std::size_t at = lower.find(announcement); at != std::string::npos;
         at = lower.find(announcement, at + 1)) {
      const std::string_view rest = text.substr(at + announcement.size());
      const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_digit);
      if (end != rest.begin()) return {rest.begin(), end};
    }
  }
  return {};
}

/// The host list behind `mark`, up to the next blank.
std::string nodes_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + mark.size());
  return std::string(take_word(rest));
}

/// `*** STEP 42.0 ON a1 CANCELLED AT <time> DUE TO … ***`.
std::optional<Kind> kind_of_banner(std::string_view text) {
  if (!contains(text, "*** ") || !contains(text, " CANCELLED AT ")) return std::nullopt;
  const std::string lower = text::to_lower(text);
  if (contains(lower, "due to time limit")) return Kind::time_limit;
  if (contains(lower, "due to node failure")) return Kind::node_failure;
  if (contains(lower, "due to preemption")) return Kind::preempted;
  return Kind::cancelled;
}

/// Why Slurm takes no job. The words stand behind `Job submit/allocate failed:` or alone, and their
/// endings differ between versions.
bool is_refusal(std::string_view text) {
  constexpr std::array<std::string_view, 20> words = {
      "Job submit/allocate failed",
      "Unable to allocate resources",
      "Batch job submission failed",
      "Invalid account",
      "Invalid partition",
      "Invalid qos",
      "Invalid feature specification",
      "Invalid generic resource",
      "Invalid node name specified",
      "Invalid user id",
      "Requested node configuration is not available",
      "Requested time limit is invalid",
      "Requested reservation",
      "Reservation is invalid",
      "Access/permission denied",
      "More processors requested than permitted",
      "Node count specification invalid",
      "Job violates accounting/QOS policy",
      "Required partition not available",
      "User's group not permitted to use this partition",
  };
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return contains(text, word); });
}

/// Messages that say the same with and without `error: `.
std::optional<Kind> kind_of_message(std::string_view text) {
  const std::string lower = text::to_lower(text);
  if (contains(lower, "exceeded its time limit")) return Kind::time_limit;
  if (contains(lower, "job allocation") && contains(lower, "has been revoked")) {
    return Kind::revoked;
  }
  if (lower.starts_with("node failure on ")) return Kind::node_failure;
  if (lower.starts_with("prolog failure on node ")) return Kind::prolog_failure;
  if (lower.starts_with("granted job allocation") ||
      contains(lower, "has been allocated resources")) {
    return Kind::granted;
  }
  if (lower.starts_with("pending job allocation") ||
      contains(lower, "queued and waiting for resources")) {
    return Kind::pending;
  }
  if (lower.starts_with("nodes ") && contains(lower, " ready for job")) return Kind::ready;
  if (lower.starts_with("relinquishing job allocation")) return Kind::relinquished;
  if (contains(lower, "step creation temporarily disabled")) return Kind::step_waiting;
  return std::nullopt;
}

std::string nodes_of(Kind kind, std::string_view text) {
  if (kind == Kind::ready) return nodes_after(text, "Nodes ");
  if (kind == Kind::prolog_failure) return nodes_after(text, "on node ");
  if (contains(text, "Node failure on ")) return nodes_after(text, "Node failure on ");
  return contains(text, "*** ") ? nodes_after(text, " ON ") : std::string();
}

}  // namespace

std::optional<Event> parse_line(std::string_view line) {
  const std::string plain = shown(line);
  std::string_view text = plain;
  take_label(text);
  if (!take_program(text)) return std::nullopt;
  const bool is_error = take(text, "error: ") || take(text, "fatal: ");
  std::optional<Kind> kind = kind_of_banner(text);
  if (!kind) kind = kind_of_message(text);
  if (!kind && is_error) kind = is_refusal(text) ? Kind::refused : Kind::error;
  if (!kind) return std::nullopt;
  return Event{*kind, job_id_of(text), nodes_of(*kind, text), std::string(text)};
}

bool is_inherited_slurm_variable(std::string_view name) {
  if (name == "SLURM_CONF" || name == "SLURM_JWT") return false;
  constexpr std::array<std::string_view, 4> prefixes = {"SLURM_", "SALLOC_", "SBATCH_", "SRUN_"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace abgate::slurm
