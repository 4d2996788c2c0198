// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_calibration.h"

#include <algorithm>
#include <limits>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/evaluate/open_set.h"
#include "longshot/recognize/model_io.h"

namespace longshot {
namespace {

constexpr Index kMostRelitPeople = 300;
constexpr Index kRelitProbes = 900;     // of all of them
constexpr Index kMostEach = 28;         // of one photo
constexpr double kSensorNoise = 0.01;   // of the mean intensity
constexpr double kPeopleChange = 1.25;  // factor after which it is made anew
constexpr double kFarthest = std::numeric_limits<double>::infinity();

// `each` of the lights that are neither flipped nor the photo's own, spread evenly.
std::vector<Index> lights_to_use(const std::vector<RelitLabel>& labels, Index each) {
  std::vector<Index> usable;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].flipped && !labels[i].original) usable.push_back(static_cast<Index>(i));
  }
  const auto available = static_cast<Index>(usable.size());
  const Index taken = std::min(each, available);
  std::vector<Index> chosen;
  for (Index k = 0; k < taken; ++k) {
    chosen.push_back(usable[static_cast<std::size_t>(k * available / taken)]);
  }
  return chosen;
}

void append_columns(Matrix& columns, const Matrix& more) {
  columns.conservativeResize(more.rows(), columns.cols() + more.cols());
  columns.rightCols(more.cols()) = more;
}

void add_enrolled(const GallerySearch& search, Strangers& strangers) {
  const GalleryModel& model = search.model();
  const std::vector<PersonId> people = some_people(search.gallery(), kMostRelitPeople);
  const auto count = static_cast<Index>(people.size());
  if (count == 0) return;
  const Index each = std::clamp<Index>(kRelitProbes / count, 1, kMostEach);
  const Size high = model.model.geometry.high;
  std::vector<Matrix> photos;
  for (const PersonId person : people) {
    photos.push_back(photos_of(search.gallery(), person, high).leftCols(1));
  }
  const std::vector<RelitLabel>& labels = model.extender->labels();
  std::vector<Matrix> probes(people.size());
  parallel_for(count, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    // Another part of the lights for each person, where not all are used.
    std::vector<Index> lights = lights_to_use(labels, each);
    Random random(1, static_cast<std::uint64_t>(people[at]));
    const Matrix relit = model.extender->relit(photos[at]);
    Matrix low = model.extender->degrade(Matrix(relit(Eigen::all, lights)));
    for (auto column : low.colwise()) {
      const double sigma = kSensorNoise * column.mean();
      for (double& value : column) value = std::max(0.0, value + sigma * random.normal());
    }
    probes[at] = std::move(low);
  });
  for (std::size_t i = 0; i < people.size(); ++i) {
    append_columns(strangers.probes, probes[i]);
    strangers.person.resize(static_cast<std::size_t>(strangers.probes.cols()), people[i]);
  }
  strangers.background.resize(strangers.person.size(), -1);
}

void add_background(const GallerySearch& search, const Background& background,
                    Strangers& strangers) {
  append_columns(strangers.probes, search.model().extender->degrade(background.probes));
  strangers.background.insert(strangers.background.end(), background.owners.begin(),
                              background.owners.end());
  strangers.person.resize(strangers.background.size(), 0);
}

// The nearest but those two, of people in ascending order of distance.
struct NearestTwo {
  double first = kFarthest;
  double second = kFarthest;
};

NearestTwo nearest_two(const std::vector<PersonDistance>& people, PersonId without) {
  NearestTwo two;
  for (const PersonDistance& candidate : people) {
    if (candidate.person == without) continue;
    if (two.first == kFarthest) {
      two.first = candidate.distance;
    } else {
      two.second = candidate.distance;
      break;
    }
  }
  return two;
}

double nearest_but(const Matrix& distances, Index column, Index without) {
  double nearest = kFarthest;
  for (Index i = 0; i < distances.rows(); ++i) {
    if (i != without) nearest = std::min(nearest, distances(i, column));
  }
  return nearest;
}

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// Log ratios of each stranger and the person nearest to it.
Vector strange_ratios(const Strangers& strangers, const Nearest& nearest, double zero) {
  std::vector<double> ratios;
  for (std::size_t j = 0; j < nearest.people.size(); ++j) {
    const NearestTwo two = nearest_two(nearest.people[j], strangers.person[j]);
    const double other = std::min(two.second, nearest_but(nearest.background, static_cast<Index>(j),
                                                          strangers.background[j]));
    if (two.first < kFarthest && other < kFarthest) {
      ratios.push_back(log_ratio(two.first, other, zero));
    }
  }
  return to_vector(ratios);
}

