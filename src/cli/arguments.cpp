#include "arguments.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>

#include <abgate/base/text.hpp>
#include <abgate/report/render.hpp>

#include "help_topics.hpp"
#include "version.hpp"

namespace abgate::cli {
namespace {

void add_config_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--config-dir", arguments.config_dirs,
                 "Look up NAMEs here first (folders workloads/, clusters/, suites/)")
      ->type_name("DIR");
}

/// Options that `run`, `plan` and `score` share: what is compared, and how strictly.
CLI::Option* add_gate_options(CLI::App& app, Arguments& arguments) {
  config::Options& options = arguments.options;
  add_config_options(app, arguments);
  auto* workload =
      app.add_option("--workload", arguments.workload, "What is trained")->type_name("NAME|FILE");
  app.add_option("--nodes", options.nodes, "Number of nodes")->type_name("N");
  app.add_option("--max-drop", options.max_drop,
                 "Largest allowed drop as a fraction, for all legs or for one")
      ->type_name("[PRECISION=]FRACTION")
      ->take_all();
  app.add_flag("--advisory", options.advisory, "Exit 0 also for REGRESSION and NO VERDICT");
  app.add_option("--candidate-rccl", options.candidate_rccl,
                 "The RCCL build that must be seen at run time")
      ->type_name("ID");
  app.add_flag("--same-build", options.same_build, "An A/A gate: both sides are one build");
  app.add_flag("--allow-unvalidated-nodes", options.allow_unvalidated_nodes,
               "Accept a node count that the workload was not validated for");
  app.add_flag("--allow-log-metric", options.allow_log_metric,
               "Score the node logs when no CSV holds the metric");
  app.add_flag("--accept-engine-exit", options.accept_engine_exit,
               "Trust complete results of an engine that exited with an error");
  return workload;
}

void add_side_options(CLI::App& app, config::Options& options) {
  app.add_option("--baseline-image", options.baseline_image, "Image of the baseline")
      ->type_name("IMAGE");
  app.add_option("--candidate-image", options.candidate_image, "Image of the candidate")
      ->type_name("IMAGE");
  app.add_flag("--baseline-image-local", options.baseline_image_local,
               "The image exists on this host only");
  app.add_flag("--candidate-image-local", options.candidate_image_local,
               "The image exists on this host only");
  app.add_option("--candidate-library", options.candidate_library,
                 "RCCL to bind-mount over the image's")
      ->type_name("FILE|DIR");
  app.add_option("--baseline-env", options.baseline_env, "Variable of the baseline's container")
      ->type_name("K=V")
      ->take_all();
  app.add_option("--candidate-env", options.candidate_env, "Variable of the candidate's container")
      ->type_name("K=V")
      ->take_all();
}

void add_place_options(CLI::App& app, config::Options& options) {
  app.add_option("--order", options.order, "Order of the phases: ab, ba, aba or abba");
  app.add_option("--launcher", options.launcher, "slurm or local");
  app.add_option("--engine", options.engine, "madengine, or a program that behaves like it")
      ->type_name("PATH");
  app.add_option("--scripts", options.scripts_dir, "scripts/ folder of a MAD checkout")
      ->type_name("DIR");
  app.add_option("--nodelist", options.nodelist, "Exactly these nodes")->type_name("HOSTS");
  app.add_option("--exclude", options.exclude, "Not these nodes")->type_name("HOSTS");
  app.add_option("--salloc-arg", options.salloc_args, "A further argument of salloc")
      ->type_name("ARG")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--partition", options.partition, "Slurm partition");
  app.add_option("--qos", options.qos, "Slurm quality of service");
  app.add_option("--account", options.account, "Slurm account");
  app.add_option("--reservation", options.reservation, "Slurm reservation");
  app.add_option("--time-limit", options.time_limit, "Time limit of the allocation")
      ->type_name("DURATION");
  app.add_flag("--use-allocation", options.use_allocation,
               "Run inside the allocation that this shell stands in");
  app.add_option("--work-dir", options.work_dir, "New or empty folder for everything a gate leaves")
      ->type_name("DIR");
  app.add_option("--results-dir", options.results_dir, "Folder of the history")->type_name("DIR");
  app.add_flag("--keep-raw-logs", options.keep_raw_logs,
               "Leave the logs as they are instead of folding their spam after each phase");
  app.add_option("--max-log-size", options.max_log_size,
                 "Logs that the gate may leave; above it copies that nobody reads are removed")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 50));
  app.add_option("--queue-timeout", options.queue_timeout, "Longest wait for nodes")
      ->type_name("DURATION");
  app.add_option("--run-timeout", options.run_timeout, "Longest run, from the grant on")
      ->type_name("DURATION");
  app.add_option("--phase-timeout", options.phase_timeout, "Longest phase")->type_name("DURATION");
  app.add_option("--progress-timeout", options.progress_timeout,
                 "Longest time without a new iteration")
      ->type_name("DURATION");
}

