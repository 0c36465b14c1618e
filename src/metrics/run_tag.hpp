#pragma once

#include <string>
#include <string_view>

namespace abgate::metrics {

inline bool is_all_digits(std::string_view s) {
  return !s.empty() && s.find_first_not_of("0123456789") == s.npos;
}

/// `<YYYYmmddHHMMSS>_<6hex>`, what an in-place run puts behind the job id (FORMATS 2).
inline bool is_run_tag(std::string_view s) {
  constexpr std::size_t time_length = 14;
  constexpr std::size_t length = time_length + 1 + 6;
  return s.size() == length && is_all_digits(s.substr(0, time_length)) && s[time_length] == '_' &&
         s.substr(time_length + 1).find_first_not_of("0123456789abcdefABCDEF") == s.npos;
}

/// Removes `_<tag>` from the end of `s` and gives the tag; empty when there is none.
inline std::string take_run_tag(std::string_view& s) {
  constexpr std::size_t length = 21;
  if (s.size() <= length || s[s.size() - length - 1] != '_') return {};
  const std::string_view tag = s.substr(s.size() - length);
  if (!is_run_tag(tag)) return {};
  s.remove_suffix(length + 1);
  return std::string(tag);
}

}  // namespace abgate::metrics
