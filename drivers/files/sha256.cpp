#include "drivers/files/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <new>
#include <span>
#include <stdexcept>

namespace jostle {
namespace {

void check(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL cannot make a SHA-256 digest");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  if (!context_) throw std::bad_alloc();
  check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::update(const void* data, std::size_t bytes) { check(EVP_DigestUpdate(context_.get(), data, bytes)); }

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int bytes = 0;
  check(EVP_DigestFinal_ex(context_.get(), digest.data(), &bytes));
  return fmt::format("{:02x}", fmt::join(std::span(digest).first(bytes), ""));
}

std::string sha256_hex(std::string_view text) {
  Sha256 hash;
  hash.update(text.data(), text.size());
  return hash.hex();
}

}  // namespace jostle
