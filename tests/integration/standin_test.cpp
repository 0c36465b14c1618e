// The stand-in engine against what the real madengine wrote (tests/data/standin, from a real run).

#include <algorithm>
#include <csignal>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

#include "standin_phase.hpp"
#include "support/files.hpp"

namespace abgate::test {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;
namespace fs = std::filesystem;

constexpr const char* engine = ABGATE_BINARY_DIR "/madengine-standin";

/// A log line without what differs from run to run: times, host names, numbers' digits.
std::string normalised(std::string line) {
  static const std::regex host("mi355x-[0-9]+|local-[0-9]+");
  static const std::regex digits("[0-9]+");
  // Iterations of the stand-in last milliseconds and carry more decimals (log_lines.cpp).
  static const std::regex decimals("N\\.N(E[+-]N)?");
  static const std::regex blanks(" +N");
  line = std::regex_replace(line, host, "HOST");
  line = std::regex_replace(line, digits, "N");
  line = std::regex_replace(line, decimals, "N.N$1");
  return std::regex_replace(line, blanks, " N");
}

/// The container's lines from the first leg to the end of the test, spam and blank lines left out.
std::vector<std::string> training_lines(const std::string& log) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const auto& line : lines_of(log)) {
    if (line.starts_with("Running: ")) inside = true;
    if (inside && !line.empty()) lines.push_back(normalised(line));
    if (line.starts_with("test_duration")) break;
  }
  return lines;
}

std::string kind_of(const std::string& cell) {
  if (cell.empty()) return "empty";
  if (number::parse_integer(cell)) return "integer";
  return number::parse_finite(cell) ? "number" : "text";
}

double performance(const StandinPhase& phase, const std::string& precision) {
  for (const auto& row : phase.perf_csv().rows)
    if (row.at("precision") == precision && row.at("metric") == "tok_per_s_per_gpu_avg")
      return number::parse_finite(row.at("performance")).value_or(0);
  return 0;
}

TEST(Standin, says_its_version) {
  const auto result = run_program({engine, "--version"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.out, "madengine 2.1.0-standin\n");
}

TEST(Standin, tells_usage_from_unknown_arguments) {
  EXPECT_EQ(run_program({engine}).exit, 2);
  EXPECT_EQ(run_program({engine, "run"}).exit, 2);
  EXPECT_EQ(run_program({engine, "bench"}).exit, 2);
  EXPECT_EQ(run_program({engine, "run", "-m"}).exit, 2);
  EXPECT_EQ(run_program({engine, "run", "-m", "x.json", "--timeout", "soon"}).exit, 2);
  EXPECT_EQ(run_program({engine, "run", "-m", "x.json", "--fast"}).exit, 4);
}

TEST(Standin, perf_csv_is_the_fixtures_column_by_column) {
  const StandinPhase phase;
  const auto result = phase.run();
  ASSERT_EQ(result.exit, 0) << result.describe();
  const Table real = Table::read(standin_data("perf.csv"));
  const Table ours = phase.perf_csv();
  EXPECT_EQ(ours.header, real.header);
  EXPECT_THAT(ours.header, SizeIs(38));
  ASSERT_EQ(ours.rows.size(), real.rows.size());
  for (const auto& name : real.header) {
    SCOPED_TRACE(name);
    const auto wanted = real.column(name);
    const auto got = ours.column(name);
    if (name == "performance") {
      EXPECT_THAT(got, Each(MatchesRegex("[0-9]+\\.[0-9]")));
    } else if (name == "machine_name") {
      EXPECT_THAT(got, Each(MatchesRegex("[0-9]+")));
    } else {
      EXPECT_EQ(got, wanted);
    }
    for (std::size_t row = 0; row < wanted.size(); ++row)
      EXPECT_EQ(kind_of(got[row]), kind_of(wanted[row]));
  }
  EXPECT_THAT(read_text(phase.path("perf.csv")), HasSubstr(",\"pyt,pretrain,training\","));
}

TEST(Standin, the_model_csv_is_the_fixtures_column_by_column) {
  const StandinPhase phase;
  ASSERT_EQ(phase.run().exit, 0);
  const std::string file = "perf_primus-megatron-GPT-OSS-120B.csv";
  const Table real = Table::read(standin_data(file));
  for (const int node : {0, 1}) {
    const Table ours = Table::read(phase.node_folder(node) / file);
    EXPECT_EQ(ours.header, real.header);
    for (const auto& name : real.header) {
      if (name == "performance") continue;
      EXPECT_EQ(ours.column(name), real.column(name)) << name;
    }
    EXPECT_EQ(ours.column("performance"), phase.perf_csv().column("performance"));
  }
}

TEST(Standin, the_super_json_is_the_fixtures_key_by_key) {
  const StandinPhase phase;
  ASSERT_EQ(phase.run().exit, 0);
  const auto real = parse_json(read_text(standin_data("perf_entry_super.json")), "real");
  const auto ours = parse_json(read_text(phase.path("perf_entry_super.json")), "ours");
  ASSERT_TRUE(real && ours);
  ASSERT_EQ(ours->items().size(), real->items().size());
  for (std::size_t i = 0; i < real->items().size(); ++i) {
    const auto& wanted = real->items()[i].members();
    const auto& got = ours->items()[i].members();
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      EXPECT_EQ(got[k].key, wanted[k].key);
      if (wanted[k].key == "performance" || wanted[k].key == "machine_name")
        EXPECT_EQ(got[k].value.kind(), wanted[k].value.kind());
      else
        EXPECT_EQ(got[k].value.dump(), wanted[k].value.dump()) << wanted[k].key;
    }
  }
}

