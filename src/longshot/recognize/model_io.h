// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/camera/person_images.h"
#include "longshot/recognize/method.h"
#include "longshot/recognize/model_state.h"
#include "longshot/relight/albedo.h"
#include "longshot/relight/light_sets.h"

namespace longshot {

// A trained recogniser with all that enrolling needs: what a model file holds.
struct Model {
  std::string method;     // as in method_names()
  MethodOptions options;  // as given to make_recognizer
  FaceGeometry geometry;
  std::vector<LightDirection> lights;  // for relight_options(); at least one
  std::optional<AlbedoPrior> prior;    // of relighting, at the high resolution
  ModelState state;

  // Throws Error where the parts do not fit each other.
  void check() const;
};

// The file: magic "LSMODEL", version, length, content, CRC-32 of all that precedes it; numbers are
// little-endian (docs/formats.md). Reading checks every size against the file's length first.
std::string encode_model(const Model& model);
// Throws Error, naming `name`, for bytes that are not a model, damaged, or of a newer version.
Model decode_model(std::string_view bytes, std::string_view name);

void write_model(const std::filesystem::path& path, const Model& model);
Model read_model(const std::filesystem::path& path);

// The recogniser as it was when the model was made. Throws Error for a method that this version
// does not know and for a state that does not belong to it.
std::unique_ptr<Recognizer> restore_recognizer(const Model& model);

}  // namespace longshot
