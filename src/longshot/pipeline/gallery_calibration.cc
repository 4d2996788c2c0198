// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_calibration.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "longshot/core/error.h"
#include "longshot/evaluate/open_set.h"
#include "longshot/pipeline/background.h"
#include "longshot/pipeline/strangers.h"
#include "longshot/recognize/model_io.h"

namespace longshot {
namespace {

constexpr double kPeopleChange = 1.25;  // factor after which it is made anew
// Farther than anybody.
constexpr double kNobody = std::numeric_limits<double>::infinity();

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// The lowest two of a column, the row `without` left out.
struct LowestTwo {
  Index row = -1;
  double first = kNobody;
  double second = kNobody;
};

LowestTwo lowest_two(const Matrix& distances, Index column, Index without) {
  LowestTwo two;
  for (Index i = 0; i < distances.rows(); ++i) {
    if (i == without) continue;
    const double distance = distances(i, column);
    if (distance < two.first) {
      two = {i, distance, two.first};
    } else {
      two.second = std::min(two.second, distance);
    }
  }
  return two;
}

// Log ratios of each probe (column) and each of the first `claimable` people (rows), the absent
// one of each probe (-1: none) left out.
Vector pair_ratios(const Matrix& distances, std::span<const Index> absent, Index claimable,
                   double zero) {
  std::vector<double> ratios;
  for (Index j = 0; j < distances.cols(); ++j) {
    const Index without = absent[static_cast<std::size_t>(j)];
    const LowestTwo two = lowest_two(distances, j, without);
    if (two.second == kNobody) continue;
    for (Index i = 0; i < claimable; ++i) {
      if (i == without) continue;
      ratios.push_back(log_ratio(distances(i, j), i == two.row ? two.second : two.first, zero));
    }
  }
  return to_vector(ratios);
}

// Distances of the background's probes among the background people themselves and, where they are
// photographs, the enrolled ones below them. Where distances depend on who else is there, the first
// half of the background is enrolled alone.
struct Inside {
  Matrix distances;           // people x probes
  std::vector<Index> owners;  // rows; -1 for probes of people who are not among them
};

Inside inside_background(const GallerySearch& search, const Background& background) {
  const GalleryModel& model = search.model();
  const Matrix probes = as_probes(model, background.probes);
  Inside inside;
  inside.owners = background.owners;
  if (search.background_people() > 0) {
    inside.distances = search.background_distances(probes);
    if (background.real) {
      const std::vector<PersonId> panel = some_people(search.gallery(), kPanel);
      const auto people = static_cast<Index>(panel.size());
      const Matrix enrolled = search.distances(probes, panel).topRows(people);
      inside.distances.conservativeResize(inside.distances.rows() + people, Eigen::NoChange);
      inside.distances.bottomRows(people) = enrolled;
    }
    return inside;
  }
  const Index half = background.enrolled.cols() / 2;
  const std::unique_ptr<Searcher> searcher = model.recognizer->make_searcher();
  for (Index i = 0; i < half; ++i) searcher->add(model.enrol(background.enrolled.col(i)));
  inside.distances = searcher->distances(probes);
  for (Index& owner : inside.owners) {
    if (owner >= half) owner = -1;
  }
  return inside;
}

// Of the right person of each probe that has one.
Vector right_ratios(const Inside& inside, double zero) {
  std::vector<double> ratios;
  for (Index j = 0; j < inside.distances.cols(); ++j) {
    const Index own = inside.owners[static_cast<std::size_t>(j)];
    if (own < 0) continue;
    const double other = lowest_two(inside.distances, j, own).first;
    ratios.push_back(log_ratio(inside.distances(own, j), other, zero));
  }
  return to_vector(ratios);
}

CalibrationScores scores_inside(const Inside& inside, bool can_leave_out, double zero) {
  CalibrationScores scores;
  scores.right = right_ratios(inside, zero);
  Matrix distances = inside.distances;
  std::vector<Index> absent = inside.owners;
  if (!can_leave_out) {
    std::vector<Index> strangers;
    for (std::size_t j = 0; j < inside.owners.size(); ++j) {
      if (inside.owners[j] < 0) strangers.push_back(static_cast<Index>(j));
    }
    distances = inside.distances(Eigen::all, strangers).eval();
    absent.assign(strangers.size(), -1);
  }
  scores.pairs = pair_ratios(distances, absent, distances.rows(), zero);
  scores.strange.resize(distances.cols());
  for (Index j = 0; j < distances.cols(); ++j) {
    const LowestTwo two = lowest_two(distances, j, absent[static_cast<std::size_t>(j)]);
    scores.strange(j) = log_ratio(two.first, two.second, zero);
  }
  return scores;
}

// Log ratios of each stranger and the enrolled person nearest to it.
Vector strange_ratios(const Strangers& strangers, const Nearest& nearest, double zero) {
  std::vector<double> ratios;
  for (std::size_t j = 0; j < nearest.people.size(); ++j) {
    double first = kNobody;
    double other =
        lowest_two(nearest.background, static_cast<Index>(j), strangers.background[j]).first;
    for (const PersonDistance& candidate : nearest.people[j]) {
      if (candidate.person == strangers.person[j]) continue;
      if (first == kNobody) {
        first = candidate.distance;
      } else {
        other = std::min(other, candidate.distance);
      }
    }
    ratios.push_back(log_ratio(first, other, zero));
  }
  return to_vector(ratios);
}

CalibrationScores scores_outside(const GallerySearch& search, const Strangers& strangers,
                                 const Inside& inside, double zero) {
  CalibrationScores scores;
  scores.right = right_ratios(inside, zero);
  scores.strange = strange_ratios(strangers, search.search(strangers.probes, 3), zero);
  const std::vector<PersonId> panel = some_people(search.gallery(), kPanel);
  const auto people = static_cast<Index>(panel.size());
  std::vector<Index> absent;
  for (std::size_t j = 0; j < strangers.person.size(); ++j) {
    const auto own = std::find(panel.begin(), panel.end(), strangers.person[j]);
    const Index background = strangers.background[j];
    absent.push_back(own != panel.end() ? own - panel.begin()
                                        : (background < 0 ? -1 : people + background));
  }
  scores.pairs = pair_ratios(search.distances(strangers.probes, panel), absent, people, zero);
  return scores;
}

Calibration make_calibration(const GallerySearch& search) {
  const GalleryStore& gallery = search.gallery();
  const Background background =
      make_background(setup_of(gallery), find_training(gallery), BackgroundParts::kPeopleAndProbes);
  const Index people = gallery.person_count();
  const bool independent = search.background_people() > 0;
  const Inside inside = inside_background(search, background);
  const double zero = ratio_zero(inside.distances);
  if (!independent || people <= background.enrolled.cols()) {
    return calibrate(scores_inside(inside, independent, zero), zero, people);
  }
  const Strangers strangers =
      background.real ? background_strangers(search, background) : enrolled_strangers(search);
  return calibrate(scores_outside(search, strangers, inside, zero), zero, people);
}

bool still_holds(const Calibration& calibration, Index people) {
  const auto now = static_cast<double>(people);
  const auto then = static_cast<double>(calibration.people);
  return now <= kPeopleChange * then && then <= kPeopleChange * now;
}

}  // namespace

Calibration provide_calibration(GalleryStore& gallery, const GallerySearch& search,
                                Progress& progress) {
  const std::string& key = search.model().key;
  const std::string name =
      fmt::format("The calibration of \"{}\" in {}", key, gallery.path().string());
  if (const std::optional<std::string> bytes = gallery.index_data(key)) {
    const Calibration kept = Calibration::from_state(decode_model(*bytes, name).state);
    if (still_holds(kept, gallery.person_count())) return kept;
  }
  ProgressScope scope(progress, "Calibrating " + key, 1);
  const Calibration made = make_calibration(search);
  Model content = search.model().model;
  content.prior.reset();
  content.state = made.state();
  gallery.set_index_data(key, encode_model(content));
  scope.advance();
  return made;
}

}  // namespace longshot
