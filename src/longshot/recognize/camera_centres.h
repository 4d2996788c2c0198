// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/camera/camera_learning.h"

namespace longshot {

// Learns the camera of crops as learn_camera() does, and its centres: what the crops have in common
// and the gallery's photos through that camera do not, in the features of faces in life.
Camera learn_centred_camera(const MatrixRef& crops, const CameraReference& reference);

// Numbers from 0 on: which crops seem to show the same face. `crops` are coordinates of
// life_space.h (d x n), `people` those of photos of different people (d x m, m >= 2). Crops are one
// face if they are nearer to each other, directly or by others between them, than people nearly
// ever are; each set about its own mean and in units of its own mean distance, as cameras move and
// flatten faces.
std::vector<Index> group_faces(const MatrixRef& crops, const MatrixRef& people,
                               const Vector& between);

}  // namespace longshot
