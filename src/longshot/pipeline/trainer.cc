// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/trainer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/recognize/face_relighter.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

TrainReport train(const std::vector<Input>& inputs, const IntakeOptions& options,
                  Progress& progress) {
  FaceIntake intake(options);
  const auto count = static_cast<Index>(inputs.size());
  std::vector<std::optional<Image>> images(inputs.size());
  std::vector<std::string> problems(inputs.size());
  {
    ProgressScope scope(progress, "Reading faces", count);
    parallel_for(count, [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      try {
        images[at] = intake.face(inputs[at]).image;
      } catch (const Error& error) {
        problems[at] = error.what();
      }
      scope.advance();
    });
  }
  TrainReport report;
  TrainingFaces& faces = report.faces;
  faces.frame = options.frame;
  faces.size = options.high;
  std::map<std::string, int> numbers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!images[i]) {
      report.rejections.push_back({inputs[i].path, problems[i]});
      continue;
    }
    const std::vector<std::uint8_t> levels = grey_levels(*images[i]);
    faces.pixels.insert(faces.pixels.end(), levels.begin(), levels.end());
    faces.subjects.push_back(
        numbers.try_emplace(inputs[i].sample.subject, static_cast<int>(numbers.size()))
            .first->second);
  }
  if (faces.people() < kFewestPeople) {
    throw Error(
        "Training needs photos of at least {} people, several of each, but only {} could be used.",
        kFewestPeople, faces.people());
  }
  ProgressScope scope(progress, "Learning the albedo of faces", 1);
  faces.prior = trained_albedo(options.frame, options.high, faces.photos());
  scope.advance();
  return report;
}

FaceFrame frame_for(const std::vector<Input>& inputs) {
  const auto crop = std::find_if(inputs.begin(), inputs.end(),
                                 [](const Input& input) { return input.aligned.has_value(); });
  return crop == inputs.end() ? FaceFrame() : *crop->aligned;
}

}  // namespace longshot
