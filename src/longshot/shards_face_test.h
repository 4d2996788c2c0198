// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the tests of folders of shards through the door: people in one file, to be split.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {

class ShardsFace : public testing::Test {
 protected:
  ShardsFace()
      : folder_(std::filesystem::path(testing::TempDir()) /
                fmt::format("shards_face_{}", getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    v0::Gallery gallery = v0::Gallery::open_or_create(file());
    gallery.enroll(pictures(0, 9), forced());
  }
  ~ShardsFace() override { std::filesystem::remove_all(folder_); }

  static v0::EnrollOptions forced() {
    v0::EnrollOptions options;
    options.force = true;
    return options;
  }
  static std::vector<v0::Picture> pictures(int first, int last) {
    std::vector<v0::Picture> pictures;
    for (int i = first; i < last; ++i) {
      pictures.push_back(crop_of(take_photo(make_person(3, i), {}, 0).image));
      pictures.back().person = fmt::format("person_{}", i);
    }
    return pictures;
  }
  static v0::IdentifyOptions small() {
    v0::IdentifyOptions options;
    options.size = v0::Size{12, 10};
    options.method = "subspace";
    return options;
  }
  std::filesystem::path file() const { return folder_ / "people.gallery"; }
  std::filesystem::path shards() const { return folder_ / "people.shards"; }

  std::filesystem::path folder_;
};

}  // namespace longshot
