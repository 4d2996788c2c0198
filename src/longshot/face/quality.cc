// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/quality.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/face/size_ladder.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

constexpr double kWhite = 0.98;

double deviation(const Image& image) {
  return std::sqrt((image.array() - image.mean()).square().mean());
}

// The corners of a crop show hair and background.
Image middle_of(const Image& face) {
  const Index rows = std::max<Index>(1, face.rows() * 7 / 10);
  const Index cols = std::max<Index>(1, face.cols() * 7 / 10);
  return face.block((face.rows() - rows) / 2, (face.cols() - cols) / 2, rows, cols);
}

double sharpness_of(const Image& face) {
  const Size size = size_of(face);
  const Size half = {std::max<Index>(1, size.rows / 2), std::max<Index>(1, size.cols / 2)};
  const Image kept = degrade(degrade(face, half), size);
  const double scale = deviation(middle_of(kept));
  if (scale < 1e-9) return 0.0;
  const Image lost = middle_of(face - kept);
  return deviation(lost) / scale;
}

QualityFigures figures_of(const Face& face) {
  QualityFigures figures;
  const Image middle = middle_of(face.image);
  figures.brightness = middle.mean();
  figures.saturated = (middle.array() >= kWhite).cast<double>().mean();
  figures.contrast = deviation(middle);
  figures.sharpness = sharpness_of(face.image);
  const Size native = native_size(face, face.frame);
  figures.eye_distance =
      static_cast<double>(native.cols) * (face.frame.eyes.right.x - face.frame.eyes.left.x);
  figures.faces = face.faces_in_photo;
  return figures;
}

class Findings {
 public:
  void at_least(QualityProblem problem, double value, QualityLimit limit, std::string reason) {
    if (value >= limit.warn) return;
    found.push_back({problem, value < limit.refuse, std::move(reason)});
  }
  void at_most(QualityProblem problem, double value, QualityLimit limit, std::string reason) {
    at_least(problem, -value, {-limit.refuse, -limit.warn}, std::move(reason));
  }

  std::vector<QualityFinding> found;
};

void check_limit(const char* field, QualityLimit limit, bool is_floor, double most) {
  const double mild = is_floor ? limit.refuse : limit.warn;
  const double strict = is_floor ? limit.warn : limit.refuse;
  if (!(mild >= 0.0 && mild <= strict && strict <= most)) {
    throw Error("The limits {} of the quality gate must lie between 0 and {}, not {} and {}.",
                field, most, limit.refuse, limit.warn);
  }
}

}  // namespace

void QualityOptions::check() const {
  check_limit("darkest", darkest, true, 1.0);
  check_limit("saturated", saturated, false, 1.0);
  check_limit("contrast", contrast, true, 1.0);
  check_limit("sharpness", sharpness, true, 1.0);
  check_limit("eye_distance", eye_distance, true, 10.0);
}

std::map<std::string, double> figures_by_name(const QualityFigures& figures) {
  return {{"brightness", figures.brightness},     {"saturated", figures.saturated},
          {"contrast", figures.contrast},         {"sharpness", figures.sharpness},
          {"eye_distance", figures.eye_distance}, {"faces", static_cast<double>(figures.faces)}};
}

std::optional<QualityFigures> figures_from(const std::map<std::string, double>& by_name) {
  bool whole = true;
  const auto figure = [&](const char* name) {
    const auto found = by_name.find(name);
    whole = whole && found != by_name.end();
    return found == by_name.end() ? 0.0 : found->second;
  };
  const QualityFigures figures = {figure("brightness"),   figure("saturated"),
                                  figure("contrast"),     figure("sharpness"),
                                  figure("eye_distance"), static_cast<Index>(figure("faces"))};
  return whole ? std::optional(figures) : std::nullopt;
}

const QualityFinding* Quality::refusal() const {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const QualityFinding& finding) { return finding.refused; });
  return found == findings.end() ? nullptr : &*found;
}

const char* name_of(QualityProblem problem) {
  switch (problem) {
    case QualityProblem::kDark:
      return "dark";
    case QualityProblem::kSaturated:
      return "overexposed";
    case QualityProblem::kFlat:
      return "flat";
    case QualityProblem::kBlurred:
      return "blurred";
    case QualityProblem::kSmall:
      return "small";
    default:
      return "several faces";
  }
}

std::vector<QualityFinding> find_problems(const QualityFigures& f, double kept_eye_distance,
                                          const QualityOptions& options) {
  options.check();
  Findings findings;
  findings.at_least(QualityProblem::kDark, f.brightness, options.darkest,
                    fmt::format("The face is too dark: its mean brightness is {:.1f} % of white.",
                                100.0 * f.brightness));
  findings.at_most(
      QualityProblem::kSaturated, f.saturated, options.saturated,
      fmt::format("The face is overexposed: {:.0f} % of it are plain white.", 100.0 * f.saturated));
  findings.at_least(
      QualityProblem::kFlat, f.contrast, options.contrast,
      fmt::format("There is hardly any contrast on the face: {:.1f} % of the range from black to "
                  "white.",
                  100.0 * f.contrast));
  // Noise would pass for detail where there is nothing to see.
  if (f.contrast >= options.contrast.refuse) {
    findings.at_least(
        QualityProblem::kBlurred, f.sharpness, options.sharpness,
        fmt::format("The face is blurred: only {:.1f} % of its contrast is fine detail.",
                    100.0 * f.sharpness));
  }
  findings.at_least(
      QualityProblem::kSmall, f.eye_distance / kept_eye_distance, options.eye_distance,
      fmt::format("The face is too small: its eyes are {:.0f} pixels apart, {:.0f} are needed.",
                  f.eye_distance, std::ceil(kept_eye_distance * options.eye_distance.warn)));
  if (f.faces > 1) {
    findings.found.push_back(
        {QualityProblem::kSeveralFaces, false,
         fmt::format("The photo shows {} faces: the largest, nearest to the middle, was taken.",
                     f.faces)});
  }
  return std::move(findings.found);
}

Quality assess_quality(const Face& face, const QualityOptions& options) {
  Quality quality;
  quality.figures = figures_of(face);
  const double kept = eye_distance(eyes_in_pixels(face.frame, size_of(face.image)));
  quality.findings = find_problems(quality.figures, kept, options);
  if (!face.doubtful) return quality;
  std::erase_if(quality.findings, [](const QualityFinding& finding) {
    return finding.problem == QualityProblem::kSeveralFaces;
  });
  quality.findings.push_back(
      {QualityProblem::kSeveralFaces, true,
       fmt::format("The photo shows {} faces, and none is clearly the main one: cut out the one "
                   "that is meant, or state its eyes.",
                   quality.figures.faces)});
  return quality;
}

}  // namespace longshot
