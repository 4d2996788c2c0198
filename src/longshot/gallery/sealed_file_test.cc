// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealed_file.h"

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

GalleryKey::Shared file_key(unsigned char byte) {
  const std::array<unsigned char, 32> secret = {byte, 2, 3, 4};
  return std::make_shared<GalleryKey>(KeyDerivation::Kind::kFile, secret);
}

std::string refusal(std::string_view sealed, const GalleryKey& key) {
  try {
    unseal_bytes(sealed, key, "x.sealed");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Around the ends of pieces of 65536 bytes.
TEST(SealedFile, OpensWithItsKey) {
  const GalleryKey::Shared key = file_key(1);
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 131072, 300000}) {
    std::string bytes(size, 'a');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31);
    EXPECT_EQ(unseal_bytes(seal_bytes(bytes, *key), *key, "x"), bytes) << size;
  }
}

TEST(SealedFile, ShowsNothingAndNeverLooksTheSame) {
  const GalleryKey::Shared key = file_key(1);
  const std::string sealed = seal_bytes("Ada Lovelace", *key);
  EXPECT_THAT(sealed, Not(HasSubstr("Ada")));
  EXPECT_NE(sealed, seal_bytes("Ada Lovelace", *key));
}

TEST(SealedFile, RefusesAnotherKeyInOneSentence) {
  const std::string sealed = seal_bytes("Ada Lovelace", *file_key(1));
  EXPECT_EQ(refusal(sealed, *file_key(2)), "The key does not open x.sealed.");
  EXPECT_EQ(refusal(sealed, *GalleryKey::from_passphrase("a passphrase")),
            "x.sealed is sealed with a key file, not with a passphrase.");
  EXPECT_EQ(refusal("Ada Lovelace", *file_key(1)), "x.sealed is not a sealed file.");
}

TEST(SealedFile, OpensWithAPassphrase) {
  const GalleryKey::Shared key = GalleryKey::from_passphrase("a passphrase");
  const std::string sealed = seal_bytes("Ada Lovelace", *key);
  EXPECT_EQ(unseal_bytes(sealed, *GalleryKey::from_passphrase("a passphrase"), "x"),
            "Ada Lovelace");
  EXPECT_EQ(refusal(sealed, *GalleryKey::from_passphrase("another one")),
            "The key does not open x.sealed.");
}

TEST(SealedFile, EveryFlippedBitIsFound) {
  const GalleryKey::Shared key = file_key(1);
  const std::string sealed = seal_bytes("Ada Lovelace", *key);
  for (std::size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
    std::string flipped = sealed;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(refusal(flipped, *key), "") << bit;
  }
}

TEST(SealedFile, TruncationAndMovedPiecesAreFound) {
  const GalleryKey::Shared key = file_key(1);
  const std::string small = seal_bytes("Ada Lovelace", *key);
  for (std::size_t size = 0; size < small.size(); ++size) {
    EXPECT_THAT(refusal(small.substr(0, size), *key),
                AnyOf(HasSubstr("damaged"), HasSubstr("not a sealed file")))
        << size;
  }
  // At the end of a piece, too.
  const std::string large = seal_bytes(std::string(200000, 'a'), *key);
  constexpr std::size_t kPiece = 65536 + 17;
  const std::size_t first = 104 + 17;
  EXPECT_THAT(refusal(large.substr(0, first + kPiece), *key), HasSubstr("damaged"));
  EXPECT_THAT(refusal(large + small, *key), HasSubstr("damaged"));
  std::string swapped = large;
  std::swap_ranges(swapped.begin() + first, swapped.begin() + first + kPiece,
                   swapped.begin() + first + kPiece);
  EXPECT_THAT(refusal(swapped, *key), HasSubstr("damaged"));
}

TEST(SealedFile, ANewerVersionIsToldFromDamage) {
  std::string sealed = seal_bytes("Ada Lovelace", *file_key(1));
  sealed[16] = 2;
  EXPECT_THAT(refusal(sealed, *file_key(1)), HasSubstr("newer version"));
}

}  // namespace
}  // namespace longshot
