// SPDX-License-Identifier: Apache-2.0
// Bad files, full disks and closed doors: one sentence each, and nothing is lost.
#include <csignal>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using Access = GalleryStore::Access;

class GalleryFailure : public ScratchTest {
 protected:
  // A gallery of so many people, closed, so that all is in the one file.
  void make(int people) const {
    GalleryStore gallery(path_, Access::kCreate);
    GalleryTransaction transaction(gallery);
    for (int i = 0; i < people; ++i) {
      const PersonId id = gallery.add_person(fmt::format("person {}", i));
      gallery.add_photo(id, noise_photo(static_cast<std::uint64_t>(i)));
      gallery.put_template("small", id, std::vector<float>(1000, 1.0F));
    }
    transaction.commit();
  }
  std::string open(Access access) const {
    return message_of([&] { GalleryStore(path_, access); });
  }
  // Everything that a user does with a gallery.
  void use() const {
    GalleryStore gallery(path_, Access::kWrite);
    gallery.check_integrity();
    for (const Person& person : gallery.people()) gallery.photos(person.id);
    gallery.read_templates("small", {}, kNoLimit);
    gallery.remove_person("person 3");
  }
};

TEST_F(GalleryFailure, WhatIsNoGalleryIsNotTouched) {
  EXPECT_THAT(open(Access::kRead), AllOf(HasSubstr(path_.string()), HasSubstr("no such file")));
  EXPECT_THAT(open(Access::kWrite), HasSubstr("no such file"));
  EXPECT_FALSE(fs::exists(path_));
  const std::string text =
      "This is a text that is longer than the header of a database file, "
      "which has a hundred bytes; it is no gallery.\n";
  write_file(path_, text);
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate}) {
    EXPECT_EQ(open(access), path_.string() + " is not a gallery.");
  }
  EXPECT_EQ(read_file(path_), text);
  path_ = folder_;
  EXPECT_THAT(open(Access::kCreate), HasSubstr("is a folder"));
  path_ = folder_ / "none" / "people.gallery";
  EXPECT_THAT(open(Access::kCreate), HasSubstr("No such file or directory"));
}

TEST_F(GalleryFailure, ATruncatedFileIsOneSentence) {
  make(50);
  const std::string whole = read_file(path_);
  for (const std::size_t size : {whole.size() / 2, whole.size() - 16384, std::size_t{16384},
                                 std::size_t{1000}, std::size_t{99}}) {
    write_file(path_, std::string_view(whole).substr(0, size));
    EXPECT_THAT(message_of([&] { use(); }), HasSubstr(path_.string())) << size;
  }
}

TEST_F(GalleryFailure, DamageIsOneSentenceOrHarmless) {
  make(50);
  const std::string whole = read_file(path_);
  Random random(5);
  int noticed = 0;
  for (int round = 0; round < 60; ++round) {
    std::string damaged = whole;
    const auto at = static_cast<std::size_t>(random.below(static_cast<Index>(whole.size() - 64)));
    for (std::size_t i = at; i < at + 64; ++i) damaged[i] = static_cast<char>(random.below(256));
    write_file(path_, damaged);
    const std::string message = message_of([&] { use(); });
    if (message.empty()) continue;
    EXPECT_THAT(message, HasSubstr(path_.string()));
    ++noticed;
  }
  EXPECT_GT(noticed, 0);
}

// A limit on file sizes stands for the full disk: the write itself fails.
TEST_F(GalleryFailure, AFullDiskLosesNothing) {
  make(5);
  Child child([&](int pipe) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {2000000, 2000000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    GalleryStore gallery(path_, Access::kWrite);
    for (int i = 5; i < 10000; ++i) {
      GalleryTransaction transaction(gallery);
      const PersonId id = gallery.add_person(fmt::format("person {}", i));
      gallery.put_template("small", id, std::vector<float>(1000, 1.0F));
      transaction.commit();
      Child::send(pipe, "+");
    }
  });
  const std::string report = child.received();
  const std::size_t added = report.find_first_not_of('+');
  ASSERT_NE(added, std::string::npos);
  EXPECT_GT(added, 10U);
  EXPECT_THAT(report.substr(added), AllOf(HasSubstr("Cannot"), HasSubstr(path_.string())));
  GalleryStore gallery(path_, Access::kWrite);
  EXPECT_EQ(gallery.person_count(), 5 + static_cast<Index>(added));
  gallery.check_integrity();
  gallery.add_person("and on");
}

TEST_F(GalleryFailure, AWriteProtectedFolderCanBeReadOnly) {
  make(5);
  fs::permissions(path_, fs::perms{0444});
  fs::permissions(folder_, fs::perms{0555});
  const auto as_a_user = [&](const std::function<void(int)>& call) {
    Child child([&](int pipe) {
      if (::getuid() == 0 && ::setuid(65534) != 0) throw Error("Cannot become a user.");
      call(pipe);
    });
    return child.received();
  };
  EXPECT_EQ(as_a_user([&](int pipe) {
              const GalleryStore gallery(path_, Access::kRead);
              Child::send(pipe, fmt::format("{} {}", gallery.person_count(),
                                            gallery.read_templates("small", {}, 9).size()));
            }),
            "5 5");
  EXPECT_THAT(as_a_user([&](int) { GalleryStore(path_, Access::kWrite); }),
              HasSubstr("write-protected"));
  EXPECT_THAT(as_a_user([&](int) { GalleryStore(folder_ / "new", Access::kCreate); }),
              HasSubstr("Permission denied"));
  fs::permissions(path_, fs::perms{0000});
  EXPECT_THAT(as_a_user([&](int) { GalleryStore(path_, Access::kRead); }),
              HasSubstr("Permission denied"));
  fs::permissions(folder_, fs::perms{0755});
}

TEST_F(GalleryFailure, AGalleryInUseIsOneSentence) {
  make(5);
  GalleryStore first(path_, Access::kWrite);
  GalleryStore second(path_, Access::kWrite, {.wait_ms = 10});
  const GalleryTransaction transaction(first);
  EXPECT_THAT(message_of([&] { second.add_person("x"); }), HasSubstr("by another program"));
  EXPECT_EQ(second.person_count(), 5);
}

TEST_F(GalleryFailure, AReaderCannotChangeIt) {
  make(5);
  GalleryStore gallery(path_, Access::kRead);
  EXPECT_THAT(message_of([&] { gallery.remove_person("person 1"); }), HasSubstr("for reading"));
  EXPECT_EQ(gallery.person_count(), 5);
}

}  // namespace
}  // namespace longshot
