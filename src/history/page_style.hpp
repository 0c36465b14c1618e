#pragma once

#include <string_view>

namespace abgate::history {

/// Colours of Okabe and Ito, which the colour-blind tell apart; shapes and letters say the same.
inline constexpr std::string_view page_style = R"(
:root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --soft: #5a5a5a; --grid: #ddd;
  --good: #0072b2; --bad: #b84a00; --warn: #8a6d00; --none: #6b6b6b; --cell: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171a; --text: #e8e8e8; --soft: #a8a8a8; --grid: #333a40;
    --good: #56b4e9; --bad: #ff8f4d; --warn: #f0e442; --none: #b0b0b0; --cell: #14171a; } }
body { background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif;
  margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
svg { display: block; width: 100%; min-width: 40rem; height: auto; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
.end { text-anchor: end; } .middle { text-anchor: middle; } svg .pair { font-size: 9px; }
line.grid { stroke: var(--grid); }
line.limit { stroke: var(--bad); stroke-dasharray: 6 4; stroke-width: 1.5; }
line.even { stroke: var(--soft); }
line.level { stroke: var(--text); stroke-width: 2; }
line.reference { stroke: var(--warn); stroke-dasharray: 2 3; stroke-width: 2; }
.pass { fill: var(--good); } .red { fill: var(--bad); }
.open, .ring { fill: none; stroke: var(--none); stroke-width: 1.5; }
.baseline { fill: var(--soft); } .candidate { fill: none; stroke: var(--good); stroke-width: 1.5; }
.strip rect { fill: var(--none); } .strip .PASS rect { fill: var(--good); }
.strip .REGRESSION rect { fill: var(--bad); } .strip .INFRA rect { fill: var(--warn); }
.strip text { fill: var(--cell); font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border-bottom: 1px solid var(--grid); padding: .2rem .7rem .2rem 0; text-align: left;
  white-space: nowrap; }
td.number { font-variant-numeric: tabular-nums; text-align: right; }
.note { border-left: 4px solid var(--bad); padding-left: .7rem; }
.key, .soft { color: var(--soft); font-size: .9rem; }
@media print { body { max-width: none; } h2 { break-after: avoid; } svg { break-inside: avoid; min-width: 0; } }
)";

}  // namespace abgate::history
