// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "longshot/face/face_reader.h"

namespace longshot {

// Whether a photo is good enough to be enrolled: a bad one is compared with every later probe.

// Each figure has two limits: beyond `refuse` a photo is refused, beyond `warn` only remarked on.
struct QualityLimit {
  double refuse = 0.0;
  double warn = 0.0;
};

struct QualityOptions {
  QualityLimit darkest = {0.06, 0.12};     // mean brightness of the face, at least; 0 .. 1
  QualityLimit saturated = {0.30, 0.10};   // fraction of the face at full white, at most; 0 .. 1
  QualityLimit contrast = {0.01, 0.02};    // deviation of brightness on the face, at least; 0 .. 1
  QualityLimit sharpness = {0.02, 0.035};  // see QualityFigures, at least; 0 .. 1
  QualityLimit eye_distance = {0.4, 0.8};  // in the photo, over that in the enrolled face, at least

  // Throws Error, naming the field, unless the limits are in range and `warn` is the milder one.
  void check() const;
};

struct QualityFigures {
  double brightness = 0.0;  // mean of the middle of the face
  double saturated = 0.0;   // fraction of its pixels at 0.98 and above
  double contrast = 0.0;    // deviation of its brightness
  // Deviation of what a reduction to half the size loses, over that of what it keeps: near 0 for a
  // blurred photo, whatever its exposure and contrast.
  double sharpness = 0.0;
  double eye_distance = 0.0;  // pixels of the photo
  Index faces = 1;            // found in the photo
};

// By the names of their fields, as galleries keep them; nothing unless all are there.
std::map<std::string, double> figures_by_name(const QualityFigures& figures);
std::optional<QualityFigures> figures_from(const std::map<std::string, double>& by_name);

enum class QualityProblem { kDark, kSaturated, kFlat, kBlurred, kSmall, kSeveralFaces };

struct QualityFinding {
  QualityProblem problem = QualityProblem::kDark;
  bool refused = false;  // otherwise a warning
  std::string reason;    // one sentence with the figure
};

struct Quality {
  QualityFigures figures;
  std::vector<QualityFinding> findings;

  // The first finding for which the photo is refused.
  const QualityFinding* refusal() const;
};

// "blurred", "several faces".
const char* name_of(QualityProblem problem);

// What is amiss with these figures of a face whose eyes are so many pixels apart where it is kept.
std::vector<QualityFinding> find_problems(const QualityFigures& figures, double kept_eye_distance,
                                          const QualityOptions& options = {});
Quality assess_quality(const Face& face, const QualityOptions& options = {});

}  // namespace longshot
