#include <gmock/gmock.h>

#include "config_files.hpp"
#include "support/golden.hpp"

namespace abgate::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;

const std::string candidate = "rocm/primus:v26.4-rccl-gfx950-e711c9e";

/// Options of a gate that is in order.
Options sound_options() {
  Options options;
  options.candidate_image = candidate;
  return options;
}

Resolved resolve_on(const std::string& workload, const std::string& cluster,
                    const Options& options) {
  return resolve(shipped_workload(workload), shipped_cluster(cluster), options);
}

Resolved resolve_demo(const Options& options) {
  return resolve_on("demo", "ruby", options);
}

std::string problems_of(const Options& options) {
  return lines_of(resolve_demo(options).diagnostics);
}

GateConfig gate_of(const Resolved& resolved) {
  EXPECT_TRUE(resolved.value) << lines_of(resolved.diagnostics);
  return resolved.value.value_or(GateConfig());
}

/// One origin a line, without line and column, so that a comment in a shipped file may grow.
std::string origins_of(const GateConfig& gate) {
  std::string out;
  for (const auto& [key, from] : gate.origins)
    out += key + ": " + from.substr(0, from.find(':')) + "\n";
  return out;
}

/// The demo workload with these variables.
Parsed<Workload> workload_with(const std::string& members) {
  std::string text = shipped("workloads/demo.json");
  const std::string env = "\"NCCL_NET_PLUGIN\": \"none\"";
  text.replace(text.find(env), env.size(), members);
  return parse_workload(text, "w.json");
}

TEST(Resolve, DefaultsComeFromTheFiles) {
  const GateConfig gate = gate_of(resolve_on("gpt-oss-120b-training", "ruby", sound_options()));
  EXPECT_EQ("GPT-OSS-120B", gate.workload.model);
  EXPECT_EQ("meta64", gate.cluster.partition);
  EXPECT_EQ("rocm/primus:v26.4", gate.baseline.image);
  EXPECT_EQ(candidate, gate.candidate.image);
  EXPECT_EQ(2, gate.nodes);
  EXPECT_EQ(Order::ab, gate.order);
  EXPECT_EQ(Launcher::slurm, gate.launcher);
  EXPECT_EQ("madengine", gate.engine);
  EXPECT_THAT(gate.max_drop, ElementsAre(Pair("BF16", 0.02), Pair("FP8", 0.02)));
  EXPECT_FALSE(gate.same_build || gate.advisory || gate.use_allocation || gate.allow_log_metric);
  EXPECT_EQ("", gate.nodelist + gate.exclude + gate.scripts_dir + gate.work_dir + gate.results_dir);
}

// FORMATS 8: queue plus run are the 330 min that fit into a CI step.
TEST(Resolve, DefaultBudgetsFitIntoACiStep) {
  const Budgets gptoss =
      gate_of(resolve_on("gpt-oss-120b-training", "ruby", sound_options())).budgets;
  EXPECT_EQ(minutes(90), gptoss.queue);
  EXPECT_EQ(hours(4), gptoss.run);
  EXPECT_EQ(minutes(330), gptoss.queue + gptoss.run);
  EXPECT_EQ(hours(2), gptoss.phase);
  const Budgets demo = gate_of(resolve_demo(sound_options())).budgets;
  EXPECT_EQ(minutes(10), demo.run);
  EXPECT_EQ(minutes(5), demo.phase);
}

