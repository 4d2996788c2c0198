// SPDX-License-Identifier: Apache-2.0
// longshot people, over a gallery that is made here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/gallery/gallery_store.h"

#include "run_program.h"

namespace longshot {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class PeopleCommand : public testing::Test {
 protected:
  PeopleCommand() {
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    Photo photo;
    photo.rows = 2;
    photo.cols = 3;
    photo.pixels = {1, 2, 3, 4, 5, 6};
    photo.eyes = {1.5, 2.0, 3.0, 4.0};
    photo.source = "photos/ada\xFF.jpg";  // not UTF-8
    photo.quality = {{"sharpness", 0.25}};
    gallery.add_photo(gallery.add_person("Ada Lovelace"), photo);
    gallery.add_person("list");
  }
  ProgramResult people(const std::string& arguments) const {
    return run_longshot("people " + arguments + " --gallery " + path_.string());
  }

  ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "people.gallery";
};

TEST_F(PeopleCommand, ListsEveryone) {
  const ProgramResult text = people("list");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("     1  Ada Lovelace\n"));
  EXPECT_EQ(text.err, "");
  const json document = json::parse(people("list --json").out);
  ASSERT_EQ(document["people"].size(), 2U);
  EXPECT_EQ(document["people"][0]["name"], "Ada Lovelace");
  EXPECT_EQ(document["people"][0]["photos"], 1);
  EXPECT_THAT(document["people"][0]["enrolled_at"], testing::EndsWith("Z"));
  EXPECT_EQ(document["people"][0].size(), 3U);
}

TEST_F(PeopleCommand, ShowsOnePerson) {
  const std::string file = (folder_ / "ada.json").string();
  EXPECT_THAT(people("show 'Ada Lovelace' --json " + file).out, HasSubstr("sharpness 0.25"));
  const json document = json::parse(read_file(file));
  EXPECT_EQ(document["name"], "Ada Lovelace");
  ASSERT_EQ(document["photos"].size(), 1U);
  EXPECT_EQ(document["photos"][0]["size"], "2x3");
  EXPECT_EQ(document["photos"][0]["eyes"], json({1.5, 2.0, 3.0, 4.0}));
  EXPECT_EQ(document["photos"][0]["quality"]["sharpness"], 0.25);
  EXPECT_THAT(people("show list").out, HasSubstr("list, enrolled"));
}

TEST_F(PeopleCommand, RenamesAndRemoves) {
  EXPECT_EQ(people("rename list remove").exit_code, 0);
  EXPECT_EQ(json::parse(people("remove 'Ada Lovelace' --json").out)["removed"], "Ada Lovelace");
  const json left = json::parse(people("list --json").out)["people"];
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0]["name"], "remove");
  EXPECT_THAT(read_file(path_), testing::Not(HasSubstr("Lovelace")));
}

TEST_F(PeopleCommand, ShowsAPhotoByItsId) {
  const json document = json::parse(people("show 'Ada Lovelace' --json").out);
  EXPECT_EQ(document["photos"][0]["id"], 1);
}

TEST_F(PeopleCommand, FailuresAreOneSentence) {
  const auto refusal = [](const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_THAT(refusal(people("show Nobody")), HasSubstr("no person named \"Nobody\""));
  EXPECT_THAT(refusal(people("remove Nobody")), HasSubstr("no person named \"Nobody\""));
  EXPECT_THAT(refusal(people("rename list 'Ada Lovelace'")), HasSubstr("already a person"));
  EXPECT_THAT(refusal(people("rename list")), HasSubstr("new_name"));
  EXPECT_THAT(refusal(people("merge list Nobody")), HasSubstr("no person named \"Nobody\""));
  EXPECT_THAT(refusal(people("")), HasSubstr("Try: longshot people --help"));
  EXPECT_THAT(refusal(run_longshot("people list")), HasSubstr("--gallery"));
  EXPECT_THAT(refusal(run_longshot("people list --gallery none")), HasSubstr("no such file"));
  write_file(path_, "hello");
  EXPECT_THAT(refusal(people("list")), HasSubstr("is not a gallery"));
}

}  // namespace
}  // namespace longshot
