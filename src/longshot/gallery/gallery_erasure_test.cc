// SPDX-License-Identifier: Apache-2.0
// Whoever is removed is gone: the bytes of the files are searched for everything about them.
#include <cstring>
#include <set>

#include <gmock/gmock.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMark = 8;

std::string mark_of(std::uint64_t stream) {
  Random random(7, stream);
  std::string mark;
  for (std::size_t i = 0; i < kMark; ++i) mark += static_cast<char>('A' + random.below(26));
  return mark;
}

// The mark again and again: any 15 bytes in a row hold it.
std::string repeated(const std::string& mark, std::size_t size) {
  std::string text;
  while (text.size() < size) text += mark;
  return text.substr(0, size);
}

// All that is stored about a person carries marks that nobody else has.
struct Marked {
  std::string name;
  std::string source;
  std::string hash;
  std::string pixels;
  std::string values;

  explicit Marked(std::uint64_t number)
      : name(mark_of(5 * number)),
        source(mark_of(5 * number + 1)),
        hash(mark_of(5 * number + 2)),
        pixels(mark_of(5 * number + 3)),
        values(mark_of(5 * number + 4)) {}

  std::vector<std::string> marks() const { return {name, source, hash, pixels, values}; }

  // Sizes differ, so that entries move between pages in many ways.
  void enrol(GalleryStore& gallery, Random& random) const {
    const PersonId id = gallery.add_person(name);
    Photo photo;
    photo.rows = 48;
    photo.cols = 20 + random.below(20);
    const std::string face = repeated(pixels, static_cast<std::size_t>(photo.rows * photo.cols));
    photo.pixels.assign(face.begin(), face.end());
    photo.source = "photos/" + source + ".jpg";
    photo.content_hash = repeated(hash, 32);
    for (Index i = random.below(2); i >= 0; --i) gallery.add_photo(id, photo);
    for (const auto& [index, size] : {std::pair{"7x6", 400}, {"12x10", 1200}, {"24x20", 9000}}) {
      std::vector<float> numbers(static_cast<std::size_t>(size + random.below(200)));
      const std::string bytes = repeated(values, numbers.size() * sizeof(float));
      std::memcpy(numbers.data(), bytes.data(), bytes.size());
      gallery.put_template(index, id, numbers);
    }
  }
};

class GalleryErasure : public ScratchTest {
 protected:
  // Which of the marks are in the file, its log or its shared memory.
  std::set<std::string> left_of(const std::set<std::string>& marks) const {
    std::set<std::string> left;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      const std::string bytes = read_file(entry.path());
      for (std::size_t at = 0; at + kMark <= bytes.size(); ++at) {
        // Marks are capital letters, which most bytes of the file are not.
        if (bytes[at] < 'A' || bytes[at] > 'Z') continue;
        const std::string piece = bytes.substr(at, kMark);
        if (marks.contains(piece)) left.insert(piece);
      }
    }
    return left;
  }
  static std::set<std::string> marks_of(const std::vector<Marked>& people) {
    std::set<std::string> marks;
    for (const Marked& person : people) {
      for (const std::string& mark : person.marks()) marks.insert(mark);
    }
    return marks;
  }
};

TEST_F(GalleryErasure, OfManyRemovedPeopleNothingIsLeft) {
  Random random(1);
  GalleryStore gallery(path_, GalleryStore::Access::kCreate);
  constexpr std::uint64_t kPeople = 400;
  {
    GalleryTransaction batch(gallery);
    for (std::uint64_t i = 0; i < kPeople; ++i) Marked(i).enrol(gallery, random);
    batch.commit();
  }
  std::vector<Marked> removed;
  std::vector<Marked> kept;
  const std::vector<Index> order = random.permutation(kPeople);
  GalleryTransaction batch(gallery);
  for (std::size_t i = 0; i < kPeople; ++i) {
    (i % 2 == 0 ? removed : kept).emplace_back(static_cast<std::uint64_t>(order[i]));
    if (i % 2 == 0) {
      EXPECT_TRUE(gallery.remove_person(removed.back().name));
    }
  }
  batch.commit();
  EXPECT_FALSE(gallery.erasure_pending());
  EXPECT_THAT(left_of(marks_of(removed)), testing::IsEmpty());
  EXPECT_EQ(left_of(marks_of(kept)), marks_of(kept));
  EXPECT_EQ(gallery.person_count(), kPeople / 2);
  gallery.check_integrity();
}

TEST_F(GalleryErasure, OfOneRemovedPersonNothingIsLeft) {
  Random random(2);
  GalleryStore gallery(path_, GalleryStore::Access::kCreate);
  for (std::uint64_t i = 0; i < 5; ++i) Marked(i).enrol(gallery, random);
  const Marked one(3);
  EXPECT_EQ(left_of(marks_of({one})), marks_of({one}));
  EXPECT_TRUE(gallery.remove_person(one.name));
  EXPECT_THAT(left_of(marks_of({one})), testing::IsEmpty());
}

TEST_F(GalleryErasure, AnOldNameAPhotoAndAnIndexAreErasedToo) {
  Random random(3);
  GalleryStore gallery(path_, GalleryStore::Access::kCreate);
  const Marked one(1);
  one.enrol(gallery, random);
  gallery.rename_person(one.name, "somebody");
  EXPECT_THAT(left_of({one.name}), testing::IsEmpty());
  for (const Photo& photo : gallery.photos(1)) gallery.remove_photo(photo.id);
  EXPECT_THAT(left_of({one.source, one.hash, one.pixels}), testing::IsEmpty());
  for (const std::string& index : gallery.index_keys()) gallery.erase_index(index);
  EXPECT_THAT(left_of({one.values}), testing::IsEmpty());
}

TEST_F(GalleryErasure, WaitsForWhoeverStillReadsTheOldState) {
  Random random(4);
  GalleryStore gallery(path_, GalleryStore::Access::kCreate, {.wait_ms = 0});
  const Marked one(1);
  one.enrol(gallery, random);
  const GalleryStore reader(path_, GalleryStore::Access::kRead);
  {
    const GallerySnapshot snapshot(reader);
    EXPECT_TRUE(gallery.remove_person(one.name));
    EXPECT_TRUE(gallery.erasure_pending());
    EXPECT_EQ(reader.find_person(one.name)->id, 1);
  }
  EXPECT_FALSE(reader.find_person(one.name));
  gallery.set_setting("any", "change");
  EXPECT_FALSE(gallery.erasure_pending());
  EXPECT_THAT(left_of(marks_of({one})), testing::IsEmpty());
}

}  // namespace
}  // namespace longshot