TEST(Resolve, EveryOptionReplacesTheFilesValue) {
  Options o = sound_options();
  o.nodes = 4;
  o.order = "abba";
  o.max_drop = {"FP8=0.05", "0.03"};
  o.advisory = true;
  o.baseline_image = "registry.example:5000/primus@sha256:abc";
  o.baseline_image_local = true;
  o.candidate_image_local = true;
  o.baseline_env = {"A=1"};
  o.candidate_env = {"A=2", "EMPTY=", "PAIR=x=y"};
  o.candidate_rccl = "develop:e711c9e";
  o.engine = "/opt/mad engine/madengine";
  o.scripts_dir = "/mad/scripts";
  o.nodelist = "a[1-4]";
  o.exclude = "b1";
  o.partition = "p";
  o.qos = "q";
  o.account = "acc";
  o.reservation = "r";
  o.time_limit = "1h";
  o.allow_log_metric = true;
  o.accept_engine_exit = true;
  o.work_dir = "out";
  o.results_dir = "results";
  o.queue_timeout = "5m";
  o.run_timeout = "50m";
  o.phase_timeout = "20m";
  o.progress_timeout = "7m";
  o.salloc_args = {"--comment=x"};
  const GateConfig gate = gate_of(resolve_demo(o));
  EXPECT_EQ(4, gate.nodes);
  EXPECT_EQ(Order::abba, gate.order);
  EXPECT_THAT(gate.max_drop, ElementsAre(Pair("BF16", 0.03), Pair("FP8", 0.05)));
  EXPECT_TRUE(gate.advisory && gate.allow_log_metric && gate.workload.accept_engine_exit);
  EXPECT_EQ("registry.example:5000/primus@sha256:abc", gate.baseline.image);
  EXPECT_TRUE(gate.baseline.local_image && gate.candidate.local_image);
  EXPECT_THAT(gate.baseline.env, ElementsAre(Pair("A", "1")));
  EXPECT_THAT(gate.candidate.env,
              ElementsAre(Pair("A", "2"), Pair("EMPTY", ""), Pair("PAIR", "x=y")));
  EXPECT_EQ("develop:e711c9e", gate.candidate_rccl);
  EXPECT_EQ("/opt/mad engine/madengine", gate.engine);
  EXPECT_EQ("/mad/scripts", gate.scripts_dir);
  EXPECT_EQ("a[1-4]", gate.nodelist);
  EXPECT_EQ("b1", gate.exclude);
  EXPECT_EQ("p q acc r", gate.cluster.partition + " " + gate.cluster.qos + " " +
                             gate.cluster.account + " " + gate.cluster.reservation);
  EXPECT_EQ(hours(1), gate.workload.time_limit);
  EXPECT_EQ("out results", gate.work_dir + " " + gate.results_dir);
  EXPECT_EQ(minutes(5), gate.budgets.queue);
  EXPECT_EQ(minutes(50), gate.budgets.run);
  EXPECT_EQ(minutes(20), gate.budgets.phase);
  EXPECT_EQ(minutes(7), gate.budgets.progress);
  EXPECT_EQ("--comment=x", gate.cluster.extra_salloc_args.back());
  test::expect_golden("config/origins-options.txt", origins_of(gate));
}

TEST(Resolve, OriginsOfAGateWithoutOptions) {
  const GateConfig gate = gate_of(resolve_on("demo", "local", sound_options()));
  test::expect_golden("config/origins-defaults.txt", origins_of(gate));
}

TEST(Resolve, ExclusiveUseOfAnAllocation) {
  Options o = sound_options();
  o.use_allocation = true;
  const GateConfig gate = gate_of(resolve_demo(o));
  EXPECT_TRUE(gate.use_allocation);
  EXPECT_EQ("--use-allocation", gate.origins.at("use_allocation"));
}

