#include <array>

#include <fmt/format.h>
#include <sodium.h>

#include <abgate/base/hash.hpp>

namespace abgate::hash {

struct Sha256::State {
  crypto_hash_sha256_state value;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  crypto_hash_sha256_init(&state_->value);
}
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  // libsodium takes unsigned bytes.
  crypto_hash_sha256_update(&state_->value, reinterpret_cast<const unsigned char*>(bytes.data()),
                            bytes.size());
}

std::string Sha256::hex_digest() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256_final(&state_->value, digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.hex_digest();
}

}  // namespace abgate::hash
