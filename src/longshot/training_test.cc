// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/recognize/recognizer.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

std::filesystem::path model_file() {
  return std::filesystem::path(testing::TempDir()) / fmt::format("door_{}.model", getpid());
}

std::vector<v0::Picture> people(Index count) {
  std::vector<v0::Picture> pictures;
  for (Index i = 0; i < count; ++i) {
    for (std::uint64_t photo = 0; photo < 2; ++photo) {
      pictures.push_back(crop_of(take_photo(make_person(5, i), {}, photo).image));
      pictures.back().person = fmt::format("person_{}", i);
    }
  }
  return pictures;
}

TEST(Train, WritesTheFacesAndCountsThem) {
  std::vector<v0::Picture> pictures = people(kFewestPeople);
  pictures.push_back(v0::Picture::encoded("no image", "bad.png"));
  const v0::Trained trained = v0::train(pictures, model_file(), {{24, 20}, {}});
  EXPECT_EQ(trained.people, kFewestPeople);
  EXPECT_EQ(trained.photos, 2 * kFewestPeople);
  ASSERT_EQ(trained.rejections.size(), 1U);
  EXPECT_EQ(trained.rejections[0].name, "bad.png");
  const TrainingFaces faces = read_training(model_file());
  EXPECT_EQ(faces.size, (Size{24, 20}));
  EXPECT_EQ(faces.count(), trained.photos);
  std::filesystem::remove(model_file());
}

TEST(Train, WritesNothingWithTooFewPeopleOrWhenCancelled) {
  EXPECT_THROW(v0::train(people(1), model_file()), Error);
  try {
    v0::train(people(kFewestPeople), model_file(), {},
              [](std::string_view, std::ptrdiff_t, std::ptrdiff_t) { return false; });
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_FALSE(std::filesystem::exists(model_file()));
}

}  // namespace
}  // namespace longshot
