// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/image/degrade.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

class KeyTest : public testing::Test {
 protected:
  KeyTest()
      : folder_(std::filesystem::path(testing::TempDir()) / fmt::format("keys_{}", getpid())),
        path_(folder_ / "people.gallery") {
    std::filesystem::create_directories(folder_);
  }
  ~KeyTest() override { std::filesystem::remove_all(folder_); }

  v0::Key key(char letter) const {
    std::ofstream(folder_ / "key") << std::string(32, letter);
    return v0::Key::from_file(folder_ / "key");
  }
  static Image face_of_person(Index person) {
    SyntheticPhotoOptions options;
    options.lighting = frontal_lighting();
    return take_photo(make_person(3, person), options, 0).image;
  }
  void enrol(const v0::Key& key) const {
    v0::Gallery gallery = v0::Gallery::open_or_create(path_, key);
    std::vector<v0::Picture> photos;
    for (const Index person : {0, 1, 2}) {
      photos.push_back(crop_of(face_of_person(person)));
      photos.back().person = fmt::format("person_{}", person);
    }
    v0::EnrollOptions options;
    options.force = true;
    gallery.enroll(photos, options);
  }
  std::string first_candidate(const v0::Key& key) const {
    v0::Gallery gallery = v0::Gallery::open(path_, v0::Access::write, key);
    v0::IdentifyOptions options;
    options.method = "subspace";
    const v0::Answers found =
        gallery.identify({crop_of(degrade(face_of_person(1), {12, 10}))}, options);
    return found.answers.at(0).candidates.at(0).person;
  }
  static std::string refusal(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

TEST_F(KeyTest, AnEncryptedGalleryAnswersAsAnyOther) {
  EXPECT_FALSE(v0::Key());
  EXPECT_TRUE(key('a'));
  enrol(key('a'));
  EXPECT_EQ(first_candidate(key('a')), "person_1");
  EXPECT_NE(refusal([&] { first_candidate(key('b')); }), "");
  EXPECT_NE(refusal([&] { first_candidate({}); }), "");
}

TEST_F(KeyTest, KeysComeAndGo) {
  enrol({});
  v0::encrypt_gallery(path_, key('a'));
  EXPECT_NE(refusal([&] { v0::Gallery::open(path_); }), "");
  v0::rekey_gallery(path_, key('a'), v0::Key::from_passphrase("a passphrase"));
  EXPECT_NE(refusal([&] { v0::Gallery::open(path_, v0::Access::read, key('a')); }), "");
  v0::rekey_gallery(path_, v0::Key::from_passphrase("a passphrase"), key('b'), true);
  EXPECT_EQ(first_candidate(key('b')), "person_1");
  EXPECT_NE(refusal([&] { v0::decrypt_gallery(path_, key('a')); }), "");
  v0::decrypt_gallery(path_, key('b'));
  EXPECT_EQ(first_candidate({}), "person_1");
  EXPECT_EQ(refusal([&] { v0::encrypt_gallery(path_, {}); }), "A key is needed.");
}

}  // namespace
}  // namespace longshot
