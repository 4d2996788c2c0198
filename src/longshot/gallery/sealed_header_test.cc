// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealed_header.h"

#include <gmock/gmock.h>

#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using testing::HasSubstr;

GalleryKey::Shared key_of(char letter) {
  const std::vector<unsigned char> bytes(32, static_cast<unsigned char>(letter));
  return std::make_shared<GalleryKey>(KeyDerivation::Kind::kFile, bytes);
}

bool opens(const SealedHeader& header, const GalleryKey::Shared& key) {
  return message_of([&] { header.open(*key, "g"); }).empty();
}

TEST(SealedHeaderTest, OpensWithItsKeyOnly) {
  const SealedHeader header = SealedHeader::create(*key_of('a'));
  EXPECT_TRUE(opens(header, key_of('a')));
  EXPECT_EQ(message_of([&] { header.open(*key_of('b'), "g"); }),
            "The key does not open the gallery g.");
  const auto passphrase = GalleryKey::from_passphrase(std::string(32, 'a'));
  EXPECT_THAT(message_of([&] { header.open(*passphrase, "g"); }),
              HasSubstr("with a key file, not"));
}

TEST(SealedHeaderTest, APassphraseOpensIt) {
  const SealedHeader header = SealedHeader::create(*GalleryKey::from_passphrase("correct horse"));
  EXPECT_TRUE(opens(header, GalleryKey::from_passphrase("correct horse")));
  EXPECT_FALSE(opens(header, GalleryKey::from_passphrase("correct hoarse")));
  EXPECT_FALSE(opens(header, key_of('c')));
}

TEST(SealedHeaderTest, EveryBitCounts) {
  const std::string bytes = SealedHeader::create(*key_of('a')).bytes();
  for (std::size_t at = 0; at < 512 + 144; ++at) {
    if (at >= 48 && at < 512) continue;  // unused
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_NE(message_of([&] { SealedHeader::parse(damaged, "g").open(*key_of('a'), "g"); }), "")
        << at;
  }
  EXPECT_NE(message_of([&] { SealedHeader::parse(bytes.substr(1), "g"); }), "");
}

TEST(SealedHeaderTest, AtEveryMomentOfAChangeOneKeyOpensIt) {
  SealedHeader header = SealedHeader::create(*key_of('a'));
  header.add_slot(*key_of('a'), *key_of('b'), "g");
  EXPECT_TRUE(opens(header, key_of('a')));
  EXPECT_TRUE(opens(header, key_of('b')));
  // Torn while the second slot was written: the first one holds.
  std::string torn = header.bytes();
  torn[SealedHeader::slot_begin(1) + 50] ^= 1;
  EXPECT_TRUE(opens(SealedHeader::parse(torn, "g"), key_of('a')));
  header.forget_other_slots();
  EXPECT_FALSE(opens(header, key_of('a')));
  EXPECT_TRUE(opens(SealedHeader::parse(header.bytes(), "g"), key_of('b')));
  header.add_slot(*key_of('b'), *key_of('c'), "g");
  header.forget_other_slots();
  EXPECT_FALSE(opens(header, key_of('b')));
  EXPECT_TRUE(opens(header, key_of('c')));
}

}  // namespace
}  // namespace longshot
