#include <fmt/format.h>

#include <abgate/base/decode.hpp>
#include <abgate/report/record_json.hpp>

namespace abgate::report {
namespace {

constexpr ObjectReader::Range any{};
constexpr ObjectReader::Range positive{.minimum = 0, .maximum = {}, .above_minimum = true};
constexpr ObjectReader::Range from_zero{.minimum = 0, .maximum = {}};
constexpr ObjectReader::Range from_one{.minimum = 1, .maximum = 1e6};
constexpr ObjectReader::Range int_range{.minimum = -2147483648.0, .maximum = 2147483647.0};
constexpr ObjectReader::Range exit_codes{.minimum = 0, .maximum = 255};
constexpr ObjectReader::Range signals{.minimum = 1, .maximum = 64};
constexpr ObjectReader::Range drops{.minimum = 0, .maximum = 1};

/// One object of the record. A member that is null counts as absent.
class Fields {
 public:
  Fields(const Json& object, const std::string& file, std::string pointer, Diagnostics& problems)
      : reader_(object, file, std::move(pointer), problems), problems_(problems) {}

  bool present(std::string_view key) {
    const Json* value = reader_.raw(key);
    return value != nullptr && !value->is_null();
  }

  std::string string(std::string_view key) { return reader_.string(key, true).value_or(""); }
  std::string optional_string(std::string_view key) { return present(key) ? string(key) : ""; }
  bool boolean(std::string_view key) { return reader_.boolean(key, true).value_or(false); }
  std::vector<std::string> strings(std::string_view key) {
    return reader_.strings(key, true).value_or(std::vector<std::string>());
  }

  std::int64_t integer(std::string_view key, ObjectReader::Range range) {
    return reader_.integer(key, range, true).value_or(0);
  }
  int small(std::string_view key, ObjectReader::Range range) {
    return static_cast<int>(integer(key, range));
  }
  std::optional<int> optional_small(std::string_view key, ObjectReader::Range range) {
    if (!present(key)) return {};
    return small(key, range);
  }

  double number(std::string_view key, ObjectReader::Range range) {
    return reader_.number(key, range, true).value_or(0);
  }
  std::optional<double> optional_number(std::string_view key, ObjectReader::Range range) {
    if (!present(key)) return {};
    return reader_.number(key, range);
  }

  std::optional<time::Instant> instant(std::string_view key) {
    if (!present(key)) return {};
    const auto written = reader_.string(key);
    if (!written) return {};
    const auto value = time::parse_rfc3339(*written);
    if (!value) {
      reader_.error(key, fmt::format("\"{}\" is not a time", *written),
                    "write it as 2026-11-01T10:00:00.000Z");
    }
    return value;
  }

  /// One of the values of an enumeration, by its name.
  template <class T>
  std::optional<T> optional_named(std::string_view key, std::initializer_list<T> values) {
    if (!present(key)) return {};
    return named(key, values);
  }
  template <class T>
  std::optional<T> named(std::string_view key, std::initializer_list<T> values) {
    std::vector<std::string> names;
    for (const T value : values)
      names.emplace_back(name(value));
    const auto written = reader_.choice(key, names, true);
    for (const T value : values) {
      if (written && name(value) == *written) return value;
    }
    return {};
  }

  /// The objects of an array.
  template <class T>
  std::vector<T> each(std::string_view key, T (*read)(Fields&)) {
    const Json* array = reader_.raw(key, true);
    std::vector<T> out;
    if (array == nullptr) return out;
    if (!array->is_array()) {
      reader_.error(key, fmt::format("expected an array, found {}", array->kind_name()));
      return out;
    }
    for (std::size_t i = 0; i < array->items().size(); ++i) {
      Fields item(array->items()[i], reader_.file(), pointer_join(reader_.pointer(key), i),
                  problems_);
      if (item.reader_.usable()) out.push_back(read(item));
    }
    return out;
  }

  template <class T>
  std::optional<T> optional_object(std::string_view key, T (*read)(Fields&)) {
    if (!present(key)) return {};
    Fields member(*reader_.raw(key), reader_.file(), reader_.pointer(key), problems_);
    if (!member.reader_.usable()) return {};
    return read(member);
  }

