#pragma once

#include <cstdint>
#include <string>

#include <abgate/history/trend.hpp>

namespace abgate::history {

// What table, trend and page say in the same words; nothing of it is escaped.

/// `2026-11-01 10:00`, or `-`.
std::string minute_text(const std::optional<time::Instant>& instant);
/// `2026-11-01`, or `-`.
std::string date_text(const std::optional<time::Instant>& instant);
/// As many decimals as it takes that a ratio below the limit reads so; `-` for none.
std::string ratio_text(const Leg& leg);
/// `!` for a regression, `?` for a value that is not trusted, empty else.
std::string mark_of(const Leg& leg);
std::string value_text(double value);
/// `12 gates`, `1 gate`.
std::string count_text(std::size_t count, const std::string& one);
/// `8 gates: 4 PASS, 2 REGRESSION, 1 NO VERDICT, 1 INFRA`.
std::string verdicts_text(const History& history);
/// `gpt-oss-120b-training on ruby, 2 nodes, BF16`.
std::string series_title(const Series& series);
/// Sentences about a series.
std::string signs_text(const Trend& trend);
/// What changed in one of the values, one sentence a change; `no change in 60 gates` when none did.
std::vector<std::string> change_texts(const Trend& trend, const std::vector<Level>& levels);
std::string creeping_text(const Trend& trend);

}  // namespace abgate::history
