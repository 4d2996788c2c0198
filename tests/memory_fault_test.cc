// SPDX-License-Identifier: Apache-2.0
// Whichever allocation fails in a whole command, by operator new or SQLite's: it says so, the
// gallery holds all of the change or nothing of it, and who has it open can go on. So many points
// are taken one by one, and as many at even distances behind them, the last one always;
// LONGSHOT_FAULT_POINTS says how many, or which ones, as in 100-200.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <vector>

#include <gmock/gmock.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/gallery/fault_vfs_test.h"
#include "longshot/gallery/scratch_test.h"
#include "longshot/image/degrade.h"
#include "longshot/pipeline/open_gallery.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUsualPoints = 8;

std::vector<std::int64_t> points_of(std::int64_t uses) {
  const char* asked = std::getenv("LONGSHOT_FAULT_POINTS");
  const std::int64_t some = asked != nullptr ? std::atoll(asked) : kUsualPoints;
  std::vector<std::int64_t> points;
  if (const char* to = asked != nullptr ? std::strchr(asked, '-') : nullptr) {
    for (std::int64_t point = some; point <= std::atoll(to + 1); ++point) points.push_back(point);
    return points;
  }
  for (std::int64_t point = 1; point <= std::min(some, uses); ++point) points.push_back(point);
  const std::int64_t step = 1 + (uses - some - 1) / std::max<std::int64_t>(some, 1);
  for (std::int64_t point = uses; point > some; point -= step) points.push_back(point);
  return points;
}

struct MemoryPlace {
  fs::path gallery;
  fs::path shards;
  v0::Key now;
  v0::Key next;

  v0::Gallery open() const { return v0::Gallery::open(gallery, v0::Access::write, now); }
};

v0::Picture photo_of_person(int person) {
  SyntheticPhotoOptions options;
  options.lighting = frontal_lighting();
  v0::Picture crop = crop_of(take_photo(make_person(3, person), options, 0).image);
  crop.person = fmt::format("person_{}", person);
  return crop;
}

// With a method that learns quickly.
std::string answer_of(v0::Gallery& gallery) {
  const Image face = take_photo(make_person(3, 1), {}, 0).image;
  v0::IdentifyOptions options;
  options.method = "subspace";
  const v0::Answers result = gallery.identify({crop_of(degrade(face, {12, 10}))}, options);
  const v0::Candidate& best = result.answers.at(0).candidates.at(0);
  return fmt::format("{} {}", best.person, best.residual);
}

void enroll_command(const MemoryPlace& place) {
  v0::EnrollOptions force;
  force.force = true;
  place.open().enroll({photo_of_person(3)}, force);
}

void identify_command(const MemoryPlace& place) {
  v0::Gallery gallery = place.open();
  answer_of(gallery);
}

void remove_command(const MemoryPlace& place) {
  place.open().remove("person_1");
}

void rename_command(const MemoryPlace& place) {
  place.open().rename("person_1", "Ada");
}

void encrypt_command(const MemoryPlace& place) {
  v0::encrypt_gallery(place.gallery, place.next);
}

void rekey_command(const MemoryPlace& place) {
  v0::rekey_gallery(place.gallery, place.now, place.next);
}

void rekey_full_command(const MemoryPlace& place) {
  v0::rekey_gallery(place.gallery, place.now, place.next, true);
}

void split_command(const MemoryPlace& place) {
  v0::split_gallery(place.gallery, place.shards, 2);
}

struct MemoryCommand {
  const char* name;
  void (*run)(const MemoryPlace& place);
};

std::vector<MemoryCommand> memory_commands(bool sealed) {
  std::vector<MemoryCommand> commands = {{"enroll", enroll_command},
                                         {"identify", identify_command},
                                         {"remove", remove_command},
                                         {"rename", rename_command}};
  if (sealed) {
    commands.push_back({"rekey", rekey_command});
    commands.push_back({"rekey_full", rekey_full_command});
  } else {
    commands.push_back({"encrypt", encrypt_command});
    commands.push_back({"split", split_command});
  }
  return commands;
}

// Runs it with that allocation failing, and says how it went.
std::string told_with_fault(std::int64_t point, const std::function<void()>& work) {
  std::string failure;
  faults::arm(faults::Kind::kAllocation, point);
  try {
    work();
  } catch (const Error& error) {
    failure = error.what();
  } catch (const std::bad_alloc&) {
    failure = "There is no memory.";
  }
  const std::int64_t uses = faults::disarm();
  return failure.empty() ? fmt::format("done {}", uses) : "failed: " + failure;
}

