// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/look_alikes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/recognize/plda.h"

namespace longshot {
namespace {

// Log-likelihood ratios of two photos, chosen on the tuning people of LFW, PIE, Yale B and
// synthetic people (docs/results.md, "Names that may be wrong").
constexpr double kSurelyAlike = 28.0;
// Less is enough where it stands out among many others by so many of their deviations.
constexpr double kAlike = 18.0;
constexpr double kStandsOut = 4.3;
constexpr Index kManyOthers = 30;
constexpr double kUnlike = -28.0;
// Log-odds that they show one person, if as many pairs do as do not.
constexpr double kScoreSlope = 0.164;
constexpr double kScoreOffset = 1.04;

// The probability that a face is of the likeliest of so many people, if half of all faces show one
// of them: the more are compared, the likelier is one like it by chance.
double score_of(double ratio, std::size_t people) {
  const double odds = kScoreSlope * ratio + kScoreOffset - std::log(static_cast<double>(people));
  return 1.0 / (1.0 + std::exp(-odds));
}

constexpr double kUnlikeAnybody = -std::numeric_limits<double>::infinity();

// What the photos before one say about it.
struct Resemblance {
  double own = kUnlikeAnybody;    // highest ratio to a photo of its person
  double other = kUnlikeAnybody;  // and to one of somebody else
  std::size_t who = 0;            // whose that is
  Index others = 0;
  double mean = 0.0;  // of the ratios to others but the highest
  double deviation = 0.0;

  bool looks_like_another() const {
    if (other > kSurelyAlike) return true;
    return others > kManyOthers && other > kAlike && other > mean + kStandsOut * deviation;
  }
  bool looks_unlike_its_own() const { return std::isfinite(own) && own < kUnlike; }
};

Resemblance resemblance(const VectorRef& ratios, const std::vector<std::string>& people,
                        const std::string& person) {
  Resemblance result;
  double sum = 0.0;
  double squares = 0.0;
  for (Index i = 0; i < ratios.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (people[at] == person) {
      result.own = std::max(result.own, ratios(i));
      continue;
    }
    ++result.others;
    sum += ratios(i);
    squares += ratios(i) * ratios(i);
    if (ratios(i) > result.other) {
      result.other = ratios(i);
      result.who = at;
    }
  }
  if (result.others > 1) {
    const auto rest = static_cast<double>(result.others - 1);
    result.mean = (sum - result.other) / rest;
    const double square = (squares - result.other * result.other) / rest;
    result.deviation = std::sqrt(std::max(0.0, square - result.mean * result.mean));
  }
  return result;
}

// How many people but this one were compared.
std::size_t others_among(const VectorRef& ratios, const std::vector<std::string>& people,
                         const std::string& person) {
  std::set<std::string_view> others(people.begin(), people.begin() + ratios.size());
  others.erase(person);
  return others.size();
}

}  // namespace

std::optional<std::string> remark_on_name(const VectorRef& ratios,
                                          const std::vector<std::string>& people,
                                          const std::string& person) {
  const Resemblance seen = resemblance(ratios, people, person);
  if (seen.looks_like_another() && seen.other > seen.own) {
    const std::size_t others = others_among(ratios, people, person);
    return fmt::format(
        "The face looks like {}, who is enrolled too (score {:.2f}{}): one person under two names, "
        "or a wrong name?",
        people[seen.who], score_of(seen.other, others),
        others > 1 ? fmt::format(" among {} people", others) : "");
  }
  if (seen.looks_unlike_its_own()) {
    return fmt::format(
        "The face looks unlike the other photos of {} (score {:.2f}): is the name right?", person,
        score_of(seen.own, 1));
  }
  return std::nullopt;
}

LookAlikes::LookAlikes(const GalleryStore& gallery, Index expected) {
  const GallerySetup setup = setup_of(gallery);
  compares_ = gallery.photo_count() <= std::clamp(4 * expected, kMostPhotos, kMostPhotosInAll);
  if (!compares_) return;
  space_ = LifeSpace({setup.frame, setup.high, setup.high, {}}, network_table());
  std::vector<NamedFace> faces;
  for (const Person& person : gallery.people()) {
    const Matrix photos = photos_of(gallery, person.id, setup.high);
    for (const auto& photo : photos.colwise()) faces.push_back({"", person.name, photo});
  }
  add(faces);
}

void LookAlikes::add(const std::vector<NamedFace>& faces) {
  if (faces.empty()) return;
  Matrix images(faces.front().face.size(), static_cast<Index>(faces.size()));
  for (std::size_t i = 0; i < faces.size(); ++i) images.col(static_cast<Index>(i)) = faces[i].face;
  const Matrix coordinates = space_.coordinates(images);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    people_.push_back(faces[i].person);
    coordinates_.emplace_back(coordinates.col(static_cast<Index>(i)));
  }
}

Matrix LookAlikes::centred() const {
  Matrix result(space_.between().size(), static_cast<Index>(coordinates_.size()));
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    result.col(static_cast<Index>(i)) = coordinates_[i];
  }
  const Vector common = space_.trusted_centre(result.rowwise().mean(), result.cols());
  return result.colwise() - common;
}

std::vector<Rejection> LookAlikes::remarks_on(const std::vector<NamedFace>& added) {
  const auto before = static_cast<Index>(people_.size());
  if (!compares_ || added.empty() || before > kMostPhotosInAll) return {};
  add(added);
  const Matrix photos = centred();
  PldaPeople known(photos.rows());
  for (const auto& photo : photos.colwise()) known.add(plda_person(space_.between(), photo));
  const Matrix ratios = known.log_ratios(photos.rightCols(static_cast<Index>(added.size())));
  std::vector<Rejection> remarks;
  for (std::size_t i = 0; i < added.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const Vector earlier = ratios.col(at).head(before + at);
    if (const auto remark = remark_on_name(earlier, people_, added[i].person)) {
      remarks.push_back({added[i].path, *remark});
    }
  }
  return remarks;
}

}  // namespace longshot
