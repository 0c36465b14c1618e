#pragma once

#include "inputs.hpp"

/// The checks of the judge. Each looks at one matter and adds reasons; none depends on another's
/// having run, apart from choose_source and read_values, which come first.
namespace abgate::compare {

/// One source for both sides and all phases (source.cpp).
void choose_source(Inputs& inputs, Reasons& reasons);
/// The value of each leg, from that source (values.cpp).
void read_values(Inputs& inputs, Reasons& reasons);
void check_sources_agree(const Inputs& inputs, Reasons& reasons);
void check_failed_rows(const Inputs& inputs, Reasons& reasons);
void check_unexpected_legs(const Inputs& inputs, Reasons& reasons);
void check_problems(const Inputs& inputs, Reasons& reasons);

void check_proof(const Inputs& inputs, Reasons& reasons);
void check_phases_apart(const Inputs& inputs, Reasons& reasons);
void check_engine(const Inputs& inputs, Reasons& reasons);
void check_node_exits(const Inputs& inputs, Reasons& reasons);
void check_slurm_kills(const Inputs& inputs, Reasons& reasons);

void check_completeness(const Inputs& inputs, Reasons& reasons);
void check_series_copies(const Inputs& inputs, Reasons& reasons);

void check_same_work(const Inputs& inputs, Reasons& reasons);
void check_configured_work(const Inputs& inputs, Reasons& reasons);
void check_images(const Inputs& inputs, Reasons& reasons);
void check_recomputed(const Inputs& inputs, Reasons& reasons);
void check_csv_against_series(const Inputs& inputs, Reasons& reasons);
void check_loss(const Inputs& inputs, Reasons& reasons);
void check_final_loss(const Inputs& inputs, Reasons& reasons);
void check_counters(const Inputs& inputs, Reasons& reasons);
void check_precisions(const Inputs& inputs, Reasons& reasons);
void check_memory(const Inputs& inputs, Reasons& reasons);

void check_contamination(const Inputs& inputs, Reasons& reasons);

/// What the nodes said of themselves between the phases (node_states.cpp).
void check_node_states(const Inputs& inputs, Reasons& reasons);

void check_provenance(const Inputs& inputs, Reasons& reasons);

void check_nodes(const Inputs& inputs, Reasons& reasons);
void check_jobs(const Inputs& inputs, Reasons& reasons);
void check_transport(const Inputs& inputs, Reasons& reasons);

void check_directories(const Inputs& inputs, Reasons& reasons);
void check_identical_results(const Inputs& inputs, Reasons& reasons);
void check_stale_rows(const Inputs& inputs, Reasons& reasons);
void check_stale_logs(const Inputs& inputs, Reasons& reasons);

}  // namespace abgate::compare
