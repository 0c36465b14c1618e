#pragma once

#include <cstddef>
#include <string_view>

namespace abgate::config {

/// What a text must look like. The parser and the JSON Schema use the same pattern, so they cannot
/// disagree.
struct Shape {
  std::string_view what;      ///< completes `"x" is not …`
  std::string_view pattern;   ///< ECMA 262, anchored
  std::string_view right;     ///< completes `give …`
  std::size_t longest = 256;  ///< in characters; bounds the work of the pattern
};

namespace shapes {

inline constexpr Shape name{
    "a name", R"(^[a-z0-9][a-z0-9._-]*$)",
    "lower-case letters, digits, '.', '_' and '-', beginning with a letter or digit: names become "
    "folders",
    64};
inline constexpr Shape free_text{"a line of text", R"(^[^\x00-\x1f\x7f]+$)",
                                 "text without control characters", 2000};
inline constexpr Shape model{"a model name", R"(^[A-Za-z0-9][A-Za-z0-9._-]*$)",
                             "letters, digits, '.', '_' and '-', such as GPT-OSS-120B", 128};
/// FORMATS 1: the base card, never its overlay.
inline constexpr Shape card{
    "a base model card", R"(^(?!.*_overlay$)[A-Za-z0-9][A-Za-z0-9._-]*$)",
    "the base card's name, such as primus_pyt_megatron_lm_train_gpt-oss-120b, without \"_overlay\"",
    128};
/// FORMATS 1: pasted into a shell command unquoted.
inline constexpr Shape arguments{"a line of plain arguments",
                                 R"(^[A-Za-z0-9_@%+=:,./-]+( [A-Za-z0-9_@%+=:,./-]+)*$)",
                                 "words without shell metacharacters, one blank between them"};
inline constexpr Shape relative_path{
    "a relative path", R"(^(?!/)(?!(.*/)?\.\.(/|$))[A-Za-z0-9_@%+=,./-]+$)",
    "a path below a MAD checkout, such as scripts/primus_megatron-lm/run.sh"};
inline constexpr Shape tag{"a tag", R"(^[A-Za-z0-9][A-Za-z0-9._-]*$)",
                           "letters, digits, '.', '_' and '-'", 64};
inline constexpr Shape results_csv{
    "the name of a per-model CSV", R"(^perf_primus-megatron-[A-Za-z0-9][A-Za-z0-9._-]*\.csv$)",
    "perf_primus-megatron-<Model>.csv: madengine looks for exactly that file"};
inline constexpr Shape metric{"a metric", R"(^[A-Za-z][A-Za-z0-9_]*$)",
                              "a value of the column `metric`, such as tok_per_s_per_gpu_avg", 64};
inline constexpr Shape unit{"a unit", R"(^[A-Za-z%][A-Za-z0-9/%]*$)", "a unit such as tok/s/GPU",
                            32};
inline constexpr Shape precision{"a precision", R"(^[A-Z][A-Z0-9_]*$)",
                                 "a value of the column `precision`, such as BF16", 32};
inline constexpr Shape duration{
    "a duration",
    R"(^(?=.*[1-9])(([0-9]{1,3}-)?[0-9]{1,3}:[0-5][0-9]:[0-5][0-9])"
    R"(|(?=.)([0-9]{1,9}d)?([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?)$)",
    "a positive one, such as 04:00:00, 1-02:00:00, 90m, 1h30m or 45s", 40};
inline constexpr Shape variable{"the name of a variable", R"(^[A-Za-z_][A-Za-z0-9_]*$)",
                                "letters, digits and '_', not beginning with a digit", 128};
/// FORMATS 1: the value lands between quotes in a `docker run` line and in a batch script; it could
/// end them or be expanded there.
inline constexpr Shape value{"a plain value", R"(^[^\x00-\x1f\x7f'"`$\\]*$)",
                             "text without control characters, quotes, '`', '$' and '\\'", 1000};
/// A mount's path: `:` separates the parts of docker's `-v`.
inline constexpr Shape absolute_path{"an absolute path",
                                     R"(^/(?!(.*/)?\.\.(/|$))[A-Za-z0-9_@%+=,./-]*$)",
                                     "a path that begins with '/', without \"..\", blanks, ':' and "
                                     "shell metacharacters",
                                     500};
/// FORMATS 1: `additional_docker_run_options` is pasted unquoted.
inline constexpr Shape docker_option{
    "one plain word", R"(^[A-Za-z0-9_@%+=:,./-]+$)",
    "one word an item, without blanks, quotes and shell metacharacters: madengine pastes the "
    "options unquoted"};
inline constexpr Shape image{"an image", R"(^[A-Za-z0-9][A-Za-z0-9._/:@-]*$)",
                             "a tag such as rocm/primus:v26.4, without blanks and shell "
                             "metacharacters"};
inline constexpr Shape gpu{"a GPU name", R"(^[A-Za-z0-9][A-Za-z0-9._-]*$)",
                           "letters, digits, '.', '_' and '-', such as MI355X", 32};
inline constexpr Shape selector{"a Slurm name", R"(^[A-Za-z0-9_][A-Za-z0-9_.,+=-]*$)",
                                "letters, digits and '_.,+=-', or leave the key out"};
inline constexpr Shape hosts{"a host list", R"(^[A-Za-z0-9][A-Za-z0-9._,\[\]-]*$)",
                             "Slurm's form, such as a[1-2],b7", 2000};
inline constexpr Shape gres{
    "a GPU option of salloc", R"(^--(gres|gpus|gpus-per-node|gpus-per-task)=[A-Za-z0-9_:,.-]+$)",
    "an option such as --gres=gpu:8, or leave the key out where the cluster "
    "has no GPU GRES"};
inline constexpr Shape salloc_argument{"an option of salloc", R"(^-[^\x00-\x1f\x7f]+$)",
                                       "an option with its value in one item: --comment=nightly"};
inline constexpr Shape interface {
  "a network interface", R"(^[=^A-Za-z0-9][A-Za-z0-9_.,:-]*$)",
      "a name as `ip link` shows it, such as eth0", 128
};
inline constexpr Shape program{"a program", R"(^[A-Za-z0-9_@%+=,./~-]+$)",
                               "a name on PATH or a path", 500};
inline constexpr Shape reference{"a name or a file", R"(^[A-Za-z0-9_@%+=,./-]+$)",
                                 "a name from configs/ or a path", 500};
/// What the condenser can look for: eight bytes in a row that are no placeholder, and something
/// else than digits between two placeholders. At most 1024 bytes of UTF-8.
inline constexpr Shape log_pattern{
    "a pattern that can be looked for",
    R"(^(?!.*(#|\*|\{(time|host|pid)\})[0-9]*(#|\*|\{(time|host|pid)\}))(?=.*[^#*{}]{8})[^\x00-\x1f\x7f]+$)",
    "the whole line with at least eight bytes in a row that are no placeholder, and something else "
    "than digits between two placeholders",
    256};
inline constexpr Shape rccl{"an RCCL build", R"(^([A-Za-z0-9._/-]+:)?[0-9a-f]{7,40}\+?$)",
                            "<ref>:<hash> or a hash of at least 7 hexadecimal digits, as RCCL's "
                            "banner shows it: develop:e711c9e",
                            128};

}  // namespace shapes
}  // namespace abgate::config
