// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_sealing.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"
#include "longshot/gallery/sealed_header.h"
#include "longshot/gallery/sealed_layout.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class GallerySealing : public ScratchTest {
 protected:
  void SetUp() override {
    ScratchTest::SetUp();
    a_ = key('a');
    b_ = key('b');
  }
  GalleryKey::Shared key(char letter) const {
    write_file(folder_ / "key", std::string(32, letter));
    return GalleryKey::from_file(folder_ / "key");
  }
  GalleryStore open(const GalleryKey::Shared& key,
                    GalleryStore::Access access = GalleryStore::Access::kWrite) const {
    GalleryOptions options;
    options.key = key;
    return {path_, access, options};
  }
  void enrol(GalleryStore& gallery, int first, int count) const {
    GalleryTransaction transaction(gallery);
    for (int i = first; i < first + count; ++i) {
      const PersonId id = gallery.add_person(fmt::format("Philippa {}", i));
      gallery.add_photo(id, noise_photo(static_cast<std::uint64_t>(i)));
      gallery.put_template("small", id, std::vector<float>(3000, static_cast<float>(i)));
    }
    transaction.commit();
  }
  void make(const GalleryKey::Shared& key, int people) const {
    GalleryStore gallery = open(key, GalleryStore::Access::kCreate);
    enrol(gallery, 0, people);
  }
  // What opening it and reading everything says.
  std::string complaint(const GalleryKey::Shared& key) const {
    return message_of([&] { open(key, GalleryStore::Access::kRead).check_integrity(); });
  }
  Index people(const GalleryKey::Shared& key) const {
    const GalleryStore gallery = open(key);
    gallery.check_integrity();
    EXPECT_EQ(gallery.people().size(), static_cast<std::size_t>(gallery.person_count()));
    EXPECT_EQ(gallery.template_count("small"), gallery.person_count());
    return gallery.person_count();
  }

  GalleryKey::Shared a_;
  GalleryKey::Shared b_;
};

TEST_F(GallerySealing, HoldsWhatAnyGalleryHolds) {
  make(a_, 20);
  const GalleryStore gallery = open(a_, GalleryStore::Access::kRead);
  EXPECT_EQ(gallery.person_count(), 20);
  EXPECT_EQ(gallery.photos(3).at(0).pixels, noise_photo(2).pixels);
  EXPECT_EQ(gallery.find_template("small", 20)->at(2999), 19.0F);
  EXPECT_EQ(gallery.key(), a_);
}

TEST_F(GallerySealing, NeitherFileNorLogShowANameOrAFace) {
  GalleryStore gallery = open(a_, GalleryStore::Access::kCreate);
  enrol(gallery, 0, 5);
  Photo photo = noise_photo(77);
  photo.source = "photos/Philippa.jpg";
  gallery.add_photo(1, photo);
  const std::string face(photo.pixels.begin(), photo.pixels.end());
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string bytes = read_file(entry.path());
    EXPECT_THAT(bytes, Not(HasSubstr("Philippa"))) << entry.path();
    EXPECT_THAT(bytes, Not(HasSubstr("SQLite"))) << entry.path();
    EXPECT_THAT(bytes, Not(HasSubstr("CREATE TABLE"))) << entry.path();
    EXPECT_THAT(bytes, Not(HasSubstr(face.substr(0, 16)))) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 3);  // the file, its log, and the index of that
  EXPECT_GT(fs::file_size(path_.string() + "-wal"), 0U);
}

TEST_F(GallerySealing, AsksForItsKey) {
  make(a_, 3);
  EXPECT_EQ(complaint(a_), "");
  EXPECT_THAT(complaint(b_), HasSubstr("The key does not open the gallery"));
  EXPECT_THAT(complaint(nullptr), HasSubstr("is encrypted: its key is needed"));
  EXPECT_THAT(complaint(GalleryKey::from_passphrase("a passphrase")), HasSubstr("key file"));
  EXPECT_THAT(message_of([&] { open(b_, GalleryStore::Access::kCreate); }), HasSubstr("not open"));
  EXPECT_EQ(people(a_), 3);
}

TEST_F(GallerySealing, AKeyDoesNotFitAGalleryWithoutOne) {
  make(nullptr, 3);
  EXPECT_THAT(complaint(a_), HasSubstr("is not encrypted"));
  EXPECT_EQ(people(nullptr), 3);
}

