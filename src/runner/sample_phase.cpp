#include "sample_phase.hpp"

#include <optional>

#include <fmt/format.h>

#include <abgate/base/hash.hpp>
#include <abgate/base/json.hpp>
#include <abgate/metrics/traces.hpp>

namespace abgate::runner {
namespace {

constexpr std::int64_t gpus_per_node = 8;
constexpr std::int64_t sequence = 4096;
constexpr std::int64_t unmeasured = 2;  // the printed average leaves them out (FORMATS 4)

std::int64_t gpus(const SamplePhase& phase) {
  return gpus_per_node * static_cast<std::int64_t>(phase.hosts.size());
}

double milliseconds(const SamplePhase& phase, const SampleLeg& leg, std::int64_t k) {
  if (k == 1) return leg.base_ms * 1.86;
  if (k == 2) return leg.base_ms * 1.39;
  if (k == leg.profiled_at) return leg.base_ms * 3.2;
  // A spread of a tenth of a per cent, without chance.
  return leg.base_ms * (1 + 0.0005 * phase.wobble * static_cast<double>((k * 7) % 5 - 2)) +
         0.7 * phase.wobble * static_cast<double>(k);
}

double tokens(const SamplePhase& phase, const SampleLeg& leg, double ms) {
  return static_cast<double>(sequence * leg.global_batch) * 1000.0 / ms /
         static_cast<double>(gpus(phase));
}

double tflops(double tokens_per_second) {
  return tokens_per_second * 0.0385;
}

struct Throughput {
  double last = 0;
  std::optional<double> average;  ///< harmonic, of the measured iterations
};

class LegLog {
 public:
  LegLog(const SamplePhase& phase, const SampleLeg& leg) : phase_(phase), leg_(leg) {
    const std::int64_t last = leg.stopped_at > 0 ? leg.stopped_at : leg.iterations;
    for (std::int64_t k = 1; k <= last; ++k)
      add(k);
  }
  const std::string& text() const { return text_; }
  const Throughput& throughput() const { return throughput_; }

 private:
  void add(std::int64_t k) {
    const double ms = milliseconds(phase_, leg_, k);
    throughput_.last = tokens(phase_, leg_, ms);
    std::string average_tflops;
    std::string average_tokens;
    if (k > unmeasured) {
      measured_ms_ += ms;
      throughput_.average =
          tokens(phase_, leg_, measured_ms_ / static_cast<double>(k - unmeasured));
      average_tflops = fmt::format("/{:.1f} ", tflops(*throughput_.average));
      average_tokens = fmt::format("/{:.1f}", *throughput_.average);
    }
    const std::string loss =
        leg_.nan_loss
            ? ""
            : fmt::format("lm loss: {:.6E} | ", 11.0 / (1 + 0.05 * static_cast<double>(k)));
    text_ += fmt::format(
        "[rank-{}/{}] iteration {:8}/{:8} | consumed samples: {} | elapsed time per iteration "
        "(ms): {:.1f} | throughput per GPU (TFLOP/s/GPU): {:.1f}{} | tokens per GPU "
        "(tokens/s/GPU): {:.1f}{} | learning rate: 1.0E-05 | global batch size: {} | {}loss "
        "scale: 1.0 | grad norm: {} | number of skipped iterations: {} | number of nan "
        "iterations: 0 | hip mem usage/free/total/usage_ratio: "
        "182.60GB/105.40GB/288.00GB/63.40%\n",
        gpus(phase_) - 1, gpus(phase_), k, leg_.iterations, k * leg_.global_batch, ms,
        tflops(throughput_.last), average_tflops, throughput_.last, average_tokens,
        leg_.global_batch, loss, leg_.nan_loss ? "nan" : "6.5", leg_.skipped);
  }

