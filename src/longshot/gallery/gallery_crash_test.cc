// SPDX-License-Identifier: Apache-2.0
// Killed at any moment, the gallery holds exactly what was committed; others may read meanwhile.
#include <chrono>
#include <csignal>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using Names = std::set<std::string>;

constexpr int kBatch = 3;

class GalleryCrash : public ScratchTest {
 protected:
  // Says what it is about to do and what it has done: "? + 12", then "! + 12".
  static void change(GalleryStore& gallery, int pipe, bool add, int batch) {
    const std::string what = fmt::format("{} {}\n", add ? '+' : '-', batch);
    Child::send(pipe, "? " + what);
    GalleryTransaction transaction(gallery);
    for (int i = 0; i < kBatch; ++i) {
      const std::string name = fmt::format("person-{:06}-{}", batch, i);
      if (add) {
        const PersonId id = gallery.add_person(name);
        gallery.add_photo(id, noise_photo(static_cast<std::uint64_t>(batch)));
        gallery.put_template("small", id, std::vector<float>(2000, 1.0F));
      } else {
        gallery.remove_person(name);
      }
    }
    transaction.commit();
    Child::send(pipe, "! " + what);
  }

  // Adds batches for ever, and removes every other one again.
  void enrol_and_remove(int pipe, int first_batch) const {
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    for (int batch = first_batch;; ++batch) {
      change(gallery, pipe, true, batch);
      if (batch % 2 == 1) change(gallery, pipe, false, batch);
    }
  }

  static void apply(char sign, int batch, Names& names) {
    for (int i = 0; i < kBatch; ++i) {
      const std::string name = fmt::format("person-{:06}-{}", batch, i);
      if (sign == '+') {
        names.insert(name);
      } else {
        names.erase(name);
      }
    }
  }

  Names names() const {
    const GalleryStore gallery(path_, GalleryStore::Access::kWrite);
    gallery.check_integrity();
    EXPECT_EQ(gallery.person_count(), gallery.template_count("small"));
    EXPECT_EQ(gallery.person_count(), gallery.photo_count());
    Names names;
    for (const Person& person : gallery.people()) names.insert(person.name);
    return names;
  }
};

TEST_F(GalleryCrash, KilledAtAnyMomentItHoldsWhatWasCommitted) {
  GalleryStore(path_, GalleryStore::Access::kCreate);
  Random random(11);
  Names expected;
  Names removed;
  for (int round = 0; round < 40; ++round) {
    Child child([&](int pipe) { enrol_and_remove(pipe, round * 1000); });
    // However busy the machine is, every other one commits something before it is killed.
    if (round % 2 == 1) child.wait_for("!");
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(60000)));
    child.kill();
    Names with_the_last = expected;
    std::istringstream lines(child.received());
    char stage = 0;
    char sign = 0;
    for (int batch = 0; lines >> stage >> sign >> batch;) {
      apply(sign, batch, with_the_last);
      if (stage == '!') apply(sign, batch, expected);
      if (stage == '!' && sign == '-') apply('+', batch, removed);
    }
    // The last change may have been committed just before its report.
    const Names found = names();
    EXPECT_TRUE(found == expected || found == with_the_last) << "round " << round;
    expected = found;
    const std::string bytes = read_file(path_);
    for (const std::string& name : removed) {
      EXPECT_EQ(bytes.find(name), std::string::npos) << name;
    }
    removed.clear();
  }
  EXPECT_GT(expected.size(), 10U * kBatch);
}

TEST_F(GalleryCrash, KilledWhileItIsMadeItCanBeMadeAgain) {
  Random random(12);
  for (int round = 0; round < 20; ++round) {
    path_ = folder_ / fmt::format("{}.gallery", round);
    Child child([&](int pipe) { enrol_and_remove(pipe, 0); });
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(20000)));
    child.kill();
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    EXPECT_EQ(gallery.person_count() % kBatch, 0);
    gallery.check_integrity();
  }
}

TEST_F(GalleryCrash, WhoOpensItNextErasesWhatTheKilledOneRemoved) {
  {
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    gallery.add_person("Philippa Longname");
  }
  Child child([&](int pipe) {
    GalleryStore gallery(path_, GalleryStore::Access::kWrite, {.wait_ms = 0});
    Child::send(pipe, "open");
    while (!std::filesystem::exists(folder_ / "go")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    gallery.remove_person("Philippa Longname");
    ::raise(SIGKILL);
  });
  child.wait_for("open");  // which waits for nobody, so nobody may be opening it at that moment
  // Open all the time, so that nobody is the last one to close it.
  const GalleryStore reader(path_, GalleryStore::Access::kRead);
  {
    const GallerySnapshot snapshot(reader);
    write_file(folder_ / "go", "");
    child.received();
  }
  EXPECT_THAT(read_file(path_), testing::HasSubstr("Philippa"));
  const GalleryStore next(path_, GalleryStore::Access::kWrite);
  EXPECT_THAT(read_file(path_), testing::Not(testing::HasSubstr("Philippa")));
  EXPECT_EQ(std::filesystem::file_size(path_.string() + "-wal"), 0U);
  EXPECT_EQ(reader.person_count(), 0);
}

TEST_F(GalleryCrash, ManyReadWhileOneWrites) {
  GalleryStore writer(path_, GalleryStore::Access::kCreate);
  const auto read_on = [&](int pipe) {
    const GalleryStore reader(path_, GalleryStore::Access::kRead);
    Index seen = 0;
    while (!reader.setting("finished")) {
      const GallerySnapshot snapshot(reader);
      const Index count = reader.person_count();
      const auto listed = static_cast<Index>(reader.people().size());
      const Index templates = reader.read_templates("small", {}, kNoLimit).size();
      if (count < seen || count % kBatch != 0 || listed != count || templates != count) {
        Child::send(pipe, fmt::format("{} {} {} {};", seen, count, listed, templates));
      }
      seen = count;
    }
    Child::send(pipe, "done");
  };
  std::vector<std::unique_ptr<Child>> readers;
  for (int i = 0; i < 3; ++i) readers.push_back(std::make_unique<Child>(read_on));
  for (int batch = 0; batch < 30; ++batch) {
    GalleryTransaction transaction(writer);
    for (int i = 0; i < kBatch; ++i) {
      const PersonId id = writer.add_person(fmt::format("{} {}", batch, i));
      writer.put_template("small", id, std::vector<float>(1000, 1.0F));
    }
    transaction.commit();
  }
  writer.set_setting("finished", "yes");
  for (const auto& reader : readers) EXPECT_EQ(reader->received(), "done");
}

}  // namespace
}  // namespace longshot
