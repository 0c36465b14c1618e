#pragma once

#include <optional>
#include <string>

#include <abgate/base/time.hpp>
#include <abgate/history/history.hpp>

#include "arguments.hpp"

namespace abgate::cli {

/// Names in a results directory.
std::string history_path(const HistoryArguments& arguments);
std::string kept_folder(const HistoryArguments& arguments, const std::string& id);

/// The history of the results directory, damaged lines told on stderr; nothing when it could not be
/// read, which has been said. A folder in which no gate ended yet has an empty history.
std::optional<history::History> load_history(const HistoryArguments& arguments);

/// The filters of the command line; nothing when `--since` could not be read, which has been said.
std::optional<history::Filter> filter_of(const HistoryArguments& arguments, time::Instant now);

/// `history prune`: drops what the policy does not keep. The folder of a record goes first, its
/// line afterwards, so that a prune which is stopped is finished by the next one.
int prune_history(const HistoryArguments& arguments, time::Instant now);

}  // namespace abgate::cli