// DESIGN 4: cluster < workload < side.
TEST(Environment, SideWinsOverWorkloadOverCluster) {
  Options o = sound_options();
  o.candidate_env = {"NCCL_DEBUG=VERSION", "ONLY_HERE=1"};
  const auto resolved = resolve(workload_with(R"("NCCL_IB_TC": "41", "NCCL_DEBUG": "INFO")"),
                                shipped_cluster("ruby"), o);
  const GateConfig gate = gate_of(resolved);
  const Environment baseline = gate.environment_of(Side::baseline);
  const Environment other = gate.environment_of(Side::candidate);
  EXPECT_EQ("41", *find_variable(baseline, "NCCL_IB_TC"));
  EXPECT_EQ("INFO", *find_variable(baseline, "NCCL_DEBUG"));
  EXPECT_EQ("VERSION", *find_variable(other, "NCCL_DEBUG"));
  EXPECT_EQ(nullptr, find_variable(baseline, "ONLY_HERE"));
  EXPECT_EQ("3", *find_variable(other, "NCCL_IB_GID_INDEX"));
  EXPECT_THAT(gate.origins.at("env.NCCL_IB_TC"), StartsWith("w.json:"));
  EXPECT_THAT(gate.origins.at("env.NCCL_IB_GID_INDEX"), StartsWith("configs/clusters/ruby.json:"));
  EXPECT_EQ("--candidate-env", gate.origins.at("candidate.env.NCCL_DEBUG"));
  EXPECT_FALSE(gate.origins.contains("baseline.env.NCCL_DEBUG"));
}

// The order of the fixtures' manifests.
TEST(Environment, IsThatOfARealManifest) {
  const GateConfig gate = gate_of(resolve_on("gpt-oss-120b-training", "ruby", sound_options()));
  std::vector<std::string> names;
  for (const auto& [name, value] : gate.environment_of(Side::candidate))
    names.push_back(name);
  EXPECT_THAT(names,
              ElementsAre("NCCL_NET", "NCCL_IB_DISABLE", "NCCL_IB_HCA", "NCCL_IB_GID_INDEX",
                          "NCCL_IB_TC", "NCCL_IB_QPS_PER_CONNECTION", "NCCL_SOCKET_IFNAME",
                          "GLOO_SOCKET_IFNAME", "NCCL_DEBUG", "NCCL_TIMEOUT", "IBV_SHOW_WARNINGS",
                          "NCCL_NET_PLUGIN", "PRIMUS_TRAIN_ITERS", "PRIMUS_DISABLE_PROFILE"));
}

TEST(Environment, WorkloadsOwnSocketInterfaceBecomesTheNetworkInterface) {
  const auto resolved = resolve(workload_with(R"("NCCL_SOCKET_IFNAME": "eno0")"),
                                shipped_cluster("ruby"), sound_options());
  const GateConfig gate = gate_of(resolved);
  EXPECT_EQ("eno0", gate.cluster.network_interface);
  EXPECT_EQ("eno0", *find_variable(gate.environment_of(Side::baseline), "NCCL_SOCKET_IFNAME"));
  EXPECT_EQ(gate.origins.at("env.NCCL_SOCKET_IFNAME"),
            gate.origins.at("cluster.network_interface"));
}

TEST(Environment, SocketInterfacesFollowFromTheNetworkInterface) {
  const auto cluster = parse_cluster(
      R"({"schema_version": 1, "name": "c", "launcher": "slurm", "gpu": "MI300X",
          "gpu_target": "gfx942", "gpu_vendor": "AMD", "render_nodes": [], "guest_os": "UBUNTU",
          "network_interface": "eth1"})",
      "c.json");
  const GateConfig gate = gate_of(resolve(shipped_workload("demo"), cluster, sound_options()));
  const Environment env = gate.environment_of(Side::candidate);
  EXPECT_EQ("eth1", *find_variable(env, "NCCL_SOCKET_IFNAME"));
  EXPECT_EQ("eth1", *find_variable(env, "GLOO_SOCKET_IFNAME"));
  EXPECT_EQ("c.json:3:32", gate.origins.at("env.GLOO_SOCKET_IFNAME"));
}

