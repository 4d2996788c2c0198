// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "longshot/dataset/dataset.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/recognize/life_space.h"

namespace longshot {

// A face that was enrolled.
struct NamedFace {
  std::string path;
  std::string person;
  Vector face;  // N_H
};

// What log-likelihood ratios to photos of these people say about a face of that name, in a
// sentence; nothing if they are as is to be expected.
std::optional<std::string> remark_on_name(const VectorRef& ratios,
                                          const std::vector<std::string>& people,
                                          const std::string& person);

// Whether the faces that are enrolled fit their names, by what the network says of the sharp photos
// (docs/method.md, "Names that may be wrong"). It needs no index and makes none.
class LookAlikes {
 public:
  // A gallery with more photos is left alone, as every one of them is shown to the network; where a
  // quarter as many are new it may have more.
  static constexpr Index kMostPhotos = 500;
  static constexpr Index kMostPhotosInAll = 4000;

  // For a gallery before `expected` photos are added.
  LookAlikes(const GalleryStore& gallery, Index expected);

  // A remark on every face that looks like a photo of somebody else, or unlike all of its person,
  // among those before it.
  std::vector<Rejection> remarks_on(const std::vector<NamedFace>& added);

 private:
  void add(const std::vector<NamedFace>& faces);
  Matrix centred() const;  // d x photos

  bool compares_ = false;
  LifeSpace space_;
  std::vector<std::string> people_;  // of each photo so far
  std::vector<Vector> coordinates_;
};

}  // namespace longshot
