#pragma once

#include <string>
#include <vector>

namespace abgate::history {

/// One gate in a chart.
struct Mark {
  std::size_t gate = 0;  ///< index on the x axis
  double value = 0;
  std::string css;      ///< class, which gives shape its colour
  std::string caption;  ///< what a pointer shows; escaped here
};

/// A horizontal line over a range of gates.
struct Rule {
  std::size_t first = 0;
  std::size_t last = 0;
  double value = 0;
  std::string css;
  std::string label;  ///< at the right end; may be empty
};

/// A chart of one value over gates at equal distances, as inline SVG without script.
struct Chart {
  std::string title;        ///< names it for a screen reader
  std::string description;  ///< says what it shows
  std::size_t gates = 0;
  std::vector<std::string> dates;    ///< of every gate, for the axis
  std::vector<std::string> letters;  ///< below every gate where there is room; may be empty
  std::vector<Mark> marks;
  std::vector<Rule> rules;
  double low = 0, high = 1;  ///< of the y axis; marks beyond are drawn at the edge
  int decimals = 3;          ///< of the y axis
  std::string id;            ///< unique on the page
};
std::string render_svg(const Chart& chart);

/// One coloured cell a gate; the letter is what tells colours apart.
struct Cell {
  std::string css;
  std::string letter;
  std::string caption;
};
std::string render_strip(const std::string& description, const std::vector<Cell>& cells);

}  // namespace abgate::history
