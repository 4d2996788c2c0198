// SPDX-License-Identifier: Apache-2.0
// Whatever fails, and wherever, the gallery opens afterwards and holds what was committed: all of a
// change, or nothing of it. Points are taken at even distances; with LONGSHOT_ALL_FAULTS set, all.
#include <cstdlib>
#include <new>

#include <gmock/gmock.h>

#include "longshot/gallery/fault_vfs_test.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using faults::Kind;

constexpr std::int64_t kMostPoints = 16;  // for each command and kind of fault

struct Command {
  const char* name;
  void (*run)(GalleryStore& gallery);
};

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

const Command kCommands[] = {
    {"enroll", enrol_somebody},
    {"identify", identify_somebody},
    {"remove", [](GalleryStore& gallery) { gallery.remove_person("Ben"); }},
    {"rename", [](GalleryStore& gallery) { gallery.rename_person("Ben", "Benjamin"); }},
};

struct FaultCase {
  Kind kind;
  bool sealed;
};

class GalleryFault : public ScratchTest, public testing::WithParamInterface<FaultCase> {
 protected:
  void SetUp() override {
    ScratchTest::SetUp();
    if (GetParam().sealed) options_.key = GalleryKey::from_file(key_file());
    options_.wait_ms = 0;
    GalleryStore gallery(folder_ / "before", GalleryStore::Access::kCreate, options_);
    GalleryTransaction transaction(gallery);
    for (const char* name : {"Anna", "Ben", "Carla"}) {
      const PersonId id = gallery.add_person(name);
      gallery.add_photo(id, noise_photo(static_cast<std::uint64_t>(id)));
      gallery.put_template("small", id, std::vector<float>(9000, static_cast<float>(id)));
    }
    transaction.commit();
  }
  fs::path key_file() const {
    write_file(folder_ / "key", std::string(32, 'k'));
    return folder_ / "key";
  }
  void reset() const {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
      fs::remove(path_.string() + ending);
    }
    fs::copy_file(folder_ / "before", path_);
  }
  std::string state() const {
    const GalleryStore gallery(path_, GalleryStore::Access::kWrite, options_);
    gallery.check_integrity();
    std::string text;
    for (const Person& person : gallery.people()) {
      text += fmt::format("{}: {} {} {}; ", person.name, gallery.photos(person.id).size(),
                          gallery.photos(person.id).at(0).content_hash,
                          gallery.find_template("small", person.id).value().at(8999));
    }
    return text;
  }
  // "done N" after N uses, or "failed: ..."; something else if the process ended.
  std::string run(const Command& command, std::int64_t point) const {
    reset();
    Child child([&](int pipe) {
      std::string told;
      try {
        faults::arm(GetParam().kind, point);
        GalleryStore gallery(path_, GalleryStore::Access::kWrite, options_);
        command.run(gallery);
        told = "done";
      } catch (const Error& error) {
        told = std::string("failed: ") + error.what();
      } catch (const std::bad_alloc&) {
        told = "failed: no memory.";
      }
      const std::int64_t uses = faults::disarm();
      if (told == "done") told += fmt::format(" {}", uses);
      Child::send(pipe, told);
    });
    return child.received();
  }
  bool kills() const {
    return GetParam().kind != Kind::kFail && GetParam().kind != Kind::kFailOn &&
           GetParam().kind != Kind::kAllocation;
  }

  GalleryOptions options_;
};

TEST_P(GalleryFault, LosesNothing) {
  reset();
  const std::string before = state();
  std::int64_t tried = 0;
  for (const Command& command : kCommands) {
    const std::string whole = run(command, 0);
    ASSERT_THAT(whole, testing::StartsWith("done ")) << command.name;
    const std::string after = state();
    const std::int64_t uses = std::stoll(whole.substr(5));
    ASSERT_GT(uses, 5) << command.name;
    const std::int64_t step =
        std::getenv("LONGSHOT_ALL_FAULTS") != nullptr ? 1 : 1 + uses / kMostPoints;
    for (std::int64_t point = 1; point <= uses; point += step, ++tried) {
      const std::string told = run(command, point);
      const std::string where = fmt::format("{} {} of {}: {}", command.name, point, uses, told);
      std::string found;
      ASSERT_EQ(message_of([&] { found = state(); }), "") << where;
      if (told.starts_with("done")) {
        EXPECT_EQ(found, after) << where;
      } else if (told.starts_with("failed: ")) {
        EXPECT_TRUE(found == before || found == after) << where << '\n' << found;
        EXPECT_TRUE(told.ends_with(".") && told.find('\n') == std::string::npos) << where;
      } else {
        EXPECT_TRUE(kills() && told.empty()) << where;
        EXPECT_TRUE(found == before || found == after) << where << '\n' << found;
      }
    }
  }
  RecordProperty("points", static_cast<int>(tried));
}

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
