#include "chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::history {
namespace {

using text::markup_escaped;

constexpr double width = 900;
constexpr double height = 240;
constexpr double left = 70;
constexpr double right = 800;
constexpr double top = 14;
constexpr double bottom = 190;

std::string at(double value) {
  return number::fixed(value, 1);
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {}

  std::string render() {
    out_ = fmt::format(
        "<div class=\"scroll\" tabindex=\"0\">\n"
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-t {}-d\">\n"
        "<title id=\"{}-t\">{}</title>\n<desc id=\"{}-d\">{}</desc>\n",
        width, height, chart_.id, chart_.id, chart_.id, markup_escaped(chart_.title), chart_.id,
        markup_escaped(chart_.description));
    draw_y_axis();
    draw_x_axis();
    for (const Rule& rule : chart_.rules)
      draw(rule);
    for (const Mark& mark : chart_.marks)
      draw(mark);
    return out_ + "</svg>\n</div>\n";
  }

 private:
  double x_of(std::size_t gate) const {
    if (chart_.gates < 2) return (left + right) / 2;
    constexpr double inset = 6;
    return left + inset +
           (right - left - 2 * inset) * static_cast<double>(gate) /
               static_cast<double>(chart_.gates - 1);
  }
  double y_of(double value) const {
    const double share = (value - chart_.low) / (chart_.high - chart_.low);
    return bottom - (bottom - top) * std::clamp(share, 0.0, 1.0);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view css) {
    out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", at(x1),
                        at(y1), at(x2), at(y2), css);
  }
  void label(double x, double y, std::string_view css, std::string_view text) {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", at(x), at(y), css,
                        markup_escaped(text));
  }

  void draw_y_axis() {
    constexpr int ticks = 4;
    for (int i = 0; i <= ticks; ++i) {
      const double value = chart_.low + (chart_.high - chart_.low) * i / ticks;
      line(left, y_of(value), right, y_of(value), "grid");
      label(left - 8, y_of(value) + 4, "end", number::fixed(value, chart_.decimals));
    }
  }

  void draw_x_axis() {
    const std::size_t labels = std::min<std::size_t>(6, chart_.gates);
    for (std::size_t i = 0; i < labels; ++i) {
      const std::size_t gate = labels == 1 ? 0 : i * (chart_.gates - 1) / (labels - 1);
      label(x_of(gate), bottom + 36, "middle", chart_.dates.at(gate));
    }
    constexpr std::size_t most_letters = 60;
    if (chart_.gates > most_letters) return;
    for (std::size_t gate = 0; gate < chart_.letters.size(); ++gate)
      label(x_of(gate), bottom + 17, "middle pair", chart_.letters[gate]);
  }

  void draw(const Rule& rule) {
    const double overhang = rule.first == 0 && rule.last + 1 == chart_.gates ? 6 : 0;
    line(x_of(rule.first) - overhang, y_of(rule.value), x_of(rule.last) + overhang,
         y_of(rule.value), rule.css);
    if (!rule.label.empty()) label(right + 6, y_of(rule.value) + 4, rule.css, rule.label);
  }

  void draw(const Mark& mark) {
    const double x = x_of(mark.gate);
    const double y = y_of(mark.value);
    std::string shape;
    if (mark.css == "red") {
      shape = fmt::format(R"(<path d="M{} {}h10l-5 9z")", at(x - 5), at(y - 4));
    } else if (mark.css == "open" || mark.css == "candidate") {
      shape = fmt::format(R"(<rect x="{}" y="{}" width="7" height="7")", at(x - 3.5), at(y - 3.5));
    } else {
      shape = fmt::format(R"(<circle cx="{}" cy="{}" r="3.6")", at(x), at(y));
    }
    out_ += fmt::format("{} class=\"{}\"><title>{}</title></{}>\n", shape, mark.css,
                        markup_escaped(mark.caption), shape.substr(1, shape.find(' ') - 1));
  }

  const Chart& chart_;
  std::string out_;
};

}  // namespace

std::string render_svg(const Chart& chart) {
  return Drawing(chart).render();
}

std::string render_strip(const std::string& description, const std::vector<Cell>& cells) {
  constexpr std::size_t most = 50;  // in a row
  constexpr int size = 18;
  const std::size_t rows = (cells.size() + most - 1) / most;
  std::string out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\">\n<svg viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\" class=\"strip\">\n",
      most * size, rows * size, markup_escaped(description));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t x = i % most * size;
    const std::size_t y = i / most * size;
    out += fmt::format(
        "<g class=\"{}\"><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
        "<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text></g>\n",
        cells[i].css, markup_escaped(cells[i].caption), x + 1, y + 1, size - 2, size - 2,
        x + size / 2, y + 13, cells[i].letter);
  }
  return out + "</svg>\n</div>\n";
}

}  // namespace abgate::history
