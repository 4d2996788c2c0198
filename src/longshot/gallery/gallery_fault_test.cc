// SPDX-License-Identifier: Apache-2.0
// Whatever fails, and wherever, the gallery opens afterwards and holds what was committed: all of a
// change, or nothing of it. Points are taken at even distances, the last one always; with
// LONGSHOT_ALL_FAULTS set, all.
#include <cstdlib>
#include <functional>
#include <new>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include "longshot/gallery/fault_vfs_test.h"
#include "longshot/gallery/gallery_sealing.h"
#include "longshot/gallery/scratch_test.h"
#include "longshot/gallery/shard_folder.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using faults::Kind;

constexpr std::int64_t kMostPoints = 16;  // for each command and kind of fault
constexpr rlim_t kMostDescriptors = 64;   // no command has so many files open

// A gallery, the key that it has, or none, and another one.
struct Place {
  fs::path gallery;
  fs::path shards;
  GalleryOptions now;
  GalleryOptions next;
};

struct Command {
  const char* name;
  void (*run)(const Place& place);
};

template <void (*work)(GalleryStore&)>
void in_gallery(const Place& place) {
  GalleryStore gallery(place.gallery, GalleryStore::Access::kWrite, place.now);
  work(gallery);
}

void enrol_somebody(GalleryStore& gallery) {
  GalleryTransaction transaction(gallery);
  const PersonId id = gallery.add_person("Dora");
  gallery.add_photo(id, noise_photo(99));
  gallery.put_template("small", id, std::vector<float>(9000, 4.0F));
  transaction.commit();
}

void identify_somebody(GalleryStore& gallery) {
  const GallerySnapshot snapshot(gallery);
  const TemplateBlock block = gallery.read_templates("small", {}, kNoLimit);
  if (block.size() != 3) throw Error("{} templates.", block.size());
}

void remove_somebody(GalleryStore& gallery) {
  gallery.remove_person("Ben");
}

void rename_somebody(GalleryStore& gallery) {
  gallery.rename_person("Ben", "Benjamin");
}

void rewrite_with_next(const Place& place) {
  rewrite_gallery(place.gallery, place.now.key, place.next.key);
}

void change_to_next(const Place& place) {
  change_gallery_key(place.gallery, place.now.key, place.next.key);
}

void split_in_two(const Place& place) {
  split_gallery(GalleryStore(place.gallery, GalleryStore::Access::kRead, place.now), place.shards,
                2);
}

std::vector<Command> fault_commands(bool sealed) {
  std::vector<Command> commands = {{"enroll", in_gallery<enrol_somebody>},
                                   {"identify", in_gallery<identify_somebody>},
                                   {"remove", in_gallery<remove_somebody>},
                                   {"rename", in_gallery<rename_somebody>},
                                   {"rewrite", rewrite_with_next}};
  if (sealed) commands.push_back({"rekey", change_to_next});
  if (!sealed) commands.push_back({"split", split_in_two});
  return commands;
}

class FaultTest : public ScratchTest {
 protected:
  void make(bool sealed) {
    if (sealed) place_.now.key = key_of('k');
    place_.next.key = key_of('n');
    place_.now.wait_ms = place_.next.wait_ms = 0;
    place_.gallery = path_;
    place_.shards = folder_ / "shards";
    GalleryStore gallery(folder_ / "before", GalleryStore::Access::kCreate, place_.now);
    GalleryTransaction transaction(gallery);
    for (const char* name : {"Anna", "Ben", "Carla"}) {
      const PersonId id = gallery.add_person(name);
      gallery.add_photo(id, noise_photo(static_cast<std::uint64_t>(id)));
      gallery.put_template("small", id, std::vector<float>(9000, static_cast<float>(id)));
    }
    transaction.commit();
  }
  GalleryKey::Shared key_of(char letter) const {
    write_file(folder_ / "key", std::string(32, letter));
    return GalleryKey::from_file(folder_ / "key");
  }
  void reset() const {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
      fs::remove(path_.string() + ending);
    }
    fs::remove_all(place_.shards);
    fs::copy_file(folder_ / "before", path_);
  }
  static std::string content_of(const GalleryStore& gallery) {
    gallery.check_integrity();
    std::string text;
    for (const Person& person : gallery.people()) {
      text += fmt::format("{}: {} {} {}; ", person.name, gallery.photos(person.id).size(),
                          gallery.photos(person.id).at(0).content_hash,
                          gallery.find_template("small", person.id).value().at(8999));
    }
    return text;
  }
  std::string state() const {
    const auto with = [&](const GalleryOptions& options) {
      return content_of(GalleryStore(path_, GalleryStore::Access::kWrite, options));
    };
    std::string text;
    const std::string refusal = message_of([&] { text = with(place_.now); });
    if (!refusal.empty()) {
      const std::string also = message_of([&] { text = "with the next key " + with(place_.next); });
      if (!also.empty()) throw Error("{} {}", refusal, also);
    }
    if (fs::exists(place_.shards)) {
      const ShardFolder shards(place_.shards, ShardFolder::Use::kAsk);
      text += fmt::format("split: {}", check_shard_order(shards).counts.photos);
    }
    return text;
  }
  // "done N" after what `end` gave, or "failed: ..."; something else if the process ended.
  std::string run(const Command& command, const std::function<void()>& begin,
                  const std::function<std::int64_t()>& end) const {
    reset();
    Child child([&](int pipe) {
      std::string told;
      try {
        begin();
        command.run(place_);
        told = "done";
      } catch (const Error& error) {
        told = std::string("failed: ") + error.what();
      } catch (const std::bad_alloc&) {
        told = "failed: no memory.";
      }
      const std::int64_t uses = end();
      if (told == "done") told += fmt::format(" {}", uses);
      Child::send(pipe, told);
    });
    return child.received();
  }
  // What is there after a fault is the state before or after the command, as it was told.
  void expect_whole(const std::string& told, const std::string& before, const std::string& after,
                    const std::string& where) const {
    std::string found;
    ASSERT_EQ(message_of([&] { found = state(); }), "") << where;
    if (told.starts_with("done")) {
      EXPECT_EQ(found, after) << where;
    } else {
      EXPECT_TRUE(found == before || found == after) << where << '\n' << found;
    }
    if (told.starts_with("failed: ")) {
      EXPECT_TRUE(told.ends_with(".") && told.find('\n') == std::string::npos) << where;
    }
  }

  Place place_;
};