TEST(Standin, node_logs_have_the_fixtures_shapes) {
  const StandinPhase phase;
  ASSERT_EQ(phase.run().exit, 0);
  for (const std::string name : {"node_0.out", "node_1.out"}) {
    SCOPED_TRACE(name);
    const auto real = training_lines(read_text(standin_data(name)));
    EXPECT_GT(real.size(), 10U);
    EXPECT_EQ(training_lines(phase.log_text(name)), real);
  }
}

TEST(Standin, err_files_have_the_fixtures_lines) {
  const StandinPhase phase;
  ASSERT_EQ(phase.run().exit, 0);
  const std::regex form(
      R"(\[DEBUG\] \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00 Node 1 \(local-1\): .*)");
  const auto strip = [](std::string line) { return line.substr(line.find("): ")); };
  const auto compare = [&](const std::string& text, const std::string& fixture) {
    const auto real = lines_of(read_text(standin_data(fixture)));
    const auto ours = lines_of(text);
    ASSERT_EQ(ours.size(), real.size());
    for (std::size_t i = 0; i < real.size(); ++i) {
      EXPECT_TRUE(std::regex_match(ours[i], form)) << ours[i];
      EXPECT_EQ(strip(ours[i]), strip(real[i]));
    }
  };
  compare(phase.log_text("node_1.err"), "node_1.err");
  compare(read_text(phase.node_folder(1) / "stderr.err"), "stderr_1.err");
}

TEST(Standin, leaves_the_copies_of_the_real_engine) {
  const StandinPhase phase;
  ASSERT_EQ(phase.run().exit, 0);
  for (const int node : {0, 1}) {
    const auto folder = phase.node_folder(node);
    const std::string live = read_text(
        folder / "primus_pyt_megatron_lm_train_gpt-oss-120b_rocm_primus_v26.4.run.live.log");
    EXPECT_THAT(live, AllOf(HasSubstr("Running: GPT-OSS-120B - BF16 - pretrain"),
                            Not(HasSubstr("RUN PHASE"))));
    const std::string flat = phase.log_text("node_" + std::to_string(node) + ".out");
    EXPECT_EQ(read_text(folder / "stdout.out"), flat);
    EXPECT_THAT(flat, HasSubstr(live));
  }
  EXPECT_FALSE(fs::exists(phase.path("slurm_output/.standin")));
}

TEST(Standin, the_terminal_says_what_madengine_says) {
  const StandinPhase phase;
  const auto result = phase.run();
  EXPECT_THAT(
      result.out,
      AllOf(HasSubstr("│   \"target\": \"slurm\","), HasSubstr("✓ Deployment to slurm complete"),
            HasSubstr("✅ Successfully updated: perf.csv"),
            HasSubstr("Summary: 8 total runs, 8 successful, 0 failed"),
            testing::EndsWith("🎉 All model executions completed successfully!\n")));
}

TEST(Standin, the_numbers_of_one_line_agree) {
  StandinPhase phase;
  ASSERT_EQ(phase.run().exit, 0);
  const std::regex values(R"((?:ms\): )([\d.]+).*tokens/s/GPU\): ([\d.]+))");
  const auto lines = phase.iteration_lines("node_1.out");
  ASSERT_THAT(lines, SizeIs(30));
  for (const auto& line : lines) {
    std::smatch match;
    ASSERT_TRUE(std::regex_search(line, match, values)) << line;
    const double expected = 4096.0 * 2048 / 16 * 1000 / std::stod(match[1]);
    EXPECT_NEAR(std::stod(match[2]) / expected, 1, 0.001) << line;
  }
}