TEST_F(GallerySealing, KeysThatAreNoneAreRefused) {
  write_file(folder_ / "short", "secret words");
  const std::string message = message_of([&] { GalleryKey::from_file(folder_ / "short"); });
  EXPECT_THAT(message, HasSubstr("32 to 4096 bytes"));
  EXPECT_THAT(message, Not(HasSubstr("secret words")));
  EXPECT_THAT(message_of([&] { GalleryKey::from_file(folder_ / "none"); }), HasSubstr("No such"));
  EXPECT_THAT(message_of([&] { GalleryKey::from_passphrase("short"); }), HasSubstr("8 to 1024"));
  EXPECT_THAT(message_of([&] { GalleryKey::from_descriptor(-1); }), HasSubstr("Bad file"));
}

TEST_F(GallerySealing, EveryPageIsGuarded) {
  make(a_, 30);
  const std::string whole = read_file(path_);
  ASSERT_GT(whole.size(), 12U * kPageBytes);
  Random random(5);
  for (std::size_t page = 0; page < whole.size() / kPageBytes; ++page) {
    const std::size_t begin = 4096 + page * kPageBytes;
    std::string damaged = whole;
    damaged[begin + random.below(kPageBytes)] ^= 4;
    write_file(path_, damaged);
    EXPECT_THAT(complaint(a_), HasSubstr("is damaged; restore it from a copy")) << page;
    damaged = whole;
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(begin), kPageBytes, '\0');
    write_file(path_, damaged);
    EXPECT_THAT(complaint(a_), HasSubstr("is damaged")) << page;
  }
}

TEST_F(GallerySealing, PagesCannotBeMovedNorTakenFromElsewhere) {
  make(a_, 30);
  const std::string whole = read_file(path_);
  std::string swapped = whole;
  swapped.replace(4096 + 5 * kPageBytes, kPageBytes, whole, 4096 + 6 * kPageBytes, kPageBytes);
  write_file(path_, swapped);
  EXPECT_THAT(complaint(a_), HasSubstr("is damaged"));
  fs::remove(path_);
  make(a_, 30);
  std::string mixed = read_file(path_);
  mixed.replace(4096 + 5 * kPageBytes, kPageBytes, whole, 4096 + 5 * kPageBytes, kPageBytes);
  write_file(path_, mixed);
  EXPECT_THAT(complaint(a_), HasSubstr("is damaged"));
}

TEST_F(GallerySealing, AShorterFileIsDamaged) {
  make(a_, 30);
  const std::uintmax_t size = fs::file_size(path_);
  for (const std::uintmax_t lost : {1U, 40U, 16384U, 16385U, 5U * 16384U}) {
    fs::resize_file(path_, size - lost);
    EXPECT_THAT(complaint(a_), HasSubstr("is damaged")) << lost;
  }
  fs::resize_file(path_, 4096);
  EXPECT_NE(complaint(a_), "");
  fs::resize_file(path_, 1000);
  EXPECT_THAT(complaint(a_), HasSubstr("is damaged"));
}

TEST_F(GallerySealing, RemovedPeopleAreGoneForWhoHasTheKey) {
  make(a_, 10);
  {
    GalleryStore gallery = open(a_);
    gallery.remove_person("Philippa 4");
    EXPECT_FALSE(gallery.erasure_pending());
  }
  rewrite_gallery(path_, a_, nullptr);
  EXPECT_THAT(read_file(path_), Not(HasSubstr("Philippa 4")));
  EXPECT_THAT(read_file(path_), HasSubstr("Philippa 5"));
}