// FORMATS 1.
TEST(Environment, OneNodeDropsNcclNet) {
  Options o = sound_options();
  o.nodes = 1;
  const GateConfig gate = gate_of(resolve_demo(o));
  EXPECT_EQ(nullptr, find_variable(gate.environment_of(Side::baseline), "NCCL_NET"));
  EXPECT_NE(nullptr, find_variable(gate.environment_of(Side::baseline), "NCCL_NET_PLUGIN"));
  EXPECT_FALSE(gate.origins.contains("env.NCCL_NET"));
  o.nodes = 2;
  EXPECT_NE(nullptr,
            find_variable(gate_of(resolve_demo(o)).environment_of(Side::baseline), "NCCL_NET"));
  o.nodes = 1;
  o.candidate_env = {"NCCL_NET=IB"};
  EXPECT_EQ(
      "--candidate-env: NCCL_NET: one node has no network to choose; leave it out, or give more "
      "nodes\n",
      problems_of(o));
}

struct Refusal {
  const char* name;
  void (*change)(Options&);
  const char* problems;  ///< all of them
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithThisText) {
  Options options = sound_options();
  GetParam().change(options);
  const Resolved resolved = resolve_demo(options);
  EXPECT_FALSE(resolved.value);
  EXPECT_EQ(GetParam().problems, lines_of(resolved.diagnostics));
}

constexpr const char* drop_hint =
    "give more than 0 and less than 0.5, as 0.02 or BF16=0.02 for 2 %\n";
const std::string drop_nan = std::string("--max-drop: \"nan\" is no usable limit; ") + drop_hint;
const std::string drop_many = "--max-drop: \"inf\" is no usable limit; " + std::string(drop_hint) +
                              "--max-drop: \"-0.1\" is no usable limit; " + drop_hint +
                              "--max-drop: \"0.99\" is no usable limit; " + drop_hint +
                              "--max-drop: \"0\" is no usable limit; " + drop_hint +
                              "--max-drop: \"2%\" is no usable limit; " + drop_hint +
                              "--max-drop: \"\" is no usable limit; " + drop_hint;

