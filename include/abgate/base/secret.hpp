#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace abgate {

/// True when the name of a variable says that it holds a credential: `HF_TOKEN`, `MAD_SECRETS_X`,
/// `DB_PASSWORD`, `OPENAI_API_KEY`, … (LESSONS 33). Case does not matter; words do, so that
/// `MAX_TOKENS` and `TOKENIZER_PATH` are none.
bool looks_secret_name(std::string_view key);

/// True when a text holds a credential of a known form: access tokens of Hugging Face, GitHub,
/// GitLab, AWS, Slack and OpenAI, a private key, or a URL with a password.
bool looks_secret_value(std::string_view value);

/// Either of both. A text that looks secret is refused in configs and manifests, and never echoed.
bool looks_secret(std::string_view key, std::string_view value);

/// The values of an environment that look secret, for a Redactor.
std::vector<std::string> secret_values(
    const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace abgate