TEST(Standin, a_slower_side_does_more_work_and_is_measured_slower) {
  // The median of three pairs: a test machine has bad moments.
  std::map<std::string, std::vector<double>> ratios;
  for (int pair = 0; pair < 3; ++pair) {
    StandinPhase fast(Variables{{"ABGATE_STANDIN_WORK", "0.5"}});
    StandinPhase slow(
        Variables{{"ABGATE_STANDIN_WORK", "0.5"}, {"ABGATE_STANDIN_SLOWDOWN", "1.08"}});
    for (StandinPhase* phase : {&fast, &slow}) {
      phase->use_demo_model();
      const auto result = phase->run();
      ASSERT_EQ(result.exit, 0) << result.describe();
    }
    for (const std::string precision : {"BF16", "FP8"})
      ratios[precision].push_back(performance(slow, precision) / performance(fast, precision));
  }
  for (auto& [precision, values] : ratios) {
    std::sort(values.begin(), values.end());
    EXPECT_GT(values[1], 0.90) << precision;
    EXPECT_LT(values[1], 0.95) << precision;
  }
}

TEST(Standin, one_precision_alone_can_be_slower) {
  StandinPhase fast(Variables{{"ABGATE_STANDIN_WORK", "0.3"}});
  StandinPhase slow(
      Variables{{"ABGATE_STANDIN_WORK", "0.3"}, {"ABGATE_STANDIN_SLOWDOWN_FP8", "3"}});
  ASSERT_EQ(fast.run().exit, 0);
  ASSERT_EQ(slow.run().exit, 0);
  EXPECT_NEAR(performance(slow, "BF16") / performance(fast, "BF16"), 1, 0.3);
  EXPECT_NEAR(performance(slow, "FP8") / performance(fast, "FP8"), 1.0 / 3, 0.1);
}

TEST(Standin, a_second_run_appends_to_perf_csv) {
  const StandinPhase phase;
  ASSERT_EQ(phase.run().exit, 0);
  const std::string first = read_text(phase.path("perf.csv"));
  ASSERT_EQ(phase.run().exit, 0);
  EXPECT_THAT(read_text(phase.path("perf.csv")), testing::StartsWith(first));
  EXPECT_THAT(phase.perf_csv().rows, SizeIs(16));
  EXPECT_THAT(parse_json(read_text(phase.path("perf_entry_super.json")), "super")->items(),
              SizeIs(8));
}

TEST(Standin, knobs_work_where_the_real_scripts_read_them) {
  StandinPhase without_knobs;
  for (const std::string name : {"PRIMUS_TRAIN_ITERS", "PRIMUS_DISABLE_PROFILE"})
    std::erase_if(without_knobs.manifest().find("context")->find("docker_env_vars")->members(),
                  [&](const Json::Member& member) { return member.key == name; });
  ASSERT_EQ(without_knobs.run().exit, 0);
  EXPECT_THAT(without_knobs.iteration_lines("node_1.out"), SizeIs(20));

  StandinPhase llama(Variables{{"PRIMUS_TRAIN_ITERS", "4"}});
  llama.manifest() = *parse_json(
      text::replace_all(text::replace_all(llama.manifest().dump(), "gpt-oss-120b", "llama-3.1-70b"),
                        "GPT-OSS-120B", "Llama-3.1-70B"),
      "llama");
  ASSERT_EQ(llama.run().exit, 0);
  EXPECT_THAT(llama.iteration_lines("node_1.out"), SizeIs(100));
  EXPECT_THAT(llama.perf_csv().column("global_batch_size"), Each("512"));
}

TEST(Standin, every_log_shape_can_be_chosen) {
  struct Case {
    std::string shape, tflops, tokens;
  };
  const std::vector<Case> cases = {
      {"26.4", R"(throughput per GPU \(TFLOP/s/GPU\): [\d.]+/[\d.]+  \|)",
       R"(tokens per GPU \(tokens/s/GPU\): [\d.]+/[\d.]+ \|)"},
      {"26.5.0", R"(compute per GPU \(TFLOP/s/GPU\): [\d.]+ \(avg [\d.]+\) \|)",
       R"(tokens/s/GPU inst/harmonic mean: [\d.]+/[\d.]+ \|)"},
      {"26.5.1", R"(throughput per GPU \(TFLOP/s/GPU\): [\d.]+/[\d.]+  \|)",
       R"(tokens/s/GPU inst/harmonic mean: [\d.]+/[\d.]+ \|)"},
  };
  for (const auto& wanted : cases) {
    SCOPED_TRACE(wanted.shape);
    const StandinPhase phase(Variables{{"ABGATE_STANDIN_SHAPE", wanted.shape}});
    ASSERT_EQ(phase.run().exit, 0);
    const std::string line = phase.iteration_lines("node_1.out").at(5);
    EXPECT_TRUE(std::regex_search(line, std::regex(wanted.tflops))) << line;
    EXPECT_TRUE(std::regex_search(line, std::regex(wanted.tokens))) << line;
  }
}

