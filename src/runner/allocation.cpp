#include <algorithm>

#include <fmt/format.h>

#include <abgate/base/duration.hpp>
#include <abgate/base/hostlist.hpp>
#include <abgate/base/redact.hpp>
#include <abgate/base/text.hpp>
#include <abgate/runner/allocation.hpp>
#include <abgate/runner/run_reasons.hpp>
#include <abgate/slurm/job.hpp>
#include <abgate/slurm/salloc.hpp>

namespace abgate::runner {
namespace {

/// The inner abgate keeps the run budget itself; salloc is only ended when it does not.
constexpr std::chrono::seconds backstop{120};
constexpr std::chrono::seconds scancel_timeout{20};
constexpr std::chrono::seconds job_timeout{5};
constexpr std::size_t most_messages = 100;

/// Cuts a stream into lines; a line without an end is bounded.
class Lines {
 public:
  template <class Take>
  void feed(std::string_view bytes, Take take) {
    for (const char c : bytes) {
      if (c == '\n') {
        take(partial_);
        partial_.clear();
      } else if (partial_.size() < (64U << 10U)) {
        partial_ += c;
      }
    }
  }

 private:
  std::string partial_;
};

class Holder {
 public:
  Holder(const AllocationRequest& request, WallClock& clock, Observer& observer,
         process::SignalGate& gate, const std::function<void(const AllocationRecord&)>& on_change)
      : request_(request),
        clock_(clock),
        observer_(observer),
        gate_(gate),
        on_change_(on_change),
        redactor_(request.secrets) {}

  AllocationResult hold() {
    result_.record.submitted = clock_.now();
    started_ = process::Clock::now();
    std::vector<std::string> argv = request_.plan->salloc_argv;
    argv.insert(argv.end(), request_.inner_argv.begin(), request_.inner_argv.end());

    process::Hooks hooks;
    hooks.on_output = [&](process::Stream stream, std::string_view bytes) {
      if (stream == process::Stream::out) {
        out_.feed(bytes, [&](const std::string& line) { take_event(line); });
      } else {
        err_.feed(redactor_.feed(bytes), [&](const std::string& line) { take_message(line); });
      }
    };
    hooks.should_stop = [&](process::Clock::time_point now) {
      observer_.on_tick();
      return used_up(now);
    };
    const process::Outcome outcome =
        process::run({argv, request_.environment, ""}, hooks, process::Limits{}, gate_);
    err_.feed(redactor_.finish() + "\n", [&](const std::string& line) {
      if (!line.empty()) take_message(line);
    });
    result_.record.ended = clock_.now();
    judge(outcome);
    give_back(outcome);
    return std::move(result_);
  }

 private:
  void take_event(const std::string& line) {
    if (const auto event = parse_event(line)) observer_.on_event(*event);
  }

  void tell(std::string text) {
    Event event;
    event.kind = Event::Kind::allocation;
    event.text = std::move(text);
    observer_.on_event(event);
  }

  void take_message(const std::string& line) {
    const auto event = slurm::parse_line(line);
    if (event && !event->job_id.empty() && result_.record.job_id.empty()) {
      result_.record.job_id = event->job_id;
      on_change_(result_.record);
    }
    const std::string shown = text::printable(text::trim(line));
    if (result_.record.messages.size() < most_messages) result_.record.messages.push_back(shown);
    tell(shown);
    if (event) take_slurm_event(*event);
  }

  void take_slurm_event(const slurm::Event& event) {
    using Kind = slurm::Event::Kind;
    switch (event.kind) {
      case Kind::granted:
        result_.granted = true;
        result_.record.granted = clock_.now();
        granted_at_ = process::Clock::now();
        on_change_(result_.record);
        break;
      case Kind::ready:
        if (const auto nodes = expand_hostlist(event.nodes)) {
          result_.record.nodes = *nodes;
          on_change_(result_.record);
        }
        break;
      case Kind::refused:
        refusals_.push_back(event.text);
        break;
      case Kind::error:
        // salloc explains a refusal in a line of its own before or after it.
        if (!result_.granted) refusals_.push_back(event.text);
        break;
      case Kind::node_failure:
      case Kind::prolog_failure:
      case Kind::revoked:
      case Kind::time_limit:
      case Kind::preempted:
      case Kind::cancelled:
        losses_.push_back(event);
        if (!result_.lost_at) result_.lost_at = clock_.now();
        break;
      case Kind::pending:
      case Kind::step_waiting:
      case Kind::relinquished:
        break;
    }
  }

  std::optional<std::string> used_up(process::Clock::time_point now) const {
    const Budgets& budgets = request_.plan->config.budgets;
    if (!result_.granted) {
      if (now - started_ < budgets.queue) return {};
      return fmt::format("no nodes within the queue budget of {}; the gate never started",
                         duration::to_human(budgets.queue));
    }
    if (now - granted_at_ < budgets.run + backstop) return {};
    return fmt::format("the run budget of {} was used up", duration::to_human(budgets.run));
  }