const Refusal refusals[] = {
    {"NodesNotValidated", [](Options& o) { o.nodes = 3; },
     "--nodes: demo is not validated with 3 nodes (validated: 1, 2, 4); give one of these, or "
     "--allow-unvalidated-nodes\n"},
    {"NodesZero", [](Options& o) { o.nodes = 0; },
     "--nodes: 0 is no number of nodes; give at least 1\n"},
    {"Order", [](Options& o) { o.order = "aab"; },
     "--order: \"aab\" is not known (did you mean \"ab\"?); give one of ab, ba, aba, abba\n"},
    {"Launcher", [](Options& o) { o.launcher = "locl"; },
     "--launcher: \"locl\" is not known (did you mean \"local\"?); give one of slurm, local\n"},
    {"DropNan", [](Options& o) { o.max_drop = {"nan"}; }, drop_nan.c_str()},
    {"DropMany", [](Options& o) { o.max_drop = {"inf", "-0.1", "0.99", "BF16=0", "2%", "BF16="}; },
     drop_many.c_str()},
    {"DropPrecision", [](Options& o) { o.max_drop = {"BF1=0.03"}; },
     "--max-drop: \"BF1\" is none of the workload's precisions (did you mean \"BF16\"?); give one "
     "of BF16, FP8\n"},
    {"SidesEqual", [](Options& o) { o.candidate_image.reset(); },
     "--candidate-image: the sides do not differ: both run rocm/primus:v26.4; give "
     "--candidate-image, --candidate-library or --candidate-env, or --same-build for an A/A "
     "gate\n"},
    {"SidesEqualByEnv",
     [](Options& o) {
       o.candidate_image.reset();
       o.baseline_env = {"A=1", "B=2"};
       o.candidate_env = {"B=2", "A=1", "NCCL_DEBUG=WARN"};
     },
     "--candidate-image: the sides do not differ: both run rocm/primus:v26.4; give "
     "--candidate-image, --candidate-library or --candidate-env, or --same-build for an A/A "
     "gate\n"},
    {"Image", [](Options& o) { o.candidate_image = "x; reboot"; },
     "--candidate-image: \"x; reboot\" is not an image; give a tag such as rocm/primus:v26.4, "
     "without blanks and shell metacharacters\n"},
    {"EnvWithoutValue", [](Options& o) { o.candidate_env = {"hunter2"}; },
     "--candidate-env: a variable has no value; give NAME=VALUE; VALUE may be empty\n"},
    {"EnvName", [](Options& o) { o.baseline_env = {"=1"}; },
     "--baseline-env: is empty; give letters, digits and '_', not beginning with a digit\n"},
    {"EnvTwice",
     [](Options& o) {
       o.candidate_env = {"A=1", "A=2"};
     },
     "--candidate-env: A is given twice; keep one\n"},
    {"EnvValue", [](Options& o) { o.candidate_env = {"A=$HOME"}; },
     "--candidate-env: A: \"$HOME\" is not a plain value; give text without control characters, "
     "quotes, '`', '$' and '\\'\n"},
    {"EnvSecret", [](Options& o) { o.candidate_env = {"HF_TOKEN=hunter2"}; },
     "--candidate-env: HF_TOKEN: looks like a credential; secrets travel in the process "
     "environment only (MAD_SECRETS_*, HF_TOKEN); remove it\n"},
    {"Rccl", [](Options& o) { o.candidate_rccl = "e711"; },
     "--candidate-rccl: \"e711\" is not an RCCL build; give <ref>:<hash> or a hash of at least 7 "
     "hexadecimal digits, as RCCL's banner shows it: develop:e711c9e\n"},
    {"LibraryRelative",
     [](Options& o) {
       o.candidate_library = "build/librccl.so.1";
       o.candidate_library_files = {"librccl.so.1"};
     },
     "--candidate-library: \"build/librccl.so.1\" is not an absolute path; give a path that begins "
     "with '/', without \"..\", blanks, ':' and shell metacharacters\n"},
    {"LibraryOther",
     [](Options& o) {
       o.candidate_library = "/b/libfoo.so";
       o.candidate_library_files = {"libfoo.so"};
     },
     "--candidate-library: \"/b/libfoo.so\" holds no librccl.so.1; give a librccl.so.1 or the "
     "directory that holds it\n"},
    {"LibraryMissing",
     [](Options& o) {
       o.candidate_library = "/b";
       o.candidate_library_files = {"librccl.a", "rccl.kpack"};
     },
     "--candidate-library: \"/b\" holds no librccl.so.1; give a librccl.so.1 or the directory that "
     "holds it\n"},
    {"NodelistMalformed", [](Options& o) { o.nodelist = "a[1-"; },
     "--nodelist: \"a[1-\" is no host list; give Slurm's form, such as a[1-2],b7\n"},
    {"NodelistCount",
     [](Options& o) {
       o.nodes = 2;
       o.nodelist = "a1,a2,a3";
     },
     "--nodelist: names 3 nodes, the gate takes 2; name as many as --nodes says\n"},
    {"NodelistTwice",
     [](Options& o) {
       o.nodes = 2;
       o.nodelist = "a1,a1";
     },
     "--nodelist: names a node twice; keep one\n"},
    {"NodelistExcluded",
     [](Options& o) {
       o.nodes = 2;
       o.nodelist = "a1,a2";
       o.exclude = "a[2-3]";
     },
     "--nodelist: names a2, which is excluded (by --exclude); leave it out of one of both\n"},
    {"LocalWithSlurmOptions",
     [](Options& o) {
       o.launcher = "local";
       o.partition = "p";
       o.nodelist = "a1";
       o.use_allocation = true;
     },
     "--partition: the local launcher has no scheduler; leave it out, or give --launcher slurm\n"
     "--nodelist: the local launcher has no scheduler; leave it out, or give --launcher slurm\n"
     "--use-allocation: the local launcher has no scheduler; leave it out, or give --launcher "
     "slurm\n"},
    {"AllocationWithQueue",
     [](Options& o) {
       o.use_allocation = true;
       o.queue_timeout = "5m";
     },
     "--queue-timeout: an allocation that exists keeps what it was given; leave it out, or leave "
     "out --use-allocation\n"},
    {"Partition", [](Options& o) { o.partition = "--wrap"; },
     "--partition: \"--wrap\" is not a Slurm name; give letters, digits and '_.,+=-', or leave the "
     "key out\n"},
    {"BudgetText", [](Options& o) { o.run_timeout = "330"; },
     "--run-timeout: \"330\" is not a duration; give a positive one, such as 04:00:00, 1-02:00:00, "
     "90m, 1h30m or 45s\n"},
    {"SallocArgument",
     [](Options& o) {
       o.salloc_args = {"--comment=x", "-N4"};
     },
     "--salloc-arg: -N does not belong here; the option --nodes decides it\n"},
    {"ProgressOverPhase",
     [](Options& o) {
       o.phase_timeout = "4m";
       o.progress_timeout = "5m";
     },
     "--progress-timeout: the progress budget of 5 min is longer than the phase budget of 4 min; "
     "give at most 00:04:00\n"},
    {"BudgetZero", [](Options& o) { o.queue_timeout = "0s"; },
     "--queue-timeout: \"0s\" is not a duration; give a positive one, such as 04:00:00, "
     "1-02:00:00, 90m, 1h30m or 45s\n"},
    {"BudgetOfYears", [](Options& o) { o.time_limit = "9999d"; },
     "--time-limit: is longer than a year; give a shorter one\n"},
    {"RunOverLimit", [](Options& o) { o.run_timeout = "11m"; },
     "--run-timeout: the run budget of 11 min is longer than the time limit of 10 min; give at "
     "most 00:10:00\n"},
    {"PhaseOverRun",
     [](Options& o) {
       o.run_timeout = "8m";
       o.phase_timeout = "9m";
     },
     "--phase-timeout: the phase budget of 9 min is longer than the run budget of 8 min; give at "
     "most 00:08:00\n"},
};

