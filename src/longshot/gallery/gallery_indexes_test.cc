// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Values = std::vector<float>;

// Five people; all but the third have a template in "small", the first alone one in "large".
class GalleryIndexes : public ScratchTest {
 protected:
  void SetUp() override {
    ScratchTest::SetUp();
    gallery_ = std::make_unique<GalleryStore>(path_, GalleryStore::Access::kCreate);
    for (int i = 1; i <= 5; ++i) gallery_->add_person(std::string(1, static_cast<char>('a' + i)));
    for (const PersonId person : {5, 1, 4, 2}) {
      gallery_->put_template("small", person, Values(static_cast<std::size_t>(person), 0.5F));
    }
    gallery_->put_template("large", 1, Values{1.0F, -2.0F, 1e-30F});
  }
  std::unique_ptr<GalleryStore> gallery_;
};

TEST_F(GalleryIndexes, TemplatesComeBackAsTheyWere) {
  EXPECT_EQ(gallery_->find_template("large", 1), (Values{1.0F, -2.0F, 1e-30F}));
  EXPECT_EQ(gallery_->find_template("small", 2), (Values{0.5F, 0.5F}));
  EXPECT_FALSE(gallery_->find_template("large", 2));
  EXPECT_FALSE(gallery_->find_template("other", 1));
  EXPECT_FALSE(gallery_->find_template("small", std::int64_t{1} << 40));
  gallery_->put_template("large", 1, Values{});
  EXPECT_EQ(gallery_->find_template("large", 1), Values{});
  EXPECT_EQ(gallery_->template_count("large"), 1);
  EXPECT_THAT(gallery_->index_keys(), ElementsAre("small", "large"));
  EXPECT_THAT(message_of([&] { gallery_->put_template("new", 9, Values{1.0F}); }),
              HasSubstr("id 9"));
  EXPECT_THAT(gallery_->index_keys(), ElementsAre("small", "large"));
}

TEST_F(GalleryIndexes, StreamsInOrderOfPerson) {
  TemplateBlock block = gallery_->read_templates("small", {}, 3);
  EXPECT_THAT(block.people, ElementsAre(1, 2, 4));
  EXPECT_THAT(block.begin, ElementsAre(0, 1, 3, 7));
  EXPECT_EQ(block.values_of(2).size(), 4U);
  EXPECT_EQ(block.values_of(2)[0], 0.5F);
  block = gallery_->read_templates("small", {5}, 3, std::move(block));
  EXPECT_THAT(block.people, ElementsAre(5));
  EXPECT_THAT(block.begin, ElementsAre(0, 5));
  block = gallery_->read_templates("small", {6}, 3, std::move(block));
  EXPECT_EQ(block.size(), 0);
  EXPECT_THAT(gallery_->read_templates("small", {2, 4}, 9).people, ElementsAre(2, 4));
  EXPECT_THAT(gallery_->read_templates("small", {-5, 1}, 9).people, ElementsAre(1));
  EXPECT_THAT(gallery_->read_templates("other", {}, 9).people, IsEmpty());
  EXPECT_THAT(gallery_->read_templates("small", {IdRange{}.last}, 9).people, IsEmpty());
}

TEST_F(GalleryIndexes, KnowsWhoIsMissing) {
  EXPECT_EQ(gallery_->template_count("small"), 4);
  EXPECT_EQ(gallery_->template_count("other"), 0);
  EXPECT_THAT(gallery_->people_without_template("small"), ElementsAre(3));
  EXPECT_THAT(gallery_->people_without_template("large"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(gallery_->people_without_template("large", {3}, 2), ElementsAre(3, 4));
  EXPECT_THAT(gallery_->people_without_template("other"), ElementsAre(1, 2, 3, 4, 5));
}

TEST_F(GalleryIndexes, ARemovedPersonLeavesAllIndexes) {
  EXPECT_TRUE(gallery_->remove_person("b"));
  EXPECT_FALSE(gallery_->find_template("small", 1));
  EXPECT_EQ(gallery_->template_count("small"), 3);
  EXPECT_EQ(gallery_->template_count("large"), 0);
  EXPECT_THAT(gallery_->read_templates("small", {}, 9).people, ElementsAre(2, 4, 5));
  gallery_->check_integrity();
}

TEST_F(GalleryIndexes, AnErasedIndexTakesItsTemplatesAndData) {
  gallery_->set_index_data("small", "calibration");
  gallery_->set_index_data("small", "better");
  gallery_->set_index_data("empty", "");
  EXPECT_EQ(gallery_->index_data("small"), "better");
  EXPECT_EQ(gallery_->index_data("empty"), "");
  EXPECT_FALSE(gallery_->index_data("large"));
  EXPECT_TRUE(gallery_->erase_index("small"));
  EXPECT_FALSE(gallery_->erase_index("small"));
  EXPECT_FALSE(gallery_->index_data("small"));
  EXPECT_EQ(gallery_->read_templates("small", {}, 9).size(), 0);
  EXPECT_THAT(gallery_->index_keys(), ElementsAre("large", "empty"));
  EXPECT_EQ(gallery_->template_count("large"), 1);
  gallery_->check_integrity();
  gallery_->put_template("small", 3, Values{2.0F});
  EXPECT_THAT(gallery_->read_templates("small", {}, 9).people, ElementsAre(3));
}

}  // namespace
}  // namespace longshot
