// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/decide/background.h"
#include "longshot/decide/crowd.h"

namespace longshot {

// Low-resolution faces of people who count as not enrolled.
struct Strangers {
  Matrix probes;                  // N_L x n
  std::vector<Index> person;      // n: the person of the crowd who counts as absent, or -1
  std::vector<Index> background;  // n: the background person who does, or -1
};

// Photos (N_H x n) as probes: brought down through the camera of the extender, with its noise, and
// beside their place as far as the camera is uncertain. The same for the same photos.
Matrix as_probes(const Extender& extender, const MatrixRef& photos);

// The probes of the background.
Strangers background_strangers(const Extender& extender, const Background& background);

// The enrolled people themselves, 1000 at most, spread over the crowd: each one's photo, as if
// nobody had enrolled it.
Strangers enrolled_strangers(const Extender& extender, const Crowd& crowd);

}  // namespace longshot