INSTANTIATE_TEST_SUITE_P(Options, Refused, testing::ValuesIn(refusals),
                         [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(Resolve, AllProblemsOfAllInputsAtOnce) {
  Options o = sound_options();
  o.order = "x";
  o.max_drop = {"2"};
  o.queue_timeout = "soon";
  const auto resolved = resolve(parse_workload("{}", "w.json"), parse_cluster("[]", "c.json"), o);
  EXPECT_FALSE(resolved.value);
  const std::string problems = lines_of(resolved.diagnostics);
  for (const char* part : {"c.json:1:1: expected an object, found an array\n", "w.json:1:1: /name:",
                           "--order: \"x\"", "--max-drop: \"2\"", "--queue-timeout: \"soon\""}) {
    EXPECT_THAT(problems, HasSubstr(part));
  }
  // Nothing is said about values that are absent only because their file is broken.
  EXPECT_THAT(problems, testing::Not(HasSubstr("do not differ")));
}

TEST(Resolve, UnvalidatedNodesAreAWarningWhenAllowed) {
  Options o = sound_options();
  o.nodes = 3;
  o.allow_unvalidated_nodes = true;
  const Resolved resolved = resolve_demo(o);
  EXPECT_EQ(3, gate_of(resolved).nodes);
  EXPECT_EQ("--nodes: warning: demo is not validated with 3 nodes (validated: 1, 2, 4)\n",
            lines_of(resolved.diagnostics));
}

TEST(Resolve, SameBuildAllowsEqualSidesAndDifferentOnes) {
  Options o;
  o.same_build = true;
  EXPECT_TRUE(gate_of(resolve_demo(o)).same_build);
  o.candidate_image = candidate;
  EXPECT_TRUE(gate_of(resolve_demo(o)).same_build);
}

TEST(Resolve, AnyDifferenceOfTheSidesIsOne) {
  for (const auto change :
       {+[](Options& o) { o.candidate_env = {"A=1"}; },
        +[](Options& o) { o.baseline_image = "rocm/primus:v26.3", o.candidate_image = candidate; },
        +[](Options& o) { o.candidate_image_local = true; },
        +[](Options& o) {
          o.candidate_library = "/b/librccl.so.1";
          o.candidate_library_files = {"librccl.so.1"};
        }}) {
    Options o;
    change(o);
    EXPECT_TRUE(gate_of(resolve_demo(o)).candidate.image.size() > 0);
  }
}

TEST(Resolve, CandidateFollowsTheBaselinesImage) {
  Options o;
  o.baseline_image = "rocm/primus:v26.3";
  o.candidate_env = {"A=1"};
  const GateConfig gate = gate_of(resolve_demo(o));
  EXPECT_EQ("rocm/primus:v26.3", gate.candidate.image);
  EXPECT_EQ("--baseline-image", gate.origins.at("candidate.image"));
}

TEST(Resolve, LocalLauncherTakesAnyValidatedNodeCount) {
  for (const std::int64_t nodes : {1, 2, 4}) {
    Options o = sound_options();
    o.nodes = nodes;
    o.time_limit = "20m";
    const GateConfig gate = gate_of(resolve_on("demo", "local", o));
    EXPECT_EQ(nodes, gate.nodes);
    EXPECT_EQ(Launcher::local, gate.launcher);
  }
  Options o = sound_options();
  o.launcher = "local";
  const GateConfig gate = gate_of(resolve_demo(o));
  EXPECT_EQ(Launcher::local, gate.launcher);
  EXPECT_EQ(Launcher::local, gate.cluster.launcher);
}

const std::string packages = "/opt/venv/lib/python3.12/site-packages/";

// FORMATS 1: four targets, read-only.
TEST(Library, AFileIsMountedOverAllFourNames) {
  Options o;
  o.candidate_library = "/build/rccl/librccl.so.1.0";
  o.candidate_library_files = {"librccl.so.1.0"};
  const GateConfig gate = gate_of(resolve_demo(o));
  const std::string host = "/build/rccl/librccl.so.1.0";
  EXPECT_EQ(host, gate.candidate.library);
  EXPECT_THAT(gate.candidate.library_mounts,
              ElementsAre(Mount{packages + "_rocm_sdk_libraries/lib/librccl.so.1", host, true},
                          Mount{packages + "_rocm_sdk_libraries/lib/librccl.so.1.0", host, true},
                          Mount{packages + "_rocm_sdk_devel/lib/librccl.so.1", host, true},
                          Mount{packages + "_rocm_sdk_devel/lib/librccl.so.1.0", host, true}));
  EXPECT_TRUE(gate.baseline.library_mounts.empty());
  EXPECT_EQ("--candidate-library", gate.origins.at("candidate.library"));
}

TEST(Library, ADirectoryBringsItsKernelPacks) {
  Options o;
  o.candidate_library = "/build/rccl/";
  o.candidate_library_files = {"rccl_gfx950.kpack", "librccl.so.1", "other.kpack", "librccl.so",
                               "rccl_gfx942.kpack"};
  const auto mounts = gate_of(resolve_demo(o)).candidate.library_mounts;
  ASSERT_EQ(6U, mounts.size());
  EXPECT_EQ("/build/rccl/librccl.so.1", mounts[0].host);
  EXPECT_EQ("/build/rccl/librccl.so.1", mounts[3].host);
  EXPECT_EQ((Mount{packages + "_rocm_sdk_libraries/.kpack/rccl_gfx942.kpack",
                   "/build/rccl/rccl_gfx942.kpack", true}),
            mounts[4]);
  EXPECT_EQ("/build/rccl/rccl_gfx950.kpack", mounts[5].host);
}

}  // namespace
}  // namespace abgate::config
