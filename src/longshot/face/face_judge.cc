// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_judge.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string_view>

#include <opencv2/imgproc.hpp>

#include "longshot/feature/life_network.h"

namespace longshot {
namespace assets {
std::string_view face_judge();
}

namespace {

using Complex = std::complex<double>;

constexpr int kRounds = 3;
// Where proposed eyes lie in the patch that the network sees, as in a face box (eyes_in_box).
constexpr double kPatchLeft = 0.316;
constexpr double kPatchRight = 0.684;
constexpr double kPatchEyes = 0.40;
constexpr int kOversampling = 3;
constexpr double kLeastDeviation = 0.5;  // grey levels, added to that of a patch
constexpr double kPatchCutOff = 3.0;     // deviations
// Most that one round may move the eyes, for a network that was taught no more than that.
constexpr double kMostMove = 0.35;  // of their distance, and of its logarithm
constexpr double kMostTilt = 0.4;   // radians
constexpr double kMostLogError = 2.0;
// Two in five of the examples were faces; of what a detector proposes on a frame fewer are.
constexpr double kRarerFaces = -2.5;  // added to the logarithm of the odds

const ConvolutionNetwork& judge_network() {
  static const ConvolutionNetwork network(assets::face_judge());
  return network;
}

struct PlacedEyes {
  Complex middle;
  Complex span;  // from the left to the right one
};

// Sampled finely, then averaged, so that enlarging and shrinking follow one rule.
cv::Mat cut_patch(const cv::Mat& grey, const PlacedEyes& eyes, int side) {
  const int fine = side * kOversampling;
  const Complex turn = (kPatchRight - kPatchLeft) * fine / eyes.span;
  const Complex left = eyes.middle - 0.5 * eyes.span;
  // OpenCV counts from the centre of the first pixel, we from its corner.
  const Complex half(0.5, 0.5);
  const Complex move =
      Complex(kPatchLeft * fine, kPatchEyes * fine) - turn * left + turn * half - half;
  const cv::Matx23d matrix(turn.real(), -turn.imag(), move.real(), turn.imag(), turn.real(),
                           move.imag());
  cv::Mat sampled;
  cv::warpAffine(grey, sampled, matrix, cv::Size(fine, fine), cv::INTER_LINEAR,
                 cv::BORDER_REPLICATE);
  cv::Mat patch;
  cv::resize(sampled, patch, cv::Size(side, side), 0, 0, cv::INTER_AREA);
  return patch;
}

struct Opinion {
  double log_odds = 0.0;
  Complex move;     // of the middle, in spans
  Complex stretch;  // logarithm of the span over what was proposed
  double log_squared_error = 0.0;
  double deviation = 0.0;  // grey levels
};

Opinion opinion_of(const cv::Mat& patch) {
  const ConvolutionNetwork& network = judge_network();
  const Index side = network.grid().rows;
  MatrixF pair(side * side, 2);
  for (Index r = 0; r < side; ++r) {
    const auto* row = patch.ptr<std::uint8_t>(static_cast<int>(r));
    for (Index c = 0; c < side; ++c) {
      pair(r * side + c, 0) = row[c];
      pair(r * side + side - 1 - c, 1) = row[c];
    }
  }
  pair.array() -= pair.col(0).mean();
  const double deviation = std::sqrt(pair.col(0).squaredNorm() / static_cast<float>(side * side));
  const auto cut_off = static_cast<float>(kPatchCutOff);
  pair =
      (pair / static_cast<float>(deviation + kLeastDeviation)).cwiseMax(-cut_off).cwiseMin(cut_off);
  const Matrix said = network.forward(pair).cast<double>();
  // The mirror image says the same, mirrored.
  const auto mean = [&](Index i, double sign) { return 0.5 * (said(i, 0) + sign * said(i, 1)); };
  return {mean(0, 1), {mean(1, -1), mean(2, 1)}, {mean(3, 1), mean(4, -1)}, mean(5, 1), deviation};
}

Complex bounded(const Complex& value, double most) {
  const double length = std::abs(value);
  return length > most ? value * (most / length) : value;
}

}  // namespace

FaceJudgement judge_face(const cv::Mat& grey, const Eyes& proposed) {
  const auto side = static_cast<int>(judge_network().grid().rows);
  const Complex left(proposed.left.x, proposed.left.y);
  const Complex right(proposed.right.x, proposed.right.y);
  PlacedEyes eyes{0.5 * (left + right), right - left};
  for (int round = 0; round < kRounds; ++round) {
    const Opinion opinion = opinion_of(cut_patch(grey, eyes, side));
    eyes.middle += bounded(opinion.move, kMostMove) * eyes.span;
    eyes.span *= std::exp(Complex(std::clamp(opinion.stretch.real(), -kMostMove, kMostMove),
                                  std::clamp(opinion.stretch.imag(), -kMostTilt, kMostTilt)));
  }
  const Opinion last = opinion_of(cut_patch(grey, eyes, side));
  const Complex to_eye = 0.5 * eyes.span;
  const auto point = [](const Complex& at) -> Point { return {at.real(), at.imag()}; };
  FaceJudgement judgement;
  judgement.log_odds = last.log_odds + kRarerFaces;
  judgement.eyes = {point(eyes.middle - to_eye), point(eyes.middle + to_eye)};
  judgement.eye_error = std::exp(0.5 * std::min(last.log_squared_error, kMostLogError));
  judgement.contrast = last.deviation / 255.0;
  return judgement;
}

}  // namespace longshot