struct FaultCase {
  Kind kind;
  bool sealed;
};

class GalleryFault : public FaultTest, public testing::WithParamInterface<FaultCase> {
 protected:
  std::string run_with_fault(const Command& command, std::int64_t point) const {
    return run(
        command, [&] { faults::arm(GetParam().kind, point); }, faults::disarm);
  }
  bool kills() const {
    return GetParam().kind != Kind::kFail && GetParam().kind != Kind::kFailOn &&
           GetParam().kind != Kind::kAllocation;
  }
};

TEST_P(GalleryFault, LosesNothing) {
  make(GetParam().sealed);
  reset();
  const std::string before = state();
  for (const Command& command : fault_commands(GetParam().sealed)) {
    const std::string whole = run_with_fault(command, 0);
    ASSERT_THAT(whole, testing::StartsWith("done ")) << command.name;
    const std::string after = state();
    const std::int64_t uses = std::stoll(whole.substr(5));
    ASSERT_GT(uses, 5) << command.name;
    const std::int64_t step =
        std::getenv("LONGSHOT_ALL_FAULTS") != nullptr ? 1 : 1 + uses / kMostPoints;
    int tried = 0;
    for (std::int64_t point = 1 + (uses - 1) % step; point <= uses; point += step, ++tried) {
      const std::string told = run_with_fault(command, point);
      const std::string where = fmt::format("{} {} of {}: {}", command.name, point, uses, told);
      const bool answered = told.starts_with("done") || told.starts_with("failed: ");
      EXPECT_TRUE(answered || (kills() && told.empty())) << where;
      expect_whole(told, before, after, where);
    }
    RecordProperty(command.name, tried);
  }
}

class GalleryDescriptors : public FaultTest, public testing::WithParamInterface<bool> {};

// None more may be opened than are open, then one more, and so on until the command succeeds.
TEST_P(GalleryDescriptors, RunningOutOfThemLosesNothing) {
  make(GetParam());
  reset();
  const std::string before = state();
  for (const Command& command : fault_commands(GetParam())) {
    std::string told = run(
        command, [] {}, [] { return 0; });
    ASSERT_THAT(told, testing::StartsWith("done")) << command.name;
    const std::string after = state();
    told.clear();
    rlim_t allowed = 0;
    for (; allowed < kMostDescriptors && !told.starts_with("done"); ++allowed) {
      told = run(
          command,
          [&] {
            const int next = ::dup(0);  // the lowest that is free
            ::close(next);
            rlimit limit{};
            ::getrlimit(RLIMIT_NOFILE, &limit);
            limit.rlim_cur = static_cast<rlim_t>(next) + allowed;
            ::setrlimit(RLIMIT_NOFILE, &limit);
          },
          [] { return 0; });
      const std::string where = fmt::format("{} with {} files: {}", command.name, allowed, told);
      EXPECT_FALSE(told.empty()) << where;
      expect_whole(told, before, after, where);
    }
    EXPECT_GT(allowed, 1) << command.name;
    EXPECT_LT(allowed, kMostDescriptors) << command.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GalleryDescriptors, testing::Bool(),
                         [](const auto& one) { return one.param ? "Sealed" : "Plain"; });

std::vector<FaultCase> fault_cases() {
  std::vector<FaultCase> cases;
  for (const Kind kind : {Kind::kFail, Kind::kFailOn, Kind::kKill, Kind::kPowerLoss,
                          Kind::kHalfLost, Kind::kAllocation}) {
    for (const bool sealed : {false, true}) cases.push_back({kind, sealed});
  }
  return cases;
}

std::string name_of_case(const testing::TestParamInfo<FaultCase>& one) {
  constexpr const char* kNames[] = {"OneFails",  "AllFail",  "Killed",
                                    "PowerLoss", "HalfLost", "NoMemory"};
  return fmt::format("{}{}", kNames[static_cast<int>(one.param.kind)],
                     one.param.sealed ? "Sealed" : "");
}

INSTANTIATE_TEST_SUITE_P(All, GalleryFault, testing::ValuesIn(fault_cases()), name_of_case);

}  // namespace
}  // namespace longshot
