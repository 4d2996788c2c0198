// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/face/search_area.h"
#include "longshot/image/image.h"

namespace longshot {

// Where the frames of a clip differ from what was looked at before, by more than noise: a camera
// that stands still sees the same wall for hours. Squares are compared by their means; what all
// have in common, such as a flicker of the light, is no change.
class ChangedPlaces {
 public:
  // What has changed of each place since it was last looked at, which from now on is now; or all of
  // it. All of the first frame, and of one of another size.
  SearchArea look_at(const Image& frame, bool everywhere = false);

  // Of the last frame, that had changed, 0 to 1; 0 of the first.
  double share() const { return share_; }

 private:
  Image seen_;  // means of the squares
  double share_ = 0.0;
};

}  // namespace longshot
