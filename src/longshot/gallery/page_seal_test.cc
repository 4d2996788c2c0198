// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/page_seal.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace longshot {
namespace {

class PageSealTest : public testing::TestWithParam<Cipher> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) GTEST_SKIP() << "this processor has no such cipher";
  }
  static PageSeal seal_of(unsigned char key, unsigned char file) {
    const std::vector<unsigned char> bytes(PageSeal::kKeyBytes, key);
    return {Secret(bytes), GetParam(), FileId{file}};
  }

  std::vector<unsigned char> plain_ = std::vector<unsigned char>(100, 'x');
  std::vector<unsigned char> sealed_ = std::vector<unsigned char>(100);
  std::vector<unsigned char> mark_ = std::vector<unsigned char>(PageSeal::kBytes);
};

TEST_P(PageSealTest, OpensWhatItSealed) {
  const PageSeal seal = seal_of(1, 2);
  seal.seal(SealedPart::kLog, 7, plain_.data(), 100, sealed_.data(), mark_.data());
  EXPECT_NE(sealed_, plain_);
  EXPECT_TRUE(seal.open(SealedPart::kLog, 7, sealed_.data(), 100, mark_.data()));
  EXPECT_EQ(sealed_, plain_);
}

TEST_P(PageSealTest, NeverSealsTwiceAlike) {
  const PageSeal seal = seal_of(1, 2);
  seal.seal(SealedPart::kLog, 7, plain_.data(), 100, sealed_.data(), mark_.data());
  std::vector<unsigned char> again(100);
  seal.seal(SealedPart::kLog, 7, plain_.data(), 100, again.data(), mark_.data());
  EXPECT_NE(sealed_, again);
}

TEST_P(PageSealTest, RefusesEverythingElse) {
  const PageSeal seal = seal_of(1, 2);
  const auto opens = [&](const PageSeal& by, SealedPart part, std::uint64_t place, int flip) {
    seal.seal(SealedPart::kLog, 7, plain_.data(), 100, sealed_.data(), mark_.data());
    if (flip >= 0) {
      const auto at = static_cast<std::size_t>(flip);
      (at < 100 ? sealed_[at] : mark_[at - 100]) ^= 0x10;
    }
    return by.open(part, place, sealed_.data(), 100, mark_.data());
  };
  EXPECT_TRUE(opens(seal, SealedPart::kLog, 7, -1));
  EXPECT_FALSE(opens(seal, SealedPart::kLog, 8, -1));
  EXPECT_FALSE(opens(seal, SealedPart::kDatabase, 7, -1));
  EXPECT_FALSE(opens(seal_of(1, 3), SealedPart::kLog, 7, -1));
  EXPECT_FALSE(opens(seal_of(4, 2), SealedPart::kLog, 7, -1));
  for (int flip = 0; flip < 140; ++flip) {
    EXPECT_FALSE(opens(seal, SealedPart::kLog, 7, flip)) << flip;
  }
}

std::string name_of_cipher(const testing::TestParamInfo<Cipher>& one) {
  return one.param == Cipher::kAes256Gcm ? "Aes" : "ChaCha";
}

INSTANTIATE_TEST_SUITE_P(Ciphers, PageSealTest,
                         testing::Values(Cipher::kXChaCha20Poly1305, Cipher::kAes256Gcm),
                         name_of_cipher);

}  // namespace
}  // namespace longshot
