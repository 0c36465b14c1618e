#include <gtest/gtest.h>

#include "evidence_builder.hpp"

using namespace abgate;
using namespace abgate::compare::test;

namespace {

std::vector<NodeFacts> facts() {
  std::vector<NodeFacts> nodes;
  for (const std::string& host : node_hosts) {
    NodeFacts& node = nodes.emplace_back();
    node.node = host;
    node.boot_id = "boot-of-" + host;
    node.running = 2;
    node.gpu_memory_used = std::int64_t{1} << 28;
    node.scratch_free = std::int64_t{900} * 1000 * 1000 * 1000;
    node.containers = std::vector<std::string>{"monitoring"};
  }
  return nodes;
}

Gate gate_with_facts() {
  Gate gate = healthy_gate();
  for (PhaseEvidence& phase : gate.phases) {
    phase.proof->before = facts();
    phase.proof->after = facts();
  }
  return gate;
}

NodeFacts& second_node(std::vector<NodeFacts>& nodes) {
  return nodes.at(1);
}

TEST(NodeStates, SteadyNodesAreNotWorthAWord) {
  const Scorecard card = gate_with_facts().score();
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
  for (const char* code :
       {"node-rebooted", "node-vanished", "node-leftovers", "node-state-differs"}) {
    EXPECT_FALSE(has_code(card, code)) << describe(card);
  }
}

TEST(NodeStates, ARebootIsNoVerdictWheneverItIsSeen) {
  for (const bool at_the_end : {false, true}) {
    Gate gate = gate_with_facts();
    auto& proof = *gate.candidate().proof;
    second_node(at_the_end ? proof.after : proof.before).boot_id = "another";
    const Scorecard card = gate.score();
    EXPECT_EQ(card.verdict, Verdict::no_verdict);
    ASSERT_NE(find_reason(card, "node-rebooted"), nullptr) << describe(card);
    EXPECT_EQ(find_reason(card, "node-rebooted")->node, "mi355x-1");
    EXPECT_EQ(find_reason(card, "node-rebooted")->phase, 2);
  }
}

TEST(NodeStates, ANodeThatDoesNotAnswerAnyMoreIsNoVerdict) {
  Gate gate = gate_with_facts();
  gate.candidate().proof->after.pop_back();
  Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::no_verdict);
  ASSERT_NE(find_reason(card, "node-vanished"), nullptr) << describe(card);
  EXPECT_EQ(find_reason(card, "node-vanished")->node, "mi355x-1");

  gate.candidate().proof->after.clear();
  card = gate.score();
  EXPECT_EQ(std::count_if(card.reasons.begin(), card.reasons.end(),
                          [](const Reason& r) { return r.code == "node-vanished"; }),
            2);
}

TEST(NodeStates, WhatThePhaseBeforeLeftIsSaidByName) {
  Gate gate = gate_with_facts();
  NodeFacts& node = second_node(gate.candidate().proof->before);
  node.leftovers = {"4711 python3"};
  node.containers->push_back("train_1");
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
  ASSERT_NE(find_reason(card, "node-leftovers"), nullptr) << describe(card);
  EXPECT_EQ(find_reason(card, "node-leftovers")->message,
            "on mi355x-1 there was still process 4711 python3, container train_1 before phase 2 "
            "(candidate)");
}

TEST(NodeStates, ABusierNodeIsSaid) {
  Gate gate = gate_with_facts();
  NodeFacts& node = second_node(gate.candidate().proof->before);
  node.running = 40;
  node.gpu_memory_used = std::int64_t{5} << 30;
  node.scratch_free = std::int64_t{3} * 1000 * 1000 * 1000;
  const Scorecard card = gate.score();
  EXPECT_EQ(card.verdict, Verdict::pass) << describe(card);
  ASSERT_NE(find_reason(card, "node-state-differs"), nullptr) << describe(card);
  EXPECT_EQ(find_reason(card, "node-state-differs")->message,
            "before phase 2 (candidate), mi355x-1 had 40 running threads instead of 2, 5.0 GiB of "
            "GPU memory in use instead of 0.2, 3.0 GB of scratch space free instead of 900.0");
}

TEST(NodeStates, AnInterruptedPhaseWasNotLookedAtAfterwards) {
  Gate gate = gate_with_facts();
  gate.candidate().proof->after.clear();
  gate.candidate().proof->end = {"interrupted", 15, ""};
  EXPECT_FALSE(has_code(gate.score(), "node-vanished"));
}

}  // namespace