TEST(Standin, names_can_carry_the_in_place_tag) {
  const StandinPhase phase(Variables{{"ABGATE_STANDIN_RUN_TAG", "1"}});
  ASSERT_EQ(phase.run().exit, 0);
  EXPECT_THAT(phase.perf_csv().column("machine_name"),
              Each(MatchesRegex("[0-9]+_[0-9]{14}_[0-9a-f]{6}")));
  EXPECT_THAT(phase.log("node_1.out").filename().string(),
              MatchesRegex("madengine-.*_[0-9]+_[0-9]{14}_[0-9a-f]{6}_node_1.out"));
}

TEST(Standin, the_banner_names_the_library_that_was_loaded) {
  StandinPhase tagged;
  tagged.manifest() = *parse_json(text::replace_all(tagged.manifest().dump(), "primus:v26.4",
                                                    "primus:v26.4-rccl-gfx950-e711c9e"),
                                  "tagged");
  ASSERT_EQ(tagged.run().exit, 0);
  EXPECT_THAT(tagged.log_text("node_0.out"), HasSubstr("RCCL version : 2.30.4-develop:e711c9e\n"));

  StandinPhase mounted;
  const std::string bytes{
      "\x7f"
      "ELF\0\0noise 1\0"
      "2.31.0\0\1\2"
      "develop:0abcdef+\0",
      44};
  write_file(mounted.path("librccl.so.1.0"), bytes);
  const std::string target =
      "/opt/venv/lib/python3.12/site-packages/_rocm_sdk_libraries/lib/librccl.so.1";
  Json& mounts = *mounted.manifest().find("context")->find("docker_mounts");
  mounts.set(target, mounted.path("librccl.so.1.0").string());
  ASSERT_EQ(mounted.run().exit, 0);
  EXPECT_THAT(mounted.log_text("node_1.out"),
              HasSubstr("RCCL version : 2.31.0-develop:0abcdef+\n"));

  mounts.set(target, mounted.path("nowhere.so").string());
  fs::remove_all(mounted.path("slurm_output"));
  fs::remove(mounted.path("perf.csv"));
  const auto result = mounted.run();
  EXPECT_EQ(result.exit, 0);
  EXPECT_THAT(result.out, HasSubstr("✗ Deployment to slurm failed"));
  EXPECT_FALSE(fs::exists(mounted.path("perf.csv")));

  const StandinPhase chosen(Variables{{"ABGATE_STANDIN_RCCL", "2.29.1-HEAD:1234567"}});
  ASSERT_EQ(chosen.run().exit, 0);
  EXPECT_THAT(chosen.log_text("node_0.out"), HasSubstr("RCCL version : 2.29.1-HEAD:1234567\n"));
}

TEST(Standin, transport_is_printed_at_info_only) {
  const StandinPhase quiet;
  ASSERT_EQ(quiet.run().exit, 0);
  EXPECT_THAT(quiet.log_text("node_1.out"), Not(HasSubstr("NET/")));
  const StandinPhase info(Variables{{"NCCL_DEBUG", "INFO"}});
  ASSERT_EQ(info.run().exit, 0);
  EXPECT_THAT(info.log_text("node_0.out"),
              AllOf(HasSubstr("local-0:2000:2000 [0] NCCL INFO RCCL version : 2.27.7"),
                    HasSubstr("NCCL INFO NET/IB : Using [0]bnxt_re0:1/RoCE"),
                    Not(HasSubstr("NET/Socket"))));
}

TEST(Standin, the_target_local_needs_no_section_slurm) {
  StandinPhase phase;
  phase.use_demo_model();
  Json& deployment = *phase.manifest().find("deployment_config");
  deployment.set("target", "local");
  std::erase_if(deployment.members(),
                [](const Json::Member& member) { return member.key == "slurm"; });
  const auto result = phase.run();
  ASSERT_EQ(result.exit, 0) << result.describe();
  EXPECT_THAT(phase.perf_csv().column("num_gpus"), Each("16"));
  EXPECT_THAT(phase.perf_csv().column("model"),
              Each("primus_pyt_megatron_lm_train_demo-1b_Demo-1B"));
}

/// Changes to the manifest, and what the refusal says.
struct Refusal {
  std::string name;
  std::function<void(StandinPhase&)> change;
  std::string message;
};

