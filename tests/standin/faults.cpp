#include "faults.hpp"

#include <algorithm>
#include <array>

#include <abgate/base/number.hpp>
#include <abgate/base/text.hpp>

namespace abgate::standin {
namespace {

/// What a fault takes behind its name.
struct FaultKind {
  std::string_view name;
  bool count = false;           ///< the first argument is a count
  bool count_required = false;  ///< … and must be there
  bool word = false;            ///< a precision (or another word) may follow
};

constexpr std::array kinds = {
    FaultKind{"silent-success"},
    FaultKind{"quiet-refusal"},
    FaultKind{"refused-submission"},
    FaultKind{"second-job", true},
    FaultKind{"stop-at", true, true, true},
    FaultKind{"oom-at", true, true, true},
    FaultKind{"header-only-csv"},
    FaultKind{"first-node-header-only"},
    FaultKind{"unsupported-config", false, false, true},
    FaultKind{"nan-row", false, false, true},
    FaultKind{"nan-loss", false, false, true},
    FaultKind{"ignored-knobs"},
    FaultKind{"profiler"},
    FaultKind{"stock-library-on-node", true, true},
    FaultKind{"sockets"},
    FaultKind{"hang", true},
    FaultKind{"spam", true, true},
    FaultKind{"stray-child", false, false, true},
    FaultKind{"missing-leg", false, false, true},
    FaultKind{"exit", true, true},
    FaultKind{"crash", false, false, true},
    FaultKind{"duplicate-rows"},
    FaultKind{"stale-rows"},
    FaultKind{"failure-row"},
    FaultKind{"skipped-iterations", true, true, true},
    FaultKind{"other-batch"},
    FaultKind{"lost-node", true},
    FaultKind{"no-banner"},
    FaultKind{"unknown-banner"},
};

Status<std::string> check(const Fault& fault, const FaultKind& kind) {
  std::size_t next = 0;
  if (kind.count) {
    const bool given = !fault.arguments.empty();
    if (!given && kind.count_required)
      return Unexpected{"fault " + fault.name + " needs a count: " + fault.name + ":N"};
    if (given) {
      const auto value = number::parse_integer(fault.arguments[next++]);
      if (!value || *value < 0)
        return Unexpected{"fault " + fault.name + ": the count is no natural number"};
    }
  }
  if (kind.word && next < fault.arguments.size()) ++next;
  if (next < fault.arguments.size())
    return Unexpected{"fault " + fault.name + " has too many arguments"};
  return {};
}

}  // namespace

Result<Faults, std::string> Faults::parse(std::string_view text) {
  Faults faults;
  for (const auto entry : text::split(text, ',')) {
    if (text::trim(entry).empty()) continue;
    const auto parts = text::split(text::trim(entry), ':');
    Fault fault{std::string(parts.front()), {parts.begin() + 1, parts.end()}};
    const auto* kind = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const FaultKind& k) { return k.name == fault.name; });
    if (kind == kinds.end()) {
      std::vector<std::string> names;
      for (const auto& known : kinds)
        names.emplace_back(known.name);
      return Unexpected{"unknown fault " + fault.name + text::did_you_mean(fault.name, names)};
    }
    if (auto status = check(fault, *kind); !status) return Unexpected{status.error()};
    faults.faults_.push_back(std::move(fault));
  }
  return faults;
}

const Fault* Faults::find(std::string_view name) const {
  const auto it = std::find_if(faults_.begin(), faults_.end(),
                               [&](const Fault& fault) { return fault.name == name; });
  return it == faults_.end() ? nullptr : &*it;
}

std::string Faults::argument(std::string_view name, std::size_t index) const {
  const Fault* fault = find(name);
  return fault != nullptr && index < fault->arguments.size() ? fault->arguments[index]
                                                             : std::string{};
}

std::int64_t Faults::count(std::string_view name, std::int64_t fallback) const {
  return number::parse_integer(argument(name, 0)).value_or(fallback);
}

bool Faults::hits(std::string_view name, std::string_view precision,
                  std::string_view fallback) const {
  const Fault* fault = find(name);
  if (fault == nullptr) return false;
  const auto* kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const FaultKind& k) { return k.name == name; });
  const std::size_t index = kind != kinds.end() && kind->count ? 1 : 0;
  const std::string wanted = argument(name, index);
  if (wanted.empty()) return fallback.empty() || fallback == precision;
  return wanted == precision;
}

}  // namespace abgate::standin