TEST_F(GallerySealing, EncryptsDecryptsAndChangesKeys) {
  make(nullptr, 12);
  const auto passphrase = GalleryKey::from_passphrase("a long passphrase");
  rewrite_gallery(path_, nullptr, a_);
  EXPECT_EQ(people(a_), 12);
  EXPECT_THAT(read_file(path_), Not(HasSubstr("Philippa")));
  const std::string before = read_file(path_);
  change_gallery_key(path_, a_, passphrase);
  EXPECT_NE(complaint(a_), "");
  EXPECT_EQ(people(passphrase), 12);
  EXPECT_EQ(read_file(path_).substr(4096), before.substr(4096));
  rewrite_gallery(path_, passphrase, b_);
  EXPECT_EQ(people(b_), 12);
  EXPECT_NE(complaint(passphrase), "");
  rewrite_gallery(path_, b_, nullptr);
  EXPECT_EQ(people(nullptr), 12);
  rewrite_gallery(path_, nullptr, a_);
  EXPECT_EQ(people(a_), 12);
  EXPECT_THAT(message_of([&] { rewrite_gallery(path_, b_, nullptr); }), HasSubstr("not open"));
  EXPECT_THAT(message_of([&] { change_gallery_key(path_, b_, a_); }), HasSubstr("not open"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);  // and the key file
}

TEST_F(GallerySealing, IsNotRewrittenWhileSomebodyHasItOpen) {
  make(a_, 3);
  const GalleryStore reader = open(a_, GalleryStore::Access::kRead);
  EXPECT_THAT(message_of([&] { rewrite_gallery(path_, a_, b_); }), HasSubstr("in use"));
  change_gallery_key(path_, a_, b_);
  EXPECT_EQ(reader.person_count(), 3);
  EXPECT_EQ(people(b_), 3);
}

TEST_F(GallerySealing, KilledAtAnyMomentItHoldsWhatWasCommitted) {
  const char* wish = std::getenv("LONGSHOT_KILLS");
  const int kills = wish == nullptr ? 25 : std::atoi(wish);
  make(a_, 3);
  Random random(21);
  Index expected = 3;
  for (int round = 0; round < kills; ++round) {
    Child child([&](int pipe) {
      GalleryStore gallery = open(a_);
      for (int i = 1;; ++i) {
        enrol(gallery, 10 + round * 1000 + 3 * i, 3);
        Child::send(pipe, "+");
        if (i % 3 == 0)
          gallery.remove_person(fmt::format("Philippa {}", 10 + round * 1000 + 3 * i));
        if (i % 3 == 0) Child::send(pipe, "-");
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(40000)));
    child.kill();
    for (const char c : child.received()) expected += c == '+' ? 3 : -1;
    const Index found = people(a_);
    EXPECT_TRUE(found == expected || found == expected + 3 || found == expected - 1) << round;
    expected = found;
  }
}

// A kill while a page of the log is brought into the file leaves it half written.
TEST_F(GallerySealing, AFirstPageHalfWrittenIsTakenFromTheLog) {
  make(a_, 3);
  const fs::path kept = folder_ / "kept";
  {
    GalleryStore gallery = open(a_);
    enrol(gallery, 10, 3);
    fs::copy(path_, kept);
    fs::copy(path_.string() + "-wal", kept.string() + "-wal");
  }
  const auto half_written = [&] {
    std::string bytes = read_file(kept);
    const auto middle = static_cast<std::size_t>(SealedHeader::kBytes + kPageBytes / 2);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(middle), 4096, '\0');
    return bytes;
  }();
  for (const char* part : {"", "-wal", "-shm"}) fs::remove(path_.string() + part);
  write_file(path_, half_written);
  EXPECT_THAT(complaint(a_), HasSubstr("damaged"));
  write_file(path_, half_written);
  fs::copy(kept.string() + "-wal", path_.string() + "-wal");
  EXPECT_EQ(people(a_), 6);
}

TEST_F(GallerySealing, KilledWhileItChangesHandsOneOfTheKeysOpensIt) {
  const char* wish = std::getenv("LONGSHOT_KILLS");
  const int kills = wish == nullptr ? 12 : std::atoi(wish);
  make(a_, 12);
  Random random(22);
  for (int round = 0; round < kills; ++round) {
    Child child([&](int) {
      for (;;) {
        rewrite_gallery(path_, a_, b_);
        change_gallery_key(path_, b_, a_);
        rewrite_gallery(path_, a_, nullptr);
        rewrite_gallery(path_, nullptr, a_);
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(60000)));
    child.kill();
    const GalleryKey::Shared now = complaint(a_).empty()   ? a_
                                   : complaint(b_).empty() ? b_
                                                           : nullptr;
    EXPECT_EQ(people(now), 12) << round;
    if (now == b_) change_gallery_key(path_, b_, a_);
    if (!now) rewrite_gallery(path_, nullptr, a_);
  }
  rewrite_gallery(path_, a_, a_);
  EXPECT_FALSE(fs::exists(path_.string() + ".new"));
}

}  // namespace
}  // namespace longshot