class MemoryFault : public ScratchTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    ScratchTest::SetUp();
    v0::set_threads(1);  // so that allocations come in the same order
    if (GetParam()) place_.now = key_of('k');
    place_.next = key_of('n');
    place_.gallery = path_;
    place_.shards = folder_ / "shards";
    Child([&](int) {
      v0::Gallery gallery = v0::Gallery::open_or_create(folder_ / "before", place_.now);
      enroll_crops(gallery, 3);
      answer_of(gallery);
    }).received();
    reset();
  }
  v0::Key key_of(char letter) const {
    write_file(folder_ / "key", std::string(32, letter));
    return v0::Key::from_file(folder_ / "key");
  }
  void reset() const {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
      fs::remove(path_.string() + ending);
    }
    fs::remove_all(place_.shards);
    fs::copy_file(folder_ / "before", path_);
  }
  static std::string content_of(const v0::Gallery& gallery) {
    gallery.check();
    std::string text = fmt::format("{}:", fmt::join(gallery.indexes(), ", "));
    for (const v0::Person& person : gallery.people()) {
      text += fmt::format(" {} {}", person.name, gallery.photos(person.name).size());
    }
    return text;
  }
  std::string state() const {
    const auto with = [&](const v0::Key& key) {
      return content_of(v0::Gallery::open(path_, v0::Access::write, key));
    };
    std::string text;
    const std::string refusal = message_of([&] { text = with(place_.now); });
    if (!refusal.empty()) text = "with the next key " + with(place_.next);
    if (fs::exists(place_.shards)) {
      text += fmt::format(" split {}", v0::check_shards(place_.shards).people);
    }
    return text;
  }
  std::string run(const MemoryCommand& command, std::int64_t point) const {
    reset();
    return Child([&](int pipe) {
             Child::send(pipe, told_with_fault(point, [&] { command.run(place_); }));
           })
        .received();
  }

  MemoryPlace place_;
};

std::int64_t uses_of(const std::string& told) {
  return told.starts_with("done ") ? std::stoll(told.substr(5)) : 0;
}

TEST_P(MemoryFault, LosesNothing) {
  const std::string before = state();
  for (const MemoryCommand& command : memory_commands(GetParam())) {
    const std::int64_t uses = uses_of(run(command, 0));
    ASSERT_GT(uses, 5) << command.name;
    const std::string after = state();
    const std::vector<std::int64_t> points = points_of(uses);
    for (const std::int64_t point : points) {
      const std::string told = run(command, point);
      const std::string where = fmt::format("{} {} of {}: {}", command.name, point, uses, told);
      std::string found;
      ASSERT_EQ(message_of([&] { found = state(); }), "") << where;
      if (told.starts_with("done")) {
        EXPECT_EQ(found, after) << where;
      } else {
        EXPECT_TRUE(found == before || found == after) << where << '\n' << found;
        EXPECT_TRUE(told.starts_with("failed: ") && told.ends_with(".")) << where;
      }
    }
    RecordProperty(fmt::format("{}_of_{}", command.name, uses), static_cast<int>(points.size()));
  }
}

// A server goes on with the gallery that it has open.
TEST_P(MemoryFault, AfterItTheSameAnswerIsGiven) {
  const auto answers = [&](std::int64_t point) {
    reset();
    return Child([&](int pipe) {
             v0::Gallery gallery = place_.open();
             const std::string told = told_with_fault(point, [&] { answer_of(gallery); });
             Child::send(pipe, point == 0 ? told : answer_of(gallery));
           })
        .received();
  };
  v0::Gallery gallery = place_.open();
  const std::string right = answer_of(gallery);
  EXPECT_THAT(right, testing::StartsWith("person_1 "));
  const std::int64_t uses = uses_of(answers(0));
  ASSERT_GT(uses, 5);
  for (const std::int64_t point : points_of(uses)) {
    EXPECT_EQ(answers(point), right) << point << " of " << uses;
  }
}

// Every allocation of it, as what was read of a photo once asked for memory when it went.
TEST_P(MemoryFault, APhotoIsReadOrNot) {
  const auto read = [&](std::int64_t point) {
    return Child([&](int pipe) {
             const v0::Gallery gallery = place_.open();
             gallery.photos("person_0");  // prepares what can be
             Child::send(pipe, told_with_fault(point, [&] { gallery.photos("person_1"); }));
           })
        .received();
  };
  const std::int64_t uses = uses_of(read(0));
  ASSERT_GT(uses, 5);
  for (std::int64_t point = 1; point <= uses; ++point) {
    EXPECT_NE(read(point), "") << point << " of " << uses;
  }
}

// They go back to the gallery, where there is room for one.
TEST_P(MemoryFault, TwoConnectionsGoWithoutMemory) {
  const std::string told =
      Child([&](int pipe) {
        OpenGallery gallery(path_, GalleryStore::Access::kWrite, secret_of(place_.now));
        {
          const auto one = gallery.connect();
          const auto other = gallery.connect();
          faults::arm(faults::Kind::kAllocation, 1);
        }
        faults::disarm();
        Child::send(pipe, gallery.connect()->people().at(0).name);
      }).received();
  EXPECT_EQ(told, "person_0");
}

INSTANTIATE_TEST_SUITE_P(All, MemoryFault, testing::Bool(),
                         [](const auto& one) { return one.param ? "Sealed" : "Plain"; });

}  // namespace
}  // namespace longshot
