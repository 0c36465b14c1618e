#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <abgate/model/record.hpp>

/// What several reports say in the same words. None of it is escaped.
namespace abgate::report {

std::string plural(std::size_t count, std::string_view noun);

/// A text of the record's configuration; empty when there is none.
std::string config_text(const GateRecord& record, std::initializer_list<std::string_view> path);

/// What the gate compared, as far as the record's configuration says.
std::string subject(const GateRecord& record);

/// What a reader must not overlook: how the gate ended, when it did not end by itself, and an exit
/// code that is not the verdict's.
std::vector<std::string> alerts(const GateRecord& record);

/// Where a reason applies, as far as its own sentence does not say it: ` (candidate, phase 2)`.
std::string scope(const Reason& reason);

/// The decisive reasons, or the notes; most decisive first.
std::vector<Reason> reasons_of(const GateRecord& record, bool notes);

/// Job and nodes, times, whose it was: one sentence each.
std::vector<std::string> allocation_sentences(const AllocationRecord& allocation);
/// The lines of Slurm's that no reason quotes.
std::vector<std::string> unquoted_messages(const GateRecord& record);

/// How a phase ended, or its state.
std::string end_of(const PhaseRecord& phase);

/// The command that repeats the gate, in lines; a comment when no command line would hold it.
std::string repeat_lines(const GateRecord& record, std::size_t indent);

/// Rows `name`, `value` on where the numbers come from.
std::vector<std::vector<std::string>> provenance_rows(const GateRecord& record);

/// A path of the work directory for a place of a reason, or nothing when the gate's directories
/// are elsewhere (`score`).
std::string path_in_work_dir(const GateRecord& record, const Location& place);

/// The numbers of one leg in one phase, in the order of `measured_heads`.
const std::vector<std::string>& measured_heads();
std::vector<std::string> measured_cells(const PhaseValue& value);

}  // namespace abgate::report
