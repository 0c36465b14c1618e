#include <string>

#include <gtest/gtest.h>

#include <abgate/base/secret.hpp>

namespace abgate {
namespace {

struct Case {
  std::string text;
  bool secret;
};

TEST(Secret, NamesAreTakenByTheirWords) {
  const Case cases[] = {
      {"HF_TOKEN", true},
      {"hf_token", true},
      {"GITHUB_TOKEN", true},
      {"TOKEN", true},
      {"AWS_SESSION_TOKEN", true},
      {"MAD_SECRETS_HFTOKEN", true},
      {"MAD_SECRETS", true},
      {"AWS_SECRET_ACCESS_KEY", true},
      {"AWS_ACCESS_KEY_ID", false},  // an identifier; its value is recognised by its form
      {"DB_PASSWORD", true},
      {"REGISTRY_PASSWD", true},
      {"OPENAI_API_KEY", true},
      {"WANDB_API_KEY", true},
      {"APIKEY", true},
      {"SSH_PRIVATE_KEY", true},
      {"CLIENT_SECRET_FILE", true},
      {"GOOGLE_CREDENTIALS", true},
      {"GITHUB_PAT", true},
      {"MAX_TOKENS", false},
      {"TOKENIZER_PATH", false},
      {"PRIMUS_TRAIN_ITERS", false},
      {"NCCL_NET", false},
      {"CACHE_KEY", false},
      {"KEY", false},
      {"PATH", false},
      {"", false},
      {"___", false},
  };
  for (const Case& c : cases)
    EXPECT_EQ(looks_secret_name(c.text), c.secret) << c.text;
}

TEST(Secret, ValuesAreTakenByTheirForm) {
  // The texts are put together here, so that no scanner takes this file for a leak.
  const std::string tail = "abcdefghij0123456789ABCDEFGHIJ";
  const Case cases[] = {
      {"hf_" + tail, true},
      {"--token=hf_" + tail, true},
      {"ghp_" + tail, true},
      {"github_pat_" + tail, true},
      {"glpat-" + tail, true},
      {std::string("AKIA") + "ABCDEFGHIJKLMNOP", true},
      {"sk-" + tail, true},
      {std::string("xoxb-") + "123456789012", true},
      {std::string("-----BEGIN RSA ") + "PRIVATE KEY-----\nMII", true},
      {"https://user:pass@registry.example/x", true},
      {"-e X=1 -e U=http://u:p@host", true},
      {"hf_transfer", false},
      {"task-" + tail, false},
      {"https://registry.example:5000/x@sha256", false},
      {"https://user@host/", false},
      {"https://user:@host/", false},
      {"rocm/primus:v26.4", false},
      {"bnxt_re0:1,bnxt_re1:1", false},
      {"-----BEGIN CERTIFICATE-----", false},
      {"AKIAshort", false},
      {"", false},
  };
  for (const Case& c : cases)
    EXPECT_EQ(looks_secret_value(c.text), c.secret) << c.text;
}

TEST(Secret, EitherOfNameAndValueIsEnough) {
  EXPECT_TRUE(looks_secret("HF_TOKEN", ""));
  EXPECT_TRUE(looks_secret("NOTE", "hf_" + std::string(34, 'a')));
  EXPECT_FALSE(looks_secret("NCCL_NET", "IB"));
}

}  // namespace
}  // namespace abgate