Json& model_of(StandinPhase& phase) {
  return phase.manifest().find("built_models")->members().front().value;
}
Json& deployment_of(StandinPhase& phase) {
  return *phase.manifest().find("deployment_config");
}

std::vector<Refusal> refusals() {
  return {
      {"no_images", [](auto& p) { p.manifest().set("built_images", Json::object()); },
       "No items in 'built_images'"},
      {"no_models", [](auto& p) { p.manifest().set("built_models", Json()); },
       "missing required section 'built_models'"},
      {"keys_differ",
       [](auto& p) { p.manifest().find("built_models")->members().front().key = "other"; },
       "no model for image"},
      {"no_multiple_results", [](auto& p) { model_of(p).set("multiple_results", ""); },
       "'multiple_results' is not set"},
      {"null_timeout", [](auto& p) { model_of(p).set("timeout", Json()); }, "timeout is null"},
      {"negative_timeout", [](auto& p) { model_of(p).set("timeout", -1); },
       "Invalid model timeout: -1"},
      {"no_script", [](auto& p) { model_of(p).set("scripts", "scripts/none.sh"); },
       "No such file or directory: 'scripts/none.sh'"},
      {"overlay_card", [](auto& p) { model_of(p).set("args", "--model_repo x_overlay"); },
       "Unsupported model_repo 'x_overlay'"},
      {"absolute_output",
       [](auto& p) { deployment_of(p).find("slurm")->set("output_dir", "/tmp"); },
       "output_dir '/tmp'"},
      {"target", [](auto& p) { deployment_of(p).set("target", "cloud"); },
       "Unknown deployment target: 'cloud'"},
      {"nodes", [](auto& p) { deployment_of(p).find("slurm")->set("nodes", 3); },
       "slurm.nodes (3) does not match distributed.nnodes (2)"},
      {"nodelist", [](auto& p) { deployment_of(p).find("slurm")->set("nodelist", "a,b,c"); },
       "nodelist names 3 nodes"},
  };
}

class StandinRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(StandinRefusal, exits_3_and_says_why) {
  StandinPhase phase;
  GetParam().change(phase);
  const auto result = phase.run();
  EXPECT_EQ(result.exit, 3) << result.describe();
  EXPECT_THAT(result.out, HasSubstr(GetParam().message));
  EXPECT_FALSE(fs::exists(phase.path("perf.csv")));
}

INSTANTIATE_TEST_SUITE_P(Manifest, StandinRefusal, testing::ValuesIn(refusals()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Standin, a_manifest_that_is_not_there_or_no_json_is_refused) {
  const StandinPhase phase;
  auto command = phase.command();
  auto result = run_program(command.argv, command.environment, command.cwd);
  EXPECT_EQ(result.exit, 3);
  EXPECT_THAT(result.out, HasSubstr("Manifest file not found: manifest.json"));
  write_file(phase.path("manifest.json"), "{\n  oops\n}\n");
  result = run_program(command.argv, command.environment, command.cwd);
  EXPECT_EQ(result.exit, 3);
  EXPECT_THAT(result.out, HasSubstr("manifest.json:2:"));
}

TEST(Standin, a_refusal_can_hide_behind_the_celebration) {
  StandinPhase phase(Variables{{"ABGATE_STANDIN_FAULT", "quiet-refusal"}});
  model_of(phase).set("timeout", Json());
  const auto result = phase.run();
  EXPECT_EQ(result.exit, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("timeout is null"), HasSubstr("🎉")));
}

TEST(Standin, an_unknown_fault_is_no_run_at_all) {
  const StandinPhase phase(Variables{{"ABGATE_STANDIN_FAULT", "stop-on:3"}});
  const auto result = phase.run();
  EXPECT_EQ(result.exit, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown fault stop-on (did you mean \"stop-at\"?)"));
}

TEST(Standin, progress_is_visible_while_it_runs_and_sigterm_ends_all) {
  StandinPhase phase(Variables{{"ABGATE_STANDIN_FAULT", "hang:60"}});
  phase.write();
  RunningProgram running(phase.command());
  ASSERT_TRUE(eventually(
      [&] {
        return fs::exists(phase.log("node_1.out")) &&
               phase.iteration_lines("node_1.out").size() == 3;
      },
      seconds(20)));
  running.send_signal(SIGTERM);
  const auto result = running.wait(seconds(20));
  EXPECT_EQ(result.exit, 143) << result.describe();
  // All tasks are in the engine's process group.
  EXPECT_NE(kill(-running.pid(), 0), 0);
}

}  // namespace
}  // namespace abgate::test
