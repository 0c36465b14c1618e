#include <algorithm>
#include <array>
#include <vector>

#include <abgate/base/text.hpp>
#include <abgate/metrics/traces.hpp>

#include "line_splitter.hpp"
#include "markers.hpp"

namespace abgate::metrics {
namespace {

constexpr std::string_view digits = "0123456789";

/// Length of a frame or spinner character at the front of `s`: U+2500 to U+257F and U+2800 to
/// U+28FF, all of which take three bytes in UTF-8.
std::size_t ornament_length(std::string_view s) {
  if (s.size() < 3 || s[0] != '\xE2') return 0;
  const auto second = static_cast<unsigned char>(s[1]);
  const bool frame = second == 0x94 || second == 0x95;
  const bool spinner = second >= 0xA0 && second <= 0xA3;
  return frame || spinner ? 3 : 0;
}

/// The line without frames, spinners and the blanks around them.
std::string_view unframed(std::string_view line) {
  line = text::trim(line);
  while (const std::size_t length = ornament_length(line)) {
    line = text::trim(line.substr(length));
  }
  while (line.size() >= 3 && ornament_length(line.substr(line.size() - 3)) == 3) {
    line = text::trim(line.substr(0, line.size() - 3));
  }
  return line;
}

/// madengine wraps at 80 columns, so a sentence can go on in the next line: all lines as one text
/// with single blanks, in which sentences are whole again.
class EngineText {
 public:
  explicit EngineText(std::string_view raw) {
    const std::string plain = text::strip_ansi(raw);
    LineSplitter splitter;
    const auto add = [this](std::string_view line, std::int64_t, LineEnd) { add_line(line); };
    splitter.feed(plain, add);
    splitter.finish(add);
  }

  bool holds(std::string_view phrase) const { return flat_.find(phrase) != std::string::npos; }

  /// The text behind each occurrence of `phrase`, in order.
  template <class Take>
  void each_behind(std::string_view phrase, Take take) const {
    for (std::size_t at = flat_.find(phrase); at != std::string::npos;
         at = flat_.find(phrase, at + 1)) {
      take(std::string_view(flat_).substr(at + phrase.size()));
    }
  }

  /// What stands behind the first occurrence of `phrase`; empty when there is none.
  std::string_view behind(std::string_view phrase) const {
    const std::size_t at = flat_.find(phrase);
    return at == std::string::npos ? std::string_view()
                                   : std::string_view(flat_).substr(at + phrase.size());
  }

  const std::vector<std::string>& crosses() const { return crosses_; }

 private:
  static constexpr std::size_t max_crosses = 3;
  std::string flat_;
  std::vector<std::string> crosses_;  ///< lines that madengine marked as failed

  void add_line(std::string_view line) {
    line = unframed(line);
    if (line.empty()) return;
    const bool cross = line.starts_with("✗ ") || line.starts_with("❌ ");
    // The summary of a run without failures also has a line with a cross.
    if (cross && line != "✗ Failed: 0" && crosses_.size() < max_crosses) {
      crosses_.emplace_back(line);
    }
    if (!flat_.empty()) flat_ += ' ';
    bool blank = false;
    for (const char c : line) {
      const bool is_blank = c == ' ' || c == '\t';
      if (!is_blank || !blank) flat_ += is_blank ? ' ' : c;
      blank = is_blank;
    }
  }
};

std::string leading_digits(std::string_view s) {
  return std::string(s.substr(0, s.find_first_not_of(digits)));
}

/// More of a kind would only make the search for doubles slow.
constexpr std::size_t most_listed = 50;

void add_unique(std::vector<std::string>& list, std::string value) {
  if (list.size() >= most_listed) return;
  if (!value.empty() && std::find(list.begin(), list.end(), value) == list.end()) {
    list.push_back(std::move(value));
  }
}

std::string_view first_word(std::string_view s) {
  return s.substr(0, s.find(' '));
}

std::vector<std::string> job_ids(const EngineText& text, std::string_view phrase) {
  std::vector<std::string> ids;
  text.each_behind(
      phrase, [&](std::string_view rest) { add_unique(ids, leading_digits(first_word(rest))); });
  return ids;
}

std::string job_of_allocation(const EngineText& text) {
  constexpr std::size_t reach = 80;  // the job's line follows at once
  const std::string_view near =
      text.behind("Running inside existing SLURM allocation").substr(0, reach);
  constexpr std::string_view label = "Job ID: ";
  if (const std::size_t at = near.find(label); at != near.npos) {
    return leading_digits(near.substr(at + label.size()));
  }
  return leading_digits(text.behind("Detected existing SLURM allocation: Job "));
}

/// Sentences that say that the phase failed.
std::vector<std::string> failures(const EngineText& text) {
  std::vector<std::string> found;
  constexpr std::string_view failed = " failed";
  text.each_behind("Deployment to ", [&](std::string_view rest) {
    const std::string_view target = first_word(rest);
    if (rest.substr(target.size()).starts_with(failed)) {
      add_unique(found, "Deployment to " + std::string(target) + " failed");
    }
  });
  text.each_behind("Job ", [&](std::string_view rest) {
    const std::string id = leading_digits(first_word(rest));
    if (id.empty() || !rest.substr(id.size()).starts_with(failed)) return;
    rest.remove_prefix(id.size() + failed.size());
    // `Job 8 failed: FAILED` names the state.
    const std::string state =
        rest.starts_with(": ") ? ": " + std::string(first_word(rest.substr(2))) : "";
    add_unique(found, "Job " + id + " failed" + state);
  });
  text.each_behind(" final status: ", [&](std::string_view rest) {
    const std::string_view state = first_word(rest);
    if (state != "COMPLETED") add_unique(found, "final status: " + std::string(state));
  });
  for (const std::string& job : job_ids(text, "Cancelled SLURM job: ")) {
    add_unique(found, "Cancelled SLURM job: " + job);
  }
  constexpr std::array<std::string_view, 6> plain = {"SLURM Job Failed",  "Execution failed for ",
                                                     "DUE TO TIME LIMIT", "DUE TO NODE FAILURE",
                                                     "DUE TO PREEMPTION", " has been revoked"};
  for (const std::string_view phrase : plain) {
    if (text.holds(phrase)) add_unique(found, std::string(text::trim(phrase)));
  }
  for (const std::string& line : text.crosses())
    add_unique(found, line);
  return found;
}

}  // namespace

EngineTrace read_engine_log(std::string_view text) {
  const EngineText engine(text);
  EngineTrace trace;
  trace.in_place = engine.holds("Running inside existing SLURM allocation");
  if (trace.in_place) trace.in_place_job = job_of_allocation(engine);
  trace.submitted_jobs = job_ids(engine, "Submitted SLURM job: ");
  trace.claimed_success = engine.holds("All model executions completed successfully");
  const std::vector<std::string> found = failures(engine);
  trace.reported_failure = !found.empty();
  trace.failure_text = excerpt(text::join(found, "; "));
  return trace;
}

}  // namespace abgate::metrics
