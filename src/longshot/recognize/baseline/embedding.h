// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "longshot/feature/face_network.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

struct EmbeddingOptions {
  std::filesystem::path network;  // ONNX file, see FaceNetwork; needed
  // Gallery photos are brought to the low resolution as probes are; otherwise they stay sharp, and
  // the network is asked to compare across resolutions.
  bool degraded = true;

  void check() const;
};

// A neural network trained on photographs of other people, which learns nothing from ours. The
// distance is 1 - cosine to the nearest photo of a person, in [0, 2].
class Embedding final : public Recognizer {
 public:
  explicit Embedding(const EmbeddingOptions& options);

  std::string name() const override { return options_.degraded ? "embedding" : "embedding-hr"; }
  void learn(const TrainingSet& training) override;           // takes the geometry only
  Template enrol(const PersonImages& person) const override;  // parts: vectors, k x p
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

 private:
  EmbeddingOptions options_;
  std::shared_ptr<const FaceNetwork> network_;
  FaceFrame frame_;
  Size high_;
  Size low_;
};

}  // namespace longshot