  std::vector<NodeFacts> facts(std::string_view key) {
    return read_facts_array(reader_, key, problems_);
  }

  const Json* raw(std::string_view key) { return reader_.raw(key); }
  void error(std::string_view key, std::string message, std::string hint = {}) {
    reader_.error(key, std::move(message), std::move(hint));
  }

 private:
  ObjectReader reader_;
  Diagnostics& problems_;
};

constexpr std::initializer_list<Side> sides{Side::baseline, Side::candidate};

Location read_location(Fields& in) {
  return {in.string("file"), in.integer("line", from_zero)};
}

Reason read_reason(Fields& in) {
  Reason out;
  out.code = in.string("code");
  out.message = in.string("message");
  out.side = in.optional_named("side", sides);
  out.phase = in.optional_small("phase", from_one);
  out.precision = in.optional_string("precision");
  out.node = in.optional_string("node");
  out.weight = in.named("weight", {Weight::distrust, Weight::regression, Weight::infra, Weight::leg,
                                   Weight::note})
                   .value_or(Weight::distrust);
  out.evidence = in.each("evidence", read_location);
  return out;
}

SeriesPoint read_point(Fields& in) {
  SeriesPoint out;
  out.iteration = in.integer("iteration", from_zero);
  out.throughput = in.optional_number("throughput", positive);
  out.use =
      in.named("use", {IterationUse::warm_up, IterationUse::measured, IterationUse::contaminated})
          .value_or(IterationUse::measured);
  return out;
}

PhaseValue read_phase_value(Fields& in) {
  PhaseValue out;
  out.phase = in.small("phase", from_one);
  out.side = in.named("side", sides).value_or(Side::baseline);
  out.value = in.optional_number("value", positive);
  out.harmonic_mean = in.optional_number("harmonic_mean", positive);
  out.median = in.optional_number("median", positive);
  out.spread = in.optional_number("spread", from_zero);
  out.drift = in.optional_number("drift", any);
  out.peak_hbm_gb = in.optional_number("peak_hbm_gb", from_zero);
  out.last_loss = in.optional_number("last_loss", any);
  out.measured_iterations = in.integer("measured_iterations", from_zero);
  // Records of before 0.2 lack these two.
  out.autocorrelation = in.optional_number("autocorrelation", any);
  if (in.present("series")) out.series = in.each("series", read_point);
  return out;
}

LegResult read_leg(Fields& in) {
  LegResult out;
  out.precision = in.string("precision");
  out.metric = in.string("metric");
  out.unit = in.string("unit");
  out.max_drop = in.number("max_drop", drops);
  out.baseline = in.optional_number("baseline", positive);
  out.candidate = in.optional_number("candidate", positive);
  out.ratio = in.optional_number("ratio", positive);
  out.median_ratio = in.optional_number("median_ratio", positive);
  out.harmonic_ratio = in.optional_number("harmonic_ratio", positive);
  out.outcome = in.named("outcome", {LegOutcome::pass, LegOutcome::regression,
                                     LegOutcome::untrusted, LegOutcome::missing})
                    .value_or(LegOutcome::missing);
  out.phases = in.each("phases", read_phase_value);
  return out;
}

ProcessEnd read_exit(Fields& in) {
  ProcessEnd out;
  out.kind = in.string("kind");
  out.number = in.small("number", int_range);
  out.detail = in.optional_string("detail");
  return out;
}

LogSpace read_logs(Fields& in) {
  LogSpace out;
  out.bytes_before = in.integer("bytes_before", from_zero);
  out.bytes_after = in.integer("bytes_after", from_zero);
  out.lines_folded = in.integer("lines_folded", from_zero);
  out.copies = in.strings("copies");
  out.removed = in.strings("removed");
  out.problems = in.strings("problems");
  return out;
}

PhaseRecord read_phase(Fields& in) {
  PhaseRecord out;
  out.index = in.small("index", from_one);
  out.side = in.named("side", sides).value_or(Side::baseline);
  out.state = in.string("state");
  out.start = in.instant("start");
  out.end = in.instant("end");
  out.exit = in.optional_object("exit", read_exit);
  out.nodes = in.strings("nodes");
  out.directory = in.string("directory");
  out.manifest_sha256 = in.optional_string("manifest_sha256");
  out.proof = in.optional_string("proof");
  out.nodes_before = in.facts("nodes_before");
  out.nodes_after = in.facts("nodes_after");
  out.logs = in.optional_object("logs", read_logs);
  return out;
}

AttemptRecord read_attempt(Fields& in) {
  AttemptRecord out;
  out.run_id = in.string("run_id");
  out.directory = in.string("directory");
  out.job_id = in.optional_string("job_id");
  out.step = in.string("step");
  out.signal = in.optional_small("signal", signals);
  return out;
}

AllocationRecord read_allocation(Fields& in) {
  AllocationRecord out;
  out.job_id = in.optional_string("job_id");
  out.nodes = in.strings("nodes");
  out.submitted = in.instant("submitted");
  out.granted = in.instant("granted");
  out.ended = in.instant("ended");
  out.foreign = in.boolean("foreign");
  out.messages = in.strings("messages");
  out.scrubbed = in.strings("scrubbed");
  return out;
}

std::string read_tool_version(Fields& in) {
  return in.string("version");
}

GateRecord read_record(Fields& in) {
  GateRecord out;
  if (const auto version = in.optional_object("tool", read_tool_version)) {
    out.tool_version = *version;
  } else {
    in.error("tool", "the object \"tool\" with a version is missing");
  }
  out.run_id = in.string("run_id");
  out.command = in.string("command");
  out.step = in.string("step");
  out.verdict =
      in.named("verdict", {Verdict::pass, Verdict::regression, Verdict::no_verdict, Verdict::infra})
          .value_or(Verdict::no_verdict);
  out.exit_code = in.small("exit_code", exit_codes);
  out.advisory = in.boolean("advisory");
  out.signal = in.optional_small("signal", signals);
  out.started = in.instant("started");
  out.finished = in.instant("finished");
  out.order =
      in.named("order", {Order::ab, Order::ba, Order::aba, Order::abba}).value_or(Order::ab);
  out.source = in.optional_named(
      "source", {MetricSource::perf_csv, MetricSource::model_csv, MetricSource::series});
  out.reasons = in.each("reasons", read_reason);
  out.legs = in.each("legs", read_leg);
  out.phases = in.each("phases", read_phase);
  out.allocation = in.optional_object("allocation", read_allocation);
  if (in.present("attempts")) out.attempts = in.each("attempts", read_attempt);
  if (const Json* config = in.raw("config")) out.config = *config;
  return out;
}

/// True when this program knows the record's shape.
bool known_version(Fields& in) {
  const std::int64_t version = in.integer("schema_version", {.minimum = 1, .maximum = {}});
  if (version > schema_version) {
    in.error("schema_version", fmt::format("schema_version {}: written by a newer abgate", version),
             fmt::format("this one reads up to {}; read it with the abgate that wrote it",
                         schema_version));
  }
  return version == schema_version;
}

Diagnostic diagnostic_of(const Contradiction& lie, const Json& root, const std::string& file) {
  Diagnostic out{Severity::error,           file,        root.position(),
                 pointer_join("", lie.key), lie.message, ""};
  if (const Json* part = root.find(lie.key)) {
    out.position = (lie.index ? part->items().at(*lie.index) : *part).position();
  }
  if (lie.index) out.pointer = pointer_join(out.pointer, *lie.index);
  return out;
}

}  // namespace

Result<GateRecord, Diagnostics> parse_record(std::string_view text, const std::string& file) {
  const auto tree = parse_json(text, file);
  if (!tree) return Unexpected{tree.error()};
  Diagnostics problems;
  Fields root(*tree, file, "", problems);
  if (!tree->is_object() || !known_version(root)) return Unexpected{std::move(problems)};
  GateRecord record = read_record(root);
  if (problems.empty()) {
    for (const Contradiction& lie : contradictions(record))
      problems.push_back(diagnostic_of(lie, *tree, file));
  }
  if (!problems.empty()) return Unexpected{std::move(problems)};
  return record;
}

}  // namespace abgate::report