CLI::Option* add_cluster_option(CLI::App& app, Arguments& arguments) {
  return app.add_option("--cluster", arguments.cluster, "Where it is trained")
      ->type_name("NAME|FILE");
}

void add_format_option(CLI::App& app, Arguments& arguments,
                       const std::vector<std::string>& formats) {
  app.add_option("--format", arguments.format, text::join(formats, ", "))
      ->type_name("FORMAT")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
}

void add_from_option(CLI::App& run, Arguments& arguments) {
  run.add_option("--from", arguments.from,
                 "Repeat the gate of this record, on its nodes or on --nodelist")
      ->type_name("DIR|gate.json");
}

void need(const CLI::Option& option) {
  if (option.empty()) throw CLI::RequiredError(option.get_name());
}

/// A gate that exists takes no other option than these: what it was is in its record.
void need_alone(const CLI::App& app, const std::vector<std::string>& allowed) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    const bool other = std::find(allowed.begin(), allowed.end(), name) == allowed.end();
    if (!option->empty() && other) throw CLI::ExcludesError(name, allowed.front());
  }
}

void add_notify_options(CLI::App& app, Arguments& arguments) {
  auto* command = app.add_option("--notify-command", arguments.notify_command,
                                 "Program that gets the record on its standard input at the end")
                      ->type_name("PATH");
  app.add_option("--notify-arg", arguments.notify_args, "Argument of that program; repeatable")
      ->type_name("ARG")
      ->allow_extra_args(false)
      ->needs(command);
}

void add_run(CLI::App& app, Arguments& arguments) {
  auto* run = app.add_subcommand("run", "Run a gate: allocate once, run the phases, score, report");
  const auto* workload = add_gate_options(*run, arguments);
  const auto* cluster = add_cluster_option(*run, arguments);
  add_side_options(*run, arguments.options);
  add_place_options(*run, arguments.options);
  add_notify_options(*run, arguments);
  run->add_flag("--dry-run", arguments.dry_run, "Show the plan and do nothing; equals `plan`");
  run->add_flag("--quiet", arguments.quiet, "No progress, only the report");
  add_from_option(*run, arguments);
  run->add_option("--resume", arguments.resume,
                  "Start the interrupted gate of this work directory again; takes its "
                  "configuration from there")
      ->type_name("DIR");
  run->footer(exit_code_help());
  run->callback([&arguments, run, workload, cluster] {
    arguments.command = Command::run;
    if (!arguments.from.empty()) {
      need_alone(*run,
                 {"--from", "--nodelist", "--work-dir", "--results-dir", "--dry-run", "--quiet"});
    } else if (arguments.resume.empty()) {
      need(*workload);
      need(*cluster);
    } else {
      need_alone(*run, {"--resume", "--quiet", "--notify-command", "--notify-arg"});
    }
  });
}

void add_plan(CLI::App& app, Arguments& arguments) {
  auto* plan = app.add_subcommand("plan", "Show all that `run` would do, taking nothing");
  add_gate_options(*plan, arguments)->required();
  add_cluster_option(*plan, arguments)->required();
  add_side_options(*plan, arguments.options);
  add_place_options(*plan, arguments.options);
  add_format_option(*plan, arguments, {"text", "json"});
  plan->add_option("--out", arguments.out_dir, "Write the manifests into this folder")
      ->type_name("DIR");
  plan->callback([&] { arguments.command = Command::plan; });
}

void add_score(CLI::App& app, Arguments& arguments) {
  auto* score = app.add_subcommand("score", "Score phase directories that exist");
  add_gate_options(*score, arguments)->required();
  add_cluster_option(*score, arguments);
  score->add_option("--baseline", arguments.baseline, "Phase directories of the baseline")
      ->type_name("DIR")
      ->required();
  score->add_option("--candidate", arguments.candidate, "Phase directories of the candidate")
      ->type_name("DIR")
      ->required();
  score
      ->add_option("--results-dir", arguments.options.results_dir,
                   "Folder of the history; without it, score adds nothing to one")
      ->type_name("DIR");
  add_notify_options(*score, arguments);
  add_format_option(*score, arguments, report::format_names());
  score->add_option("--out", arguments.out_dir, "Write gate.json and the reports into this folder")
      ->type_name("DIR");
  score->footer(exit_code_help());
  score->callback([&] { arguments.command = Command::score; });
}

