// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/gallery/gallery_store.h"
#include "longshot/image/degrade.h"
#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/verifier.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr Index kPeople = 5;

Image face(Index person, std::uint64_t photo) {
  SyntheticPhotoOptions options;
  if (photo == 0) options.lighting = frontal_lighting();
  return take_photo(make_person(3, person), options, photo).image;
}

v0::Picture photo(Index person, std::uint64_t number = 0) {
  v0::Picture crop = crop_of(face(person, number));
  crop.person = fmt::format("person_{}", person);
  crop.name = fmt::format("{}/{}.png", crop.person, number);
  return crop;
}

v0::Picture probe(Index person) {
  return crop_of(degrade(face(person, 0), {12, 10}));
}

ErrorKind kind_thrown(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::unsupported;
}

v0::EnrollOptions forced() {
  v0::EnrollOptions options;
  options.force = true;  // the gate has tests of its own
  return options;
}

// A method that learns quickly, as these tests are not about recognition.
v0::IdentifyOptions quick() {
  v0::IdentifyOptions options;
  options.method = "subspace";
  return options;
}

class GalleryFace : public testing::Test {
 protected:
  GalleryFace() : folder_(fs::path(testing::TempDir()) / fmt::format("gallery_face_{}", getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~GalleryFace() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "people.gallery"; }
  v0::Gallery with_people() const {
    v0::Gallery gallery = v0::Gallery::open_or_create(file());
    std::vector<v0::Picture> photos;
    for (Index i = 0; i < kPeople; ++i) photos.push_back(photo(i));
    gallery.enroll(photos, forced());
    return gallery;
  }

  fs::path folder_;
};

TEST_F(GalleryFace, EnrolsAndIdentifiesPixelsInMemory) {
  v0::Gallery gallery = with_people();
  EXPECT_EQ(gallery.person_count(), kPeople);
  const v0::Answers result = gallery.identify({probe(2), probe(4)}, quick());
  ASSERT_EQ(result.answers.size(), 2U);
  EXPECT_EQ(result.answers[0].candidates.at(0).person, "person_2");
  EXPECT_EQ(result.answers[1].candidates.at(0).person, "person_4");
  EXPECT_EQ(result.answers[0].size, (v0::Size{12, 10}));
  EXPECT_TRUE(result.cameras.empty());
}

TEST_F(GalleryFace, AnswersAgainAfterSomebodyCameAndSomebodyWent) {
  v0::Gallery gallery = with_people();
  gallery.identify({probe(1)}, quick());
  gallery.remove("person_1");
  EXPECT_NE(gallery.identify({probe(1)}, quick()).answers.at(0).candidates.at(0).person,
            "person_1");
  gallery.enroll({photo(1)}, forced());
  EXPECT_EQ(gallery.identify({probe(1)}, quick()).answers.at(0).candidates.at(0).person,
            "person_1");
}

TEST_F(GalleryFace, ManyThreadsAskWhileOneEnrolsAndRemoves) {
  v0::Gallery gallery = with_people();
  gallery.prepare({12, 10}, quick().method);
  std::atomic<bool> gone = false;  // person_1, for good
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 12; ++round) {
        const bool was_gone = gone;
        const v0::Answers result = gallery.identify({probe(1), probe(2)}, quick());
        for (const v0::Candidate& one : result.answers[0].candidates) {
          if (was_gone && one.person == "person_1") ++wrong;
        }
        if (result.answers[1].candidates[0].person != "person_2") ++wrong;
      }
    });
  }
  for (int round = 0; round < 3; ++round) {
    gallery.remove("person_1");
    gallery.enroll({photo(1)}, forced());
  }
  gallery.remove("person_1");
  gone = true;
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(gallery.person_count(), kPeople - 1);
}

TEST_F(GalleryFace, ABadProbeIsAnErrorInItsPlace) {
  v0::Gallery gallery = with_people();
  const v0::Answers result =
      gallery.identify({v0::Picture::encoded("no image", "bad.png"), probe(0)}, quick());
  EXPECT_NE(result.answers.at(0).error, "");
  EXPECT_EQ(result.answers.at(0).name, "bad.png");
  EXPECT_EQ(result.answers.at(1).error, "");
}

TEST_F(GalleryFace, VerifiesAClaim) {
  v0::Gallery gallery = with_people();
  v0::VerifyOptions options;
  options.method = "subspace";
  const v0::Verification own = gallery.verify({probe(3)}, "person_3", options);
  const v0::Verification other = gallery.verify({probe(3)}, "person_0", options);
  EXPECT_GT(own.score, other.score);
  EXPECT_EQ(kind_thrown([&] { gallery.verify({probe(3)}, "nobody", options); }),
            ErrorKind::not_found);
}