// Log ratios of each stranger and every person of the panel (the first rows of `distances`).
Vector pair_ratios(const Strangers& strangers, const Matrix& distances,
                   const std::vector<PersonId>& panel, double zero) {
  std::vector<double> ratios;
  const auto people = static_cast<Index>(panel.size());
  for (Index j = 0; j < distances.cols(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    std::vector<double> column;  // of those who are present
    Index claimed = 0;
    for (Index i = 0; i < distances.rows(); ++i) {
      if (i < people ? panel[static_cast<std::size_t>(i)] == strangers.person[at]
                     : i - people == strangers.background[at]) {
        continue;
      }
      column.push_back(distances(i, j));
      if (i < people) ++claimed;
    }
    if (column.size() < 2) continue;
    const auto best = std::min_element(column.begin(), column.end());
    const double first = *best;
    double second = kFarthest;
    for (auto it = column.begin(); it != column.end(); ++it) {
      if (it != best) second = std::min(second, *it);
    }
    for (Index i = 0; i < claimed; ++i) {
      const double own = column[static_cast<std::size_t>(i)];
      const bool is_best = column.begin() + i == best;
      ratios.push_back(log_ratio(own, is_best ? second : first, zero));
    }
  }
  return to_vector(ratios);
}

// Log ratios of the background's own probes and people.
Vector right_ratios(const GallerySearch& search, const Background& background, double zero) {
  const Matrix low = search.model().extender->degrade(background.probes);
  const Nearest nearest = search.search(low, 1);
  std::vector<double> ratios;
  for (Index j = 0; j < low.cols(); ++j) {
    const Index own = background.owners[static_cast<std::size_t>(j)];
    double other = nearest_but(nearest.background, j, own);
    if (!nearest.people[static_cast<std::size_t>(j)].empty()) {
      other = std::min(other, nearest.people[static_cast<std::size_t>(j)][0].distance);
    }
    ratios.push_back(log_ratio(nearest.background(own, j), other, zero));
  }
  return to_vector(ratios);
}

Calibration make_calibration(const GallerySearch& search, const Background& background) {
  const Strangers strangers = find_strangers(search, background);
  const Nearest nearest = search.search(strangers.probes, 3);
  double zero = nearest.background.size() > 0 ? ratio_zero(nearest.background) : 0.0;
  for (const std::vector<PersonDistance>& people : nearest.people) {
    if (!people.empty()) zero = std::min(zero, people.front().distance);
  }
  const std::vector<PersonId> panel = some_people(search.gallery(), kPanel);
  CalibrationScores scores;
  scores.strange = strange_ratios(strangers, nearest, zero);
  scores.pairs = pair_ratios(strangers, search.distances(strangers.probes, panel), panel, zero);
  if (scores.strange.size() == 0 || scores.pairs.size() == 0) {
    throw Error("The method {} needs at least two enrolled people.", search.model().model.method);
  }
  // Without a background the enrolled people under other lights are the only known ones.
  scores.right = search.background_people() > 0 ? right_ratios(search, background, zero)
                                                : Vector(scores.strange.array().abs() + 1.0);
  return calibrate(scores, zero, search.gallery().person_count());
}

bool still_holds(const Calibration& calibration, Index people) {
  const auto now = static_cast<double>(people);
  const auto then = static_cast<double>(calibration.people);
  return now <= kPeopleChange * then && then <= kPeopleChange * now;
}

}  // namespace

Strangers find_strangers(const GallerySearch& search, const Background& background) {
  Strangers strangers;
  strangers.probes.resize(search.model().model.geometry.low.pixels(), 0);
  const bool alone = search.background_people() > 0;
  if (!background.real && alone) add_enrolled(search, strangers);
  if (background.real || !alone || search.gallery().person_count() < kFewestPeople) {
    add_background(search, background, strangers);
  }
  return strangers;
}

Calibration provide_calibration(Gallery& gallery, const GallerySearch& search,
                                const Background& background, Progress& progress) {
  const std::string& key = search.model().key;
  const std::string name =
      fmt::format("The calibration of \"{}\" in {}", key, gallery.path().string());
  if (const std::optional<std::string> bytes = gallery.index_data(key)) {
    const Calibration kept = Calibration::from_state(decode_model(*bytes, name).state);
    if (still_holds(kept, gallery.person_count())) return kept;
  }
  ProgressScope scope(progress, "Calibrating " + key, 1);
  const Calibration made = make_calibration(search, background);
  Model content = search.model().model;
  content.prior.reset();
  content.state = made.state();
  gallery.set_index_data(key, encode_model(content));
  scope.advance();
  return made;
}

}  // namespace longshot