void add_doctor(CLI::App& app, Arguments& arguments) {
  auto* doctor = app.add_subcommand(
      "doctor", "Can this host, and with --nodelist can these nodes, run a gate?");
  auto* workload = add_gate_options(*doctor, arguments);
  auto* cluster = add_cluster_option(*doctor, arguments);
  workload->needs(cluster);
  cluster->needs(workload);
  add_place_options(*doctor, arguments.options);
  doctor->callback([&] { arguments.command = Command::doctor; });
}

void add_history_options(CLI::App& app, HistoryArguments& history) {
  app.add_option("--results-dir", history.results_dir, "Folder of the history")
      ->type_name("DIR")
      ->required();
  app.add_option("--workload", history.workload, "Only gates of this workload")->type_name("NAME");
  app.add_option("--cluster", history.cluster, "Only gates on this cluster")->type_name("NAME");
  app.add_option("--precision", history.precision, "Only this leg")->type_name("NAME");
  app.add_option("--since", history.since, "Only gates from then on")->type_name("DATE|TIME|AGE");
  app.add_option("--verdict", history.verdicts, "Only gates of this verdict; repeatable")
      ->type_name("VERDICT")
      ->allow_extra_args(false)
      ->transform(CLI::IsMember({"PASS", "REGRESSION", "NO_VERDICT", "INFRA"}, CLI::ignore_case));
}

CLI::App* add_history_action(CLI::App& app, Arguments& arguments, const char* action,
                             const char* help, HistoryArguments::Action value) {
  auto* sub = app.add_subcommand(action, help);
  add_history_options(*sub, arguments.history);
  sub->callback([&arguments, value] {
    arguments.command = Command::history;
    arguments.history.action = value;
  });
  return sub;
}

void add_history_view(CLI::App& app, HistoryArguments& history,
                      const std::vector<std::string>& formats) {
  constexpr std::int64_t most = 1'000'000'000;
  app.add_option("--last", history.last, "Only the last N gates of those")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, most));
  app.add_option("--format", history.format, "How it is shown")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
}

void add_history(CLI::App& app, Arguments& arguments) {
  using Action = HistoryArguments::Action;
  HistoryArguments& history = arguments.history;
  auto* all = app.add_subcommand("history", "List, follow and prune the gates of a results folder");
  all->require_subcommand(1);
  const std::vector<std::string> formats{"text", "csv", "json", "html"};
  add_history_view(*add_history_action(*all, arguments, "list", "One line a gate", Action::list),
                   history, formats);
  add_history_view(
      *add_history_action(*all, arguments, "trend",
                          "Sign balance, levels and slow drifts of each leg", Action::trend),
      history, {"text", "json", "html"});
  auto* exported = add_history_action(*all, arguments, "export", "The gates for other programs",
                                      Action::export_all);
  add_history_view(*exported, history, formats);
  exported->get_option("--format")->required();

  auto* show = all->add_subcommand("show", "Render the record that was kept of one gate");
  show->add_option("--results-dir", history.results_dir, "Folder of the history")
      ->type_name("DIR")
      ->required();
  show->add_option("ID", history.id, "Run id, or its beginning")->required();
  add_format_option(*show, arguments, report::format_names());
  show->callback([&arguments] {
    arguments.command = Command::history;
    arguments.history.action = Action::show;
  });

  auto* prune = add_history_action(*all, arguments, "prune", "Drop old gates with their records",
                                   Action::prune);
  constexpr std::int64_t most = 1'000'000;
  prune->add_option("--keep-days", history.keep_days, "Keep gates that are not older")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, most));
  prune
      ->add_option("--keep-last", history.keep_last,
                   "Keep the newest N of each workload and cluster")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, most));
  prune->add_flag("--dry-run", history.dry_run, "Only say what would go");
}

void add_condense(CLI::App& app, Arguments& arguments) {
  auto* condense =
      app.add_subcommand("condense", "Fold log spam in place, keep everything else byte for byte");
  condense->add_option("FILE|DIR", arguments.files, "Logs, folders of logs, or - for stdin")
      ->required();
  condense->add_option("-o,--output", arguments.output, "Write here instead; - is stdout")
      ->type_name("FILE");
  condense->add_flag("--stats", arguments.stats, "Say what was folded, and with -o what is left");
  condense
      ->add_option("--kind", arguments.kinds,
                   "One more kind of line: # digits, * a word, {time}, {host}, {pid}")
      ->type_name("NAME=PATTERN")
      ->take_all();
  condense
      ->add_flag("--auto{1000}", arguments.auto_above,
                 "Fold all lines that are equal but for numbers, times, hosts and addresses, above "
                 "a count")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  condense->callback([&] { arguments.command = Command::condense; });
}

