#include "svg.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <abgate/base/number.hpp>

#include "escape.hpp"

namespace abgate::report {
namespace {

std::string tip_text(std::string_view tip) {
  return tip.empty() ? "" : fmt::format("<title>{}</title>", xml_text(tip));
}

std::string_view name(Svg::Anchor anchor) {
  switch (anchor) {
    case Svg::Anchor::start:
      return "start";
    case Svg::Anchor::middle:
      return "middle";
    case Svg::Anchor::end:
      return "end";
  }
  return "start";
}

}  // namespace

std::string coordinate(double value) {
  return number::fixed(value, 1);
}

Svg::Svg(std::string id, double height, std::string_view title, std::string_view description)
    : id_(std::move(id)),
      height_(height),
      head_(fmt::format("<title id=\"{0}-t\">{1}</title>\n<desc id=\"{0}-d\">{2}</desc>\n", id_,
                        xml_text(title), xml_text(description))) {}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n",
                       coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), style);
}

void Svg::rect(double x, double y, double w, double h, std::string_view style,
               std::string_view tip) {
  constexpr double hair = 0.5;
  body_ += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\">{}</rect>\n", coordinate(x),
      coordinate(y), coordinate(std::max(w, hair)), coordinate(h), style, tip_text(tip));
}

void Svg::path(std::string_view d, std::string_view style, std::string_view tip) {
  body_ += fmt::format("<path d=\"{}\" class=\"{}\">{}</path>\n", d, style, tip_text(tip));
}

void Svg::text(double x, double y, std::string_view text, std::string_view style, Anchor anchor) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n",
                       coordinate(x), coordinate(y), style, name(anchor), xml_text(text));
}

void Svg::circle(double x, double y, double r, std::string_view style, std::string_view tip) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\">{}</circle>\n",
                       coordinate(x), coordinate(y), coordinate(r), style, tip_text(tip));
}

void Svg::square(double x, double y, double r, std::string_view style, std::string_view tip) {
  rect(x - r, y - r, 2 * r, 2 * r, style, tip);
}

void Svg::diamond(double x, double y, double r, std::string_view style, std::string_view tip) {
  path(fmt::format("M{} {}l{r} {r}l-{r} {r}l-{r} -{r}z", coordinate(x), coordinate(y - r),
                   fmt::arg("r", coordinate(r))),
       style, tip);
}

void Svg::cross(double x, double y, double r, std::string_view style, std::string_view tip) {
  path(fmt::format("M{} {}l{d} {d}m0 -{d}l-{d} {d}", coordinate(x - r), coordinate(y - r),
                   fmt::arg("d", coordinate(2 * r))),
       style, tip);
}

void Svg::arrow(double x, double y, bool up, std::string_view style, std::string_view tip) {
  constexpr std::string_view upward = "M{} {}l4 7h-8z";
  constexpr std::string_view downward = "M{} {}l4 -7h-8z";
  path(up ? fmt::format(upward, coordinate(x), coordinate(y))
          : fmt::format(downward, coordinate(x), coordinate(y)),
       style, tip);
}

std::string Svg::render() const {
  return fmt::format(
      "<svg id=\"{0}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {1} {2}\" role=\"img\" "
      "aria-labelledby=\"{0}-t {0}-d\">\n{3}{4}</svg>\n",
      id_, coordinate(width), coordinate(height_), head_, body_);
}

double round_step(double range, int most) {
  if (!(range > 0) || !std::isfinite(range)) return 1;
  const double least = range / most;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

std::vector<double> ticks(double from, double to, double step) {
  constexpr int most = 50;
  std::vector<double> out;
  const double first = std::ceil(from / step);
  for (int i = 0; i < most && (first + i) * step <= to; ++i)
    out.push_back((first + i) * step);
  return out;
}

int step_decimals(double step) {
  constexpr int most = 8;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, most);
}

}  // namespace abgate::report
