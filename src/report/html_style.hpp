#pragma once

#include <string_view>

namespace abgate::report {

/// The style of the page. Colours are those of Okabe and Ito, told apart by every kind of colour
/// vision; sides also differ in the shape of their points, verdicts in their words.
inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --page: #ffffff;
  --card: #f4f6f8; --edge: #d0d7de; --baseline: #0072b2; --candidate: #c04f00;
  --good: #00694c; --bad: #a83200; --doubt: #8a3b6b; --infra: #6b5900; --link: #005a9c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa5b1; --page: #0f1419;
  --card: #1a2129; --edge: #38424d; --baseline: #56b4e9; --candidate: #e69f00;
  --good: #2fc79a; --bad: #ff8a4c; --doubt: #e29cc4; --infra: #f0e442; --link: #7cc4f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2rem 0 .6rem; font-size: 1.25rem; border-bottom: 1px solid var(--edge); }
h3 { margin: 1.2rem 0 .4rem; font-size: 1.05rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
code, pre { font: .875rem/1.45 ui-monospace, monospace; }
pre { padding: .7rem; background: var(--card); border: 1px solid var(--edge); border-radius: 6px;
  white-space: pre-wrap; }
header { padding: 1rem; background: var(--card); border-left: .5rem solid var(--soft);
  border-radius: 6px; }
.v-pass { border-color: var(--good); } .v-pass h1 { color: var(--good); }
.v-regression { border-color: var(--bad); } .v-regression h1 { color: var(--bad); }
.v-no_verdict { border-color: var(--doubt); } .v-no_verdict h1 { color: var(--doubt); }
.v-infra { border-color: var(--infra); } .v-infra h1 { color: var(--infra); }
.alert { font-weight: 700; }
.soft { color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; overflow-wrap: normal; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--edge); text-align: left;
  vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; }
.num { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.wide td, .wide th { overflow-wrap: anywhere; } .wide td { min-width: 6.5rem; }
.wide tbody th { min-width: 4rem; } .keys tbody th { min-width: 9rem; max-width: 16rem; }
ul { margin: .3rem 0; padding-left: 1.2rem; } li { margin: .35rem 0; }
li ul { color: var(--soft); font-size: .9rem; }
figure { margin: .6rem 0; } figcaption { color: var(--soft); font-size: .9rem; }
svg { display: block; width: 100%; max-width: 44rem; height: auto; }
.t { font: 11px system-ui, sans-serif; fill: var(--ink); stroke: var(--page); stroke-width: 3px;
  stroke-linejoin: round; paint-order: stroke; } .small { font-size: 9.5px; fill: var(--soft); }
.strong { font-weight: 700; }
.grid { stroke: var(--edge); stroke-width: .6; } .axis { stroke: var(--soft); stroke-width: 1; }
.limit { stroke: var(--bad); stroke-width: 1.6; } .dashed { stroke-dasharray: 5 3; }
.forbidden { fill: var(--bad); fill-opacity: .16; } .interval { fill: var(--soft); fill-opacity: .6; }
.point { fill: var(--ink); } .bad { fill: var(--bad); }
.s-baseline { fill: var(--baseline); stroke: var(--baseline); }
.s-candidate { fill: var(--candidate); stroke: var(--candidate); }
.curve { fill: none; stroke-width: 1.5; } .hollow { fill: var(--page); stroke-width: 1.2; }
.ring { fill: none; stroke-width: 2; }
.waiting { fill: var(--edge); } .held { fill: var(--soft); fill-opacity: .55; }
.key { display: inline-block; width: .8em; height: .8em; margin-right: .35em;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.key.k-baseline { background: var(--baseline); border-radius: 50%; }
.key.k-candidate { background: var(--candidate); }
summary { cursor: pointer; color: var(--link); }
@media (max-width: 30rem) { body { padding: .6rem; } h1 { font-size: 1.5rem; }
  th, td { padding: .25rem .4rem; } }
@media print { :root { --ink: #000000; --page: #ffffff; --card: #ffffff; }
  body { max-width: none; font-size: 10pt; } figure, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; } .scroll { overflow: visible; } a { color: inherit; } }
)css";

}  // namespace abgate::report