TEST_F(GalleryFace, ComparesAProbeWithWhatAPhotoPredicts) {
  v0::Gallery gallery = with_people();
  const v0::Comparison own = gallery.compare(probe(2), "person_2");
  const v0::Comparison other = gallery.compare(probe(2), "person_3");
  EXPECT_EQ(own.photo.size, (v0::Size{48, 40}));
  EXPECT_EQ(own.relit.size, (v0::Size{48, 40}));
  EXPECT_EQ(own.through.size, (v0::Size{12, 10}));
  EXPECT_EQ(own.difference.size, (v0::Size{12, 10}));
  EXPECT_NEAR(own.difference.at(4, 5), own.probe.at(4, 5) - own.through.at(4, 5), 1e-6);
  const auto energy = [](const v0::Plane& plane) {
    double sum = 0.0;
    for (const float value : plane.values) sum += value * value;
    return sum;
  };
  EXPECT_LT(energy(own.difference), energy(other.difference));
  v0::CompareOptions missing;
  missing.photo = 1000;
  EXPECT_EQ(kind_thrown([&] { gallery.compare(probe(2), "person_2", missing); }),
            ErrorKind::not_found);
}

TEST_F(GalleryFace, ListsShowsRenamesAndRemoves) {
  v0::Gallery gallery = with_people();
  ASSERT_EQ(gallery.people().size(), static_cast<std::size_t>(kPeople));
  EXPECT_EQ(gallery.people()[1].name, "person_1");
  const std::vector<v0::Photo> photos = gallery.photos("person_1");
  ASSERT_EQ(photos.size(), 1U);
  EXPECT_GT(photos[0].id, 0);
  EXPECT_EQ(photos[0].source, "person_1/0.png");
  gallery.rename("person_1", "Ada");
  EXPECT_EQ(gallery.person("Ada").photos, 1);
  gallery.remove("Ada");
  EXPECT_EQ(gallery.person_count(), kPeople - 1);
  EXPECT_FALSE(gallery.erasure_pending());
}

TEST_F(GalleryFace, ShowsTheFaceOfAPhotoAndNamesItsIndexes) {
  v0::Gallery gallery = with_people();
  EXPECT_TRUE(gallery.indexes().empty());
  gallery.identify({probe(0)}, quick());
  ASSERT_EQ(gallery.indexes().size(), 1U);
  EXPECT_THAT(gallery.indexes()[0], testing::HasSubstr("subspace"));
  const std::int64_t id = gallery.photos("person_2").at(0).id;
  const v0::Plane kept = gallery.face("person_2", id);
  EXPECT_EQ(kept.size, (v0::Size{48, 40}));
  EXPECT_EQ(kept.values, gallery.compare(probe(2), "person_2").photo.values);
  EXPECT_EQ(kind_thrown([&] { gallery.face("person_2", id + 1000); }), ErrorKind::not_found);
}

TEST_F(GalleryFace, MayRejectEveryPictureWithoutAnError) {
  v0::Gallery gallery = with_people();
  v0::EnrollOptions options;
  options.allow_none = true;
  const v0::Enrolled none = gallery.enroll({v0::Picture::encoded("no image", "x.png")}, options);
  EXPECT_EQ(none.photos, 0);
  ASSERT_EQ(none.rejections.size(), 1U);
  EXPECT_EQ(none.rejections[0].name, "x.png");
}

TEST_F(GalleryFace, RemovesOnePhotoOfAPerson) {
  v0::Gallery gallery = with_people();
  gallery.identify({probe(0)}, quick());
  gallery.enroll({photo(0, 1)}, forced());
  const std::vector<v0::Photo> photos = gallery.photos("person_0");
  ASSERT_EQ(photos.size(), 2U);
  const auto residual = [&] {
    return gallery.identify({probe(0)}, quick()).answers.at(0).candidates.at(0).residual;
  };
  const double with_both = residual();
  EXPECT_EQ(kind_thrown([&] { gallery.remove_photo("person_1", photos[1].id); }),
            ErrorKind::not_found);
  gallery.remove_photo("person_0", photos[1].id);
  EXPECT_EQ(gallery.photos("person_0").size(), 1U);
  EXPECT_NE(residual(), with_both);
  EXPECT_EQ(kind_thrown([&] { gallery.remove_photo("person_0", photos[0].id); }),
            ErrorKind::bad_input);
}

TEST_F(GalleryFace, ErrorsHaveKinds) {
  EXPECT_EQ(kind_thrown([&] { v0::Gallery::open(file()); }), ErrorKind::not_found);
  {
    v0::Gallery gallery = with_people();
    EXPECT_EQ(kind_thrown([&] { gallery.remove("nobody"); }), ErrorKind::not_found);
    EXPECT_EQ(kind_thrown([&] { gallery.photos("nobody"); }), ErrorKind::not_found);
    EXPECT_EQ(kind_thrown([&] { gallery.rename("nobody", "x"); }), ErrorKind::not_found);
    EXPECT_EQ(kind_thrown([&] { gallery.rename("person_0", "person_1"); }),
              ErrorKind::already_there);
    EXPECT_EQ(kind_thrown([&] { gallery.enroll({v0::Picture::encoded("no image")}); }),
              ErrorKind::bad_input);
    v0::IdentifyOptions options = quick();
    options.top = 0;
    EXPECT_EQ(kind_thrown([&] { gallery.identify({probe(0)}, options); }), ErrorKind::bad_input);
    EXPECT_EQ(kind_thrown([&] { v0::Camera::read(file()); }), ErrorKind::damaged);
    EXPECT_EQ(kind_thrown([&] { v0::Camera::read(folder_ / "none"); }), ErrorKind::not_found);
    EXPECT_EQ(kind_thrown([&] { v0::Camera::parse("{}"); }), ErrorKind::damaged);
    v0::Gallery reader = v0::Gallery::open(file(), v0::Access::read);
    EXPECT_EQ(kind_thrown([&] { reader.rename("person_0", "x"); }), ErrorKind::read_only);
  }
  std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(16384);
  stream << std::string(4 * 16384, '\x55');
  stream.close();
  EXPECT_EQ(kind_thrown([&] { v0::Gallery::open(file()).people(); }), ErrorKind::damaged);
}