  void judge(const process::Outcome& outcome) {
    if (const auto* interrupted = std::get_if<process::Interrupted>(&outcome)) {
      result_.signal = interrupted->signal;
      return;
    }
    if (const auto* timed_out = std::get_if<process::TimedOut>(&outcome)) {
      std::string message = timed_out->reason + job_state();
      if (!result_.record.messages.empty()) {
        message += fmt::format(" (last heard: \"{}\")", result_.record.messages.back());
      }
      result_.reasons.push_back(make_reason(result_.granted ? run_budget : queue_budget, message));
      return;
    }
    if (!losses_.empty()) {
      std::vector<std::string> lines;
      for (const slurm::Event& loss : losses_)
        lines.push_back(loss.text);
      result_.reasons.push_back(make_reason(
          kind_of_loss(), "Slurm took the allocation away: " + quoted(lines) + job_state()));
      return;
    }
    if (result_.granted && !std::holds_alternative<process::Exited>(outcome)) {
      result_.reasons.push_back(make_reason(
          allocation_lost,
          fmt::format("salloc {}, so the allocation was given up", process::describe(outcome))));
      if (!result_.lost_at) result_.lost_at = clock_.now();
      return;
    }
    if (!result_.granted && controller_is_away()) {
      result_.reasons.push_back(make_reason(
          controller_unreachable, "Slurm's controller did not answer: " + quoted(refusals_)));
      return;
    }
    if (!result_.granted) {
      const bool refused = !refusals_.empty();
      result_.reasons.push_back(
          make_reason(refused ? allocation_refused : allocation_not_granted,
                      refused ? "Slurm refused the allocation: " + quoted(refusals_)
                              : fmt::format("salloc {} before it had nodes{}",
                                            process::describe(outcome), job_state())));
    }
  }

  bool controller_is_away() const {
    return std::any_of(refusals_.begin(), refusals_.end(), [](const std::string& line) {
      return line.find("Unable to contact slurm controller") != std::string::npos;
    });
  }

  /// The first cause that a line names; a bare "has been revoked" follows most of them.
  const RunReason& kind_of_loss() {
    using Kind = slurm::Event::Kind;
    for (const slurm::Event& loss : losses_) {
      if (loss.kind == Kind::prolog_failure) return allocation_prolog_failed;
      if (loss.kind == Kind::node_failure) return allocation_node_failed;
      if (loss.kind == Kind::time_limit) return allocation_time_limit;
      if (loss.kind == Kind::preempted) return allocation_preempted;
    }
    const auto job = ask_for_job();
    if (job && job->state == "NODE_FAIL") return allocation_node_failed;
    if (job && job->state == "TIMEOUT") return allocation_time_limit;
    if (job && job->state == "PREEMPTED") return allocation_preempted;
    return allocation_lost;
  }

  /// Slurm keeps a job's last state and the reason why it waited for some minutes.
  const std::optional<slurm::Job>& ask_for_job() {
    if (asked_ || result_.record.job_id.empty()) return job_;
    asked_ = true;
    job_ = slurm::parse_job(
        process::capture({slurm::job_argv(result_.record.job_id), request_.environment, ""},
                         job_timeout, gate_)
            .out);
    return job_;
  }

  /// `; Slurm's last word on job 42: PENDING, reason Resources`, or nothing.
  std::string job_state() {
    const auto& job = ask_for_job();
    if (!job) return "";
    return fmt::format("; Slurm's last word on job {}: {}, reason {}", text::printable(job->id),
                       text::printable(job->state), text::printable(job->reason));
  }

  static std::string quoted(const std::vector<std::string>& lines) {
    return "\"" + text::join(lines, "\" and \"") + "\"";
  }

  /// A salloc that exits by itself has given the nodes back; a job that one left behind (killed,
  /// never granted) is ended by its id. In doubt it is: ending an ended job does no harm.
  void give_back(const process::Outcome& outcome) {
    if (result_.record.job_id.empty()) return;
    if (result_.granted && std::holds_alternative<process::Exited>(outcome) && losses_.empty()) {
      return;
    }
    const auto end = process::Clock::now() + scancel_timeout;
    process::Hooks hooks;
    hooks.should_stop = [&](process::Clock::time_point now) -> std::optional<std::string> {
      if (now < end) return {};
      return "scancel did not answer";
    };
    process::Limits limits;
    limits.despite_signals = true;
    process::run({{"scancel", "--quiet", result_.record.job_id}, request_.environment, ""}, hooks,
                 limits, gate_);
  }

  const AllocationRequest& request_;
  WallClock& clock_;
  Observer& observer_;
  process::SignalGate& gate_;
  const std::function<void(const AllocationRecord&)>& on_change_;
  Redactor redactor_;
  AllocationResult result_;
  Lines out_;
  Lines err_;
  std::vector<std::string> refusals_;
  std::vector<slurm::Event> losses_;
  bool asked_ = false;
  std::optional<slurm::Job> job_;
  process::Clock::time_point started_;
  process::Clock::time_point granted_at_;
};

}  // namespace

AllocationResult hold_allocation(const AllocationRequest& request, WallClock& clock,
                                 Observer& observer, process::SignalGate& gate,
                                 const std::function<void(const AllocationRecord&)>& on_change) {
  return Holder(request, clock, observer, gate, on_change).hold();
}

Environment scrub(const Environment& inherited, std::vector<std::string>& scrubbed) {
  Environment kept;
  for (const auto& [key, value] : inherited) {
    if (slurm::is_inherited_slurm_variable(key)) {
      scrubbed.push_back(key);
    } else {
      kept.emplace_back(key, value);
    }
  }
  std::sort(scrubbed.begin(), scrubbed.end());
  return kept;
}

}  // namespace abgate::runner
