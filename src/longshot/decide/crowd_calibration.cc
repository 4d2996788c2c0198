// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/crowd_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "longshot/core/privacy.h"
#include "longshot/decide/frame_gain.h"
#include "longshot/decide/lowest_two.h"

namespace longshot {
namespace {

constexpr std::size_t kSpacings = 4;   // of one stranger, stranger_ratios()
constexpr double kSpacingsTail = 0.3;  // of them, chosen on people of LFW
// Growth of the spacings with their order, and how far it varies: tuning people of LFW at three
// sizes, in galleries of 30 to 250, had 0.06 to 0.10.
constexpr double kGrowth = 0.075;
constexpr double kGrowthDeviation = 0.05;

// Where the scale of an exponential tail is known from so many people alone, a tenth of the tail
// lies beyond so many times what the scale says: its predictive distribution (Lomax).
double widening(double people) {
  return people * (std::pow(10.0, 1.0 / people) - 1.0) / std::log(10.0);
}

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// Log ratios of each probe (column) and each of the first `claimable` people (rows), the absent
// one of each probe (-1: none) left out.
Vector pair_ratios(const Matrix& distances, std::span<const Index> absent, Index claimable,
                   double zero) {
  std::vector<double> ratios;
  for (Index j = 0; j < distances.cols(); ++j) {
    const Index without = absent[static_cast<std::size_t>(j)];
    const LowestTwo two = lowest_two(distances.col(j), without);
    if (two.second == kNobody) continue;
    for (Index i = 0; i < claimable; ++i) {
      if (i == without) continue;
      ratios.push_back(log_ratio(distances(i, j), i == two.row ? two.second : two.first, zero));
    }
  }
  return to_vector(ratios);
}

Vector joined(const Vector& first, const Vector& second) {
  Vector both(first.size() + second.size());
  both << first, second;
  return both;
}

Matrix below_each_other(const Matrix& top, const Matrix& bottom) {
  Matrix both(top.rows() + bottom.rows(), top.cols());
  both << top, bottom;
  return both;
}

// Distances of the background's probes among the background people themselves. Where distances
// depend on who else is there, the first half of the background is enrolled alone.
struct Inside {
  std::shared_ptr<const Searcher> searcher;
  Matrix distances;           // people x probes
  std::vector<Index> owners;  // rows; -1 for probes of people who are not among them
};

Inside inside_background(const Recognizer& recognizer, const Extender& extender,
                         const Background& background, const MatrixRef& probes, Days days) {
  const Index all = background.enrolled.cols();
  const Index enrolled = recognizer.has_independent_distances() ? all : all / 2;
  Inside inside;
  inside.searcher =
      centred(enrol_photos(recognizer, extender, background.enrolled.leftCols(enrolled)),
              camera_of_days(days));
  inside.distances = inside.searcher->distances(probes);
  inside.owners = background.owners;
  for (Index& owner : inside.owners) {
    if (owner >= enrolled) owner = -1;
  }
  return inside;
}

// Of the right person of each probe that has one.
Vector right_ratios(const Inside& inside, double zero) {
  std::vector<double> ratios;
  for (Index j = 0; j < inside.distances.cols(); ++j) {
    const Index own = inside.owners[static_cast<std::size_t>(j)];
    if (own < 0) continue;
    const double other = lowest_two(inside.distances.col(j), own).first;
    ratios.push_back(log_ratio(inside.distances(own, j), other, zero));
  }
  return to_vector(ratios);
}

// Where distances depend on each other nobody can be left out: strangers are the half of the
// background that was not enrolled.
CalibrationScores scores_of_half(const Inside& inside, double zero) {
  std::vector<Index> strangers;
  for (std::size_t j = 0; j < inside.owners.size(); ++j) {
    if (inside.owners[j] < 0) strangers.push_back(static_cast<Index>(j));
  }
  const Matrix distances = inside.distances(Eigen::all, strangers);
  const std::vector<Index> absent(strangers.size(), -1);
  CalibrationScores scores;
  scores.right = right_ratios(inside, zero);
  scores.pairs = pair_ratios(distances, absent, distances.rows(), zero);
  scores.strange.resize(distances.cols());
  for (Index j = 0; j < distances.cols(); ++j) {
    const LowestTwo two = lowest_two(distances.col(j));
    scores.strange(j) = log_ratio(two.first, two.second, zero);
  }
  return scores;
}

// While the background says more than the enrolled people: each of its people in turn counts as
// absent and is searched among the others, with the enrolled people beside them where both are
// photographs.
CalibrationScores scores_inside(const Crowd& crowd, const Strangers& strangers, Inside inside,
                                bool photographs, double zero) {
  if (photographs) {
    inside.distances =
        below_each_other(inside.distances, crowd.distances(strangers.probes, crowd.some(kPanel)));
  }
  CalibrationScores scores;
  scores.right = right_ratios(inside, zero);
  scores.pairs = pair_ratios(inside.distances, inside.owners, inside.distances.rows(), zero);
  scores.strange.resize(inside.distances.cols());
  for (Index j = 0; j < inside.distances.cols(); ++j) {
    const LowestTwo two =
        lowest_two(inside.distances.col(j), inside.owners[static_cast<std::size_t>(j)]);
    scores.strange(j) = log_ratio(two.first, two.second, zero);
  }
  return scores;
}

// Adds the strangers' ratios with each of a panel of people.
void add_pairs(const Crowd& crowd, const Strangers& strangers, const Matrix& background,
               double zero, CalibrationScores& scores) {
  const std::vector<Index> panel = crowd.some(kPanel);
  const auto people = static_cast<Index>(panel.size());
  std::vector<Index> absent;
  for (std::size_t j = 0; j < strangers.person.size(); ++j) {
    const auto own = std::find(panel.begin(), panel.end(), strangers.person[j]);
    const Index beside = strangers.background[j];
    absent.push_back(own != panel.end() ? own - panel.begin()
                                        : (beside < 0 ? -1 : people + beside));
  }
  const Matrix distances = below_each_other(crowd.distances(strangers.probes, panel), background);
  scores.pairs = joined(scores.pairs, pair_ratios(distances, absent, people, zero));
}

// By order: j log(d(j+1) / d(j)) of all strangers.
using Spacings = std::array<std::vector<double>, kSpacings>;

// By how much the logarithm of the mean grows from one order to the next: the slope of a line
// through all of them, as far as it can be trusted, and otherwise what is usual. Without orders 0.
double growth(const Spacings& spacings) {
  constexpr double kMiddle = 0.5 * (kSpacings - 1);
  double product = 0.0;
  double square = 0.0;
  for (std::size_t k = 0; k < kSpacings; ++k) {
    if (spacings[k].empty()) return 0.0;
    const double mean = to_vector(spacings[k]).mean();
    if (!(mean > 0.0)) return 0.0;
    const double beside = static_cast<double>(k) - kMiddle;
    product += beside * std::log(mean);
    square += beside * beside;
  }
  // Exponential values have a deviation as large as their mean.
  const double variance = 1.0 / (square * static_cast<double>(spacings[0].size()));
  const double usual = kGrowthDeviation * kGrowthDeviation;
  return (usual * product / square + variance * kGrowth) / (usual + variance);
}

// All orders together, their means brought to that of the first.
Vector in_scale_of_first(const Spacings& spacings) {
  const double slope = growth(spacings);
  Vector all(0);
  for (std::size_t k = 0; k < kSpacings; ++k) {
    all = joined(all, std::exp(-slope * static_cast<double>(k)) * to_vector(spacings[k]));
  }
  return all;
}

}  // namespace

StrangerRatios stranger_ratios(const Strangers& strangers, const Matches& enrolled,
                               const MatrixRef& background, double zero) {
  Spacings spacings;
  Index nearest_enrolled = 0;
  std::vector<double> distances;
  for (Index j = 0; j < strangers.probes.cols(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    distances.clear();
    for (Index k = 0; k < enrolled.people.rows(); ++k) {
      if (enrolled.people(k, j) != strangers.person[at]) {
        distances.push_back(enrolled.distances(k, j));
      }
    }
    const double nearest = distances.empty() ? kNobody : distances.front();
    for (Index i = 0; i < background.rows(); ++i) {
      if (i != strangers.background[at]) distances.push_back(background(i, j));
    }
    const std::size_t kept = std::min(distances.size(), kSpacings + 1);
    std::partial_sort(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(kept),
                      distances.end());
    if (kept > 0 && nearest == distances.front()) ++nearest_enrolled;
    for (std::size_t k = 1; k < kept; ++k) {
      spacings[k - 1].push_back(static_cast<double>(k) *
                                log_ratio(distances[k - 1], distances[k], zero));
    }
  }
  return {in_scale_of_first(spacings),
          static_cast<double>(nearest_enrolled) /
              static_cast<double>(std::max<Index>(strangers.probes.cols(), 1))};
}

Calibration calibrate_crowd(const Crowd& crowd, const Recognizer& recognizer,
                            const Extender& extender, const Background& background, Days days) {
  const Index people = crowd.people();
  const Strangers beside = background_strangers(extender, background);
  Inside inside = inside_background(recognizer, extender, background, beside.probes, days);
  const double zero = ratio_zero(inside.distances);
  const FrameGain gain = learn_frame_gain(inside.distances, inside.owners, zero);
  if (!recognizer.has_independent_distances()) {
    CalibrationScores scores = scores_of_half(inside, zero);
    scores.gain = gain;
    return calibrate(scores, zero, people);
  }
  const Index enough = background.real ? background.enrolled.cols() + 1 : kFewestPeople;
  if (people < enough) {
    CalibrationScores scores =
        scores_inside(crowd, beside, std::move(inside), background.real, zero);
    scores.gain = gain;
    if (!background.real) {
      scores.widened = widening(scores.tail * static_cast<double>(background.enrolled.cols()));
    }
    return calibrate(scores, zero, people);
  }
  CalibrationScores scores;
  scores.gain = gain;
  scores.tail = kSpacingsTail;
  scores.right = right_ratios(inside, zero);
  std::vector<double> shares;
  const auto add = [&](const Strangers& strangers, const Matrix& distances) {
    const StrangerRatios found = stranger_ratios(
        strangers, crowd.nearest(strangers.probes, static_cast<Index>(kSpacings) + 2), distances,
        zero);
    scores.strange = joined(scores.strange, found.log_ratios);
    shares.push_back(found.share);
    add_pairs(crowd, strangers, distances, zero, scores);
  };
  if (background.real) add(beside, inside.distances);
  const Strangers enrolled = enrolled_strangers(extender, crowd);
  add(enrolled, inside.searcher->distances(enrolled.probes));
  // Training people are rather nearest to each other, enrolled ones likewise: the truth lies
  // between.
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  const double least = 1.0 / static_cast<double>(std::max<Index>(beside.probes.cols(), 1));
  scores.share = std::max(sum / static_cast<double>(shares.size()), least);
  return calibrate(scores, zero, people);
}

}  // namespace longshot