void add_others(CLI::App& app, Arguments& arguments) {
  auto* validate = app.add_subcommand("validate", "Check configurations and manifests");
  validate->add_option("FILE", arguments.files, "Files to check")->required();
  validate->callback([&] { arguments.command = Command::validate; });

  auto* report = app.add_subcommand("report", "Render the record of a gate");
  report->add_option("DIR|gate.json", arguments.target, "Work directory or record")->required();
  add_format_option(*report, arguments, report::format_names());
  report->add_option("--against", arguments.against, "Show the record beside this other one")
      ->type_name("DIR|gate.json");
  report->callback([&] { arguments.command = Command::report; });

  auto* configs = app.add_subcommand("configs", "List what can be named, one a line");
  add_config_options(*configs, arguments);
  configs->add_option("KIND", arguments.kind, "workloads, clusters or suites")
      ->check(CLI::IsMember({"workloads", "clusters", "suites"}));
  configs->callback([&] { arguments.command = Command::configs; });

  auto* selftest = app.add_subcommand(
      "selftest", "Prove that this binary refuses what it must refuse (built-in phases)");
  selftest->callback([&] { arguments.command = Command::selftest; });

  auto* help = app.add_subcommand("help", "Explain a topic");
  help->add_option("TOPIC", arguments.topic, "exit-codes, reasons, config or ci")
      ->check(CLI::IsMember({"exit-codes", "reasons", "config", "ci"}));
  help->add_option("CODE", arguments.code, "A reason's code, after `reasons`");
  help->callback([&] { arguments.command = Command::help; });

  auto* completion = app.add_subcommand("completion", "Print a shell's completion");
  completion->group("");  // hidden: the installation carries what it prints
  completion->add_option("SHELL", arguments.topic)->required()->check(CLI::IsMember({"bash"}));
  completion->callback([&] { arguments.command = Command::completion; });
  auto* man = app.add_subcommand("man", "Print the manual page");
  man->group("");
  man->callback([&] { arguments.command = Command::man; });

  auto* inner = app.add_subcommand("inner", "Run the phases inside the allocation (internal)");
  inner->group("");  // hidden: `run` starts it
  inner->add_option("--work-dir", arguments.inner_work_dir)->required();
  inner->add_option("--serve", arguments.serve)->required();
  inner->callback([&] { arguments.command = Command::inner; });

  auto* facts = app.add_subcommand("node-facts", "Tell the state of this node (internal)");
  facts->group("");  // hidden: a step between the phases runs it on every node
  facts->add_option("--scratch", arguments.scratch)->required();
  facts->callback([&] { arguments.command = Command::node_facts; });
}

/// The type of an option without its check: `FORMAT:{text,json}` is FORMAT.
std::string value_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return option.get_items_expected_max() == 0 ? "" : type.substr(0, type.find(':'));
}

/// The words between the braces of a check.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  std::vector<std::string> out;
  if (open == std::string::npos || close == std::string::npos) return out;
  const std::string_view words = std::string_view(type).substr(open + 1, close - open - 1);
  for (const std::string_view word : text::split(words, ','))
    out.emplace_back(word);
  return out;
}

OptionHelp describe(const CLI::Option& option) {
  OptionHelp out;
  out.positional = option.get_positional();
  for (const std::string& name : option.get_snames())
    out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    out.names.push_back("--" + name);
  if (out.positional) out.names = {option.get_name(true)};
  out.value = value_of(option);
  out.choices = choices_of(option);
  out.description = option.get_description();
  out.required = option.get_required();
  return out;
}

CommandHelp describe(const CLI::App& app) {
  CommandHelp out{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    out.options.push_back(describe(*option));
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) out.commands.push_back(describe(*command));
  }
  return out;
}

void build(CLI::App& app, Arguments& arguments) {
  app.set_version_flag("--version", "abgate " + std::string(version));
  app.require_subcommand(1);
  app.footer(exit_code_help());
  add_run(app, arguments);
  add_plan(app, arguments);
  add_others(app, arguments);
  add_condense(app, arguments);
  add_score(app, arguments);
  add_doctor(app, arguments);
  add_history(app, arguments);
}

constexpr const char* purpose =
    "Tells whether a candidate build makes multi-node training slower than the baseline.";

}  // namespace

CommandHelp describe_commands() {
  Arguments unused;
  CLI::App app(purpose, "abgate");
  build(app, unused);
  return describe(std::as_const(app));
}

ParsedArguments parse_arguments(int argc, const char* const* argv) {
  ParsedArguments parsed;
  Arguments arguments;
  CLI::App app(purpose, "abgate");
  build(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(problem, out, err);
    parsed.exit_code = code == 0 ? exit_code::pass : exit_code::usage;
    parsed.out = out.str();
    parsed.err = err.str();
    return parsed;
  }
  parsed.arguments = std::move(arguments);
  return parsed;
}

}  // namespace abgate::cli
