// SPDX-License-Identifier: Apache-2.0
// Galleries with lost, foreign or missing pages: each is refused with one sentence, or holds
// exactly what was there.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/recognize/model_io.h"

#include "run_program.h"

namespace longshot {
namespace {

constexpr std::size_t kPage = 16384;

std::string whole_gallery() {
  return read_file(std::filesystem::path(LONGSHOT_SOURCE_DIR) / "tests/files/gallery-2.gallery");
}

struct DamagedGallery {
  std::string what;
  std::string bytes;
};

void PrintTo(const DamagedGallery& damaged, std::ostream* out) {
  *out << damaged.what;
}

std::vector<DamagedGallery> damaged_galleries() {
  const std::string whole = whole_gallery();
  std::vector<DamagedGallery> table;
  const std::size_t pages = whole.size() / kPage;
  const auto add = [&](std::size_t page, const char* what, std::string bytes) {
    table.push_back({fmt::format("page {} {}", page, what), std::move(bytes)});
  };
  for (std::size_t page = 0; page < pages; ++page) {
    const std::size_t at = page * kPage;
    add(page, "lost", std::string(whole).replace(at, kPage, kPage, '\0'));
    add(page, "of ones", std::string(whole).replace(at, kPage, kPage, '\xFF'));
    add(page, "half lost", std::string(whole).replace(at + kPage / 2, kPage / 2, kPage / 2, '\0'));
    const std::string next = whole.substr((page + 1) % pages * kPage, kPage);
    add(page, "in place of the one before", std::string(whole).replace(at, kPage, next));
    add(page, "and all after it missing", whole.substr(0, at));
    add(page, "cut in the middle", whole.substr(0, at + kPage / 2));
    // A disk writes sectors.
    for (std::size_t sector = 0; sector < kPage; sector += kPage / 4) {
      add(page, "with a lost sector", std::string(whole).replace(at + sector, 512, 512, '\0'));
    }
  }
  return table;
}

// Everything that the commands read from it.
std::string contents(const std::filesystem::path& path) {
  const GalleryStore gallery(path, GalleryStore::Access::kRead);
  std::string text;
  for (const Person& person : gallery.people()) {
    text += fmt::format("{} {} {}\n", person.id, person.name, person.photos);
    for (const Photo& photo : gallery.photos(person.id)) {
      text += fmt::format("{} {} {}x{} ", photo.id, photo.source, photo.rows, photo.cols);
      text.append(photo.pixels.begin(), photo.pixels.end());
    }
  }
  for (const char* key : {"frame", "high resolution", "operator", "profile"}) {
    text += gallery.setting(key).value_or("none") + "\n";
  }
  for (const std::string& key : gallery.model_keys()) {
    text += encode_model(decode_model(gallery.model(key).value_or(""), "The model"));
  }
  for (const std::string& key : gallery.index_keys()) {
    const TemplateBlock block = gallery.read_templates(key, {}, kNoLimit);
    text += fmt::format("{} {}\n", key, block.size());
    for (const float value : block.values) text += fmt::format("{} ", value);
  }
  return text;
}

class DamagedGalleries : public testing::TestWithParam<DamagedGallery> {};

TEST_P(DamagedGalleries, AreRefusedOrWhole) {
  const ScratchFolder folder;
  write_file(folder / "whole", whole_gallery());
  write_file(folder / "damaged", GetParam().bytes);
  try {
    EXPECT_EQ(contents(folder / "damaged") == contents(folder / "whole"), true);
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_THAT(message,
                testing::AnyOf(testing::HasSubstr("is damaged"), testing::HasSubstr("is empty"),
                               testing::HasSubstr("is not a gallery")));
  }
}

INSTANTIATE_TEST_SUITE_P(ByHand, DamagedGalleries, testing::ValuesIn(damaged_galleries()));

// A page of templates was lost: no answer, and none with exit 0.
TEST(DamagedGallery, IdentifiesNobody) {
  const ScratchFolder folder;
  const std::string whole = whole_gallery();
  int refused = 0;
  for (std::size_t page = 1; page < whole.size() / kPage; ++page) {
    write_file(folder / "g", std::string(whole).replace(page * kPage + 8192, 4096, 4096, '\0'));
    const ProgramResult result =
        run_longshot("--quiet identify " LONGSHOT_SOURCE_DIR
                     "/tests/files/crops/person_00003 --size 7x6 --method slrfr --gallery " +
                     (folder / "g").string());
    EXPECT_THAT(result.out + result.err, testing::Not(testing::HasSubstr("nan")));
    if (result.exit_code == 0) {
      EXPECT_THAT(result.out, testing::ContainsRegex("known +[+]0[.]6 +9[.]2 +person_00003 0.90"))
          << page;
    } else {
      EXPECT_EQ(result.exit_code, 2) << result.err;
      EXPECT_THAT(result.err, testing::HasSubstr("damaged")) << page;
      ++refused;
    }
  }
  EXPECT_GE(refused, 2);
}

}  // namespace
}  // namespace longshot