  const SamplePhase& phase_;
  const SampleLeg& leg_;
  std::string text_;
  Throughput throughput_;
  double measured_ms_ = 0;
};

std::string node_log(const SamplePhase& phase, std::size_t node) {
  const std::string& host = phase.hosts[node];
  std::string text = fmt::format("MACHINE NAME is {}\n", host);
  for (const SampleLeg& leg : phase.legs) {
    text += fmt::format("Running: {} - {} - pretrain\n", sample_model, leg.precision);
    text += fmt::format(
        "RCCL version : {}\nHIP version  : 7.2.26015-fc0010cf6a\n"
        "ROCm version : 7.2.0.0-43-fc0010cf6a\nHostname     : {}\nLibrccl path : "
        "/opt/venv/lib/librccl.so.1\n",
        phase.builds[node], host);
    text += fmt::format("{}:1:2 [0] NCCL INFO NET/{}\n", host,
                        phase.sockets ? "Socket : Using [0]eth0:10.0.0.1<0>"
                                      : "IB : Using [0]bnxt_re0:1/RoCE [RO]; OOB eth0:10.0.0.1<0>");
    // Iteration lines come from the last rank alone.
    if (node + 1 == phase.hosts.size()) text += LegLog(phase, leg).text();
  }
  return text;
}

std::string error_log(const SamplePhase& phase, std::size_t node) {
  return fmt::format(
      "[DEBUG] 2026-11-01T10:00:00+00:00 Node {0} ({1}): madengine exited with code {2}\n"
      "[DEBUG] 2026-11-01T10:00:00+00:00 Node {0} ({1}): task script exiting with code {2}\n",
      node, phase.hosts[node], phase.exit);
}

std::string perf_csv(const SamplePhase& phase) {
  std::string text =
      "model,n_gpus,nnodes,gpus_per_node,docker_image,machine_name,deployment_type,performance,"
      "metric,status,mode,precision,batch_size,global_batch_size,seq_len,num_gpus\n";
  if (!phase.rows) return text;
  for (const SampleLeg& leg : phase.legs) {
    const LegLog log(phase, leg);
    const double average = log.throughput().average.value_or(log.throughput().last);
    const auto row = [&](const std::string& value, const char* metric) {
      text +=
          fmt::format("{}_{},{},{},{},{},{},slurm,{},{},SUCCESS,pretrain,{},{},{},{},{}\n",
                      sample_card, sample_model, gpus(phase), phase.hosts.size(), gpus_per_node,
                      phase.image, phase.row_job.empty() ? phase.job : phase.row_job, value, metric,
                      leg.precision, leg.micro_batch, leg.global_batch, sequence, gpus(phase));
    };
    row(fmt::format("{:.1f}", log.throughput().last), "tok_per_s_per_gpu");
    row(leg.value.empty() ? fmt::format("{:.1f}", average) : leg.value, "tok_per_s_per_gpu_avg");
  }
  return text;
}

std::string manifest(const SamplePhase& phase) {
  Json root;
  root.set("built_images",
           Json::object({{phase.image, Json::object({{"docker_image", Json(phase.image)}})}}));
  const auto nodes = static_cast<std::int64_t>(phase.hosts.size());
  root.set("deployment_config", Json::object({{"slurm", Json::object({{"nodes", Json(nodes)}})}}));
  return root.dump();
}

std::string phase_proof(const SamplePhase& phase) {
  PhaseProof proof;
  proof.run_id = "selftest";
  proof.index = phase.index;
  proof.side = phase.side;
  // Phases of one gate follow each other: 2026-11-01, an hour each.
  proof.started = time::parse_rfc3339(fmt::format("2026-11-01T{:02}:00:00Z", 8 + phase.index));
  proof.ended = time::parse_rfc3339(fmt::format("2026-11-01T{:02}:50:00Z", 8 + phase.index));
  proof.end = {"exited", phase.exit, ""};
  proof.job_id = phase.job;
  proof.nodes = phase.hosts;
  proof.manifest_sha256 = hash::sha256(manifest(phase));
  return metrics::render_phase_proof(proof);
}

}  // namespace

std::map<std::string, std::string> phase_files(const SamplePhase& phase) {
  std::map<std::string, std::string> files;
  files["manifest.json"] = manifest(phase);
  if (phase.index > 0) files["phase.json"] = phase_proof(phase);
  files["exit_code"] = fmt::format("{}\n", phase.exit);
  files["engine.log"] = "Running inside existing SLURM allocation\n" + phase.engine_says +
                        "\n🎉 All model executions completed successfully!\n";
  files["perf.csv"] = perf_csv(phase);
  for (std::size_t node = 0; node < phase.hosts.size(); ++node) {
    const std::string name =
        fmt::format("slurm_output/madengine-{}_{}_node_{}", sample_card, phase.job, node);
    files[name + ".out"] = node_log(phase, node);
    files[name + ".err"] = error_log(phase, node);
  }
  return files;
}

}  // namespace abgate::runner
