#pragma once
// SHA-256 (FIPS 180-4): identities of scenarios and tables, and content digests of shards.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // of OpenSSL

namespace jostle {

class Sha256 {
 public:
  Sha256();
  void update(const void* data, std::size_t bytes);
  /// 64 lower-case hexadecimal digits. The object takes no more data afterwards.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256_hex(std::string_view text);

}  // namespace jostle
