#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abgate::report {

/// An inline SVG of a fixed drawing width that scales with the page. Colours come from the classes
/// of the page's style. Texts are escaped here.
class Svg {
 public:
  static constexpr double width = 420;

  /// `id` is unique in the page; title and description are what a screen reader says.
  Svg(std::string id, double height, std::string_view title, std::string_view description);

  enum class Anchor { start, middle, end };

  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// Never narrower than a hair, so that nothing that was measured is invisible.
  void rect(double x, double y, double w, double h, std::string_view style,
            std::string_view tip = {});
  void path(std::string_view d, std::string_view style, std::string_view tip = {});
  void text(double x, double y, std::string_view text, std::string_view style = "t",
            Anchor anchor = Anchor::start);
  std::string render() const;

  // Shapes for points, by which the sides are told apart without their colours.
  void circle(double x, double y, double r, std::string_view style, std::string_view tip);
  void square(double x, double y, double r, std::string_view style, std::string_view tip);
  void diamond(double x, double y, double r, std::string_view style, std::string_view tip);
  void cross(double x, double y, double r, std::string_view style, std::string_view tip);
  /// Points where a value lies outside of the drawing.
  void arrow(double x, double y, bool up, std::string_view style, std::string_view tip);

 private:
  std::string id_;
  double height_;
  std::string head_;
  std::string body_;
};

/// A coordinate with one decimal.
std::string coordinate(double value);

/// From a range of values to a range of the drawing.
struct Scale {
  double from = 0;
  double to = 1;
  double start = 0;
  double end = 1;
  double operator()(double value) const {
    return to == from ? (start + end) / 2 : start + (value - from) / (to - from) * (end - start);
  }
};

/// A round step (1, 2 or 5 times a power of ten) that cuts a range into at most `most` pieces.
double round_step(double range, int most);
/// The multiples of a step from one value to another.
std::vector<double> ticks(double from, double to, double step);
/// Decimals that show multiples of a step.
int step_decimals(double step);

}  // namespace abgate::report
