#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>
#include <abgate/history/render.hpp>

namespace abgate::history {
namespace {

/// A row by RFC 4180, which ends lines with CR LF.
class Row {
 public:
  explicit Row(std::string& out) : out_(out) {}
  ~Row() { out_ += "\r\n"; }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  Row& number(const std::optional<double>& value) {
    return raw(value ? number::shortest(*value) : "");
  }
  Row& text(std::string_view value) {
    // Nothing that drives a terminal, a line break included, is left after this.
    constexpr std::string_view starts_a_formula = "=+-@";
    std::string cell = text::printable(value);
    if (!cell.empty() && starts_a_formula.find(cell.front()) != std::string_view::npos) {
      cell.insert(cell.begin(), '\'');
    }
    if (cell.find_first_of(",\"") != std::string::npos) {
      cell = "\"" + text::replace_all(std::move(cell), "\"", "\"\"") + "\"";
    }
    return raw(cell);
  }
  Row& raw(std::string_view cell) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += cell;
    return *this;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void write_row(std::string& out, const Entry& entry, const Leg* leg) {
  static const Leg no_leg;
  Row row(out);
  row.text(entry.run_id)
      .raw(entry.started ? time::to_rfc3339(*entry.started) : "")
      .text(entry.command)
      .text(entry.workload)
      .text(entry.cluster)
      .text(text::join(entry.nodes, " "))
      .text(name(entry.verdict))
      .raw(std::to_string(entry.exit_code))
      .text(entry.reason)
      .raw(entry.same_build ? "true" : "false");
  const Leg& of = leg != nullptr ? *leg : no_leg;
  row.text(of.precision)
      .text(of.metric)
      .text(of.unit)
      .number(of.baseline)
      .number(of.candidate)
      .number(of.ratio)
      .number(of.max_drop)
      .number(of.reference)
      .text(leg != nullptr ? name(of.outcome) : "");
}

}  // namespace

std::string render_csv(const History& history) {
  std::string out =
      "run_id,started,command,workload,cluster,nodes,verdict,exit_code,reason,same_build,"
      "precision,metric,unit,baseline,candidate,ratio,max_drop,reference,outcome\r\n";
  for (const Entry& entry : history.entries) {
    for (const Leg& leg : entry.legs)
      write_row(out, entry, &leg);
    if (entry.legs.empty()) write_row(out, entry, nullptr);
  }
  return out;
}

}  // namespace abgate::history
