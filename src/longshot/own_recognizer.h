// SPDX-License-Identifier: Apache-2.0
#pragma once

// Methods that are not ours, for experiments. Not installed.

#include <memory>
#include <string>

#include "longshot/door.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

struct v0::TrainingSet::Value {
  longshot::TrainingSet training;
};

namespace door {

// Columns of pixels (N x n) and back. Throws Error if there are not as many values as pixels.
v0::Images outer_images(const MatrixRef& images, longshot::Size size);
Matrix inner_images(const v0::Images& images);
v0::PersonImages outer_person(const longshot::PersonImages& person, const FaceGeometry& geometry);
longshot::PersonImages inner_person(const v0::PersonImages& person);

// What someone else wrote, as experiments take methods. It cannot be kept in a file.
std::unique_ptr<longshot::Recognizer> make_own_recognizer(const std::string& name,
                                                          std::unique_ptr<v0::Method> method);

}  // namespace door
}  // namespace longshot