TEST_F(GalleryFace, ABusyGallerySaysSo) {
  with_people();
  GalleryOptions impatient;
  impatient.wait_ms = 0;
  GalleryStore first(file(), GalleryStore::Access::kWrite, impatient);
  const GalleryTransaction writing(first);
  GalleryStore second(file(), GalleryStore::Access::kWrite, impatient);
  EXPECT_EQ(kind_thrown([&] { second.rename_person("person_0", "x"); }), ErrorKind::busy);
}

TEST_F(GalleryFace, CancellingLosesNothingThatWasCommitted) {
  v0::Gallery gallery = with_people();
  int calls = 0;
  const auto stop = [&](std::string_view, std::ptrdiff_t, std::ptrdiff_t) { return ++calls < 3; };
  std::vector<v0::Picture> more;
  for (Index i = 0; i < 4; ++i) more.push_back(photo(i, 1));
  EXPECT_EQ(kind_thrown([&] { gallery.enroll(more, forced(), stop); }), ErrorKind::cancelled);
  EXPECT_EQ(gallery.person_count(), kPeople);
  EXPECT_EQ(gallery.photo_count(), kPeople);
  EXPECT_EQ(gallery.enroll(more, forced()).photos, 4);
}

TEST_F(GalleryFace, IsAskedBetweenTheStepsOfItsProgressToo) {
  v0::Gallery gallery = with_people();
  std::string last;
  int again = 0;  // told the same once more: between two steps
  const auto watch = [&](std::string_view task, std::ptrdiff_t done, std::ptrdiff_t total) {
    const std::string told = fmt::format("{} {}/{}", task, done, total);
    if (told == last) ++again;
    last = told;
    return again == 0;
  };
  // The default method learns for longer than the time between two looks.
  EXPECT_EQ(kind_thrown([&] {
              gallery.prepare({12, 10}, "longshot", watch);
            }),
            ErrorKind::cancelled);
  EXPECT_EQ(again, 1);
  EXPECT_EQ(gallery.identify({probe(2)}).answers.at(0).candidates.at(0).person, "person_2");
}

TEST_F(GalleryFace, ProgressEndsAtItsTotal) {
  v0::Gallery gallery = v0::Gallery::open_or_create(file());
  std::ptrdiff_t last = 0;
  std::ptrdiff_t of = 0;
  gallery.enroll({photo(0), photo(1)}, forced(),
                 [&](std::string_view, std::ptrdiff_t done, std::ptrdiff_t total) {
                   last = done;
                   of = total;
                   return true;
                 });
  EXPECT_EQ(last, 2);
  EXPECT_EQ(of, 2);
}

TEST_F(GalleryFace, AFileThatWasMadeForNothingGoesAgain) {
  {
    v0::Gallery gallery = v0::Gallery::open_or_create(file());
    EXPECT_THROW(gallery.enroll({v0::Picture::encoded("no image")}), Error);
    EXPECT_TRUE(fs::exists(file()));
  }
  EXPECT_FALSE(fs::exists(file()));
  with_people();
  EXPECT_THROW(v0::Gallery::open_or_create(file()).enroll({v0::Picture::encoded("")}), Error);
  EXPECT_EQ(v0::Gallery::open(file()).person_count(), kPeople);
}

TEST_F(GalleryFace, MayBeMoved) {
  v0::Gallery first = with_people();
  v0::Gallery second = std::move(first);
  EXPECT_EQ(second.person_count(), kPeople);
  // NOLINTNEXTLINE(bugprone-use-after-move): this is what it says then.
  EXPECT_EQ(kind_thrown([&] { first.people(); }), ErrorKind::bad_input);
  first = std::move(second);
  EXPECT_EQ(first.person_count(), kPeople);
}

TEST(GalleryDefaults, AreThoseOfThePipeline) {
  const v0::IdentifyOptions identify;
  const IdentifyOptions inner;
  EXPECT_EQ(identify.method, inner.method);
  EXPECT_EQ(identify.top, inner.top);
  EXPECT_EQ(identify.fpir, inner.fpir);
  EXPECT_EQ(identify.fuse_folders, inner.fuse_folders);
  EXPECT_EQ(identify.learn_camera, inner.learn_camera);
  const v0::VerifyOptions verify;
  EXPECT_EQ(verify.method, VerifyOptions().method);
  EXPECT_EQ(verify.fmr, VerifyOptions().fmr);
}

}  // namespace
}  // namespace longshot
