// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/life_space.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "longshot/camera/camera.h"
#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Index kNumbers = 21;       // that are not matrices
constexpr Index kOldNumbers = 17;    // of models that know gradients alone: the kind was not stated
constexpr Index kFirstNumbers = 20;  // of models that did not say which network it is: the first
constexpr double kFirstNetwork = 0x12c45ce3;  // its checksum
constexpr Index kKindAt = 17;
constexpr Index kNetworkAt = 20;
// How far the centre of a camera's crops, or of a gallery, lies from that of all faces, as a
// variance per coordinate, in which photos of one person differ by 1: of PIE and Yale B in single
// lights 0.4 to 1.0.
constexpr double kCentreVariance = 0.5;
// Chosen on tuning people of LFW: at 16x14 a face network still adds, at 12x10 through cameras it
// costs more than it brings.
constexpr Index kFewestPixels = 200;
constexpr std::string_view kNumbersName = ".numbers";
constexpr std::string_view kToneName = ".tone";  // of a camera that has one

Matrix to_sizes(const std::vector<Size>& sizes) {
  Matrix values(2, static_cast<Index>(sizes.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    values.col(static_cast<Index>(i)) << static_cast<double>(sizes[i].rows),
        static_cast<double>(sizes[i].cols);
  }
  return values;
}

[[noreturn]] void refuse(const std::string& name) {
  throw Error("The model is damaged: \"{}\" is not a space of faces in life.", name);
}

// Of the network that the numbers of a space speak of.
double network_of(const Matrix& numbers) {
  return numbers.size() == kFirstNumbers ? kFirstNetwork : numbers.reshaped()(kNetworkAt);
}

// What is 0, of a flat image, stays so.
Matrix of_length_one(Matrix features) {
  for (auto one : features.colwise()) one.normalize();
  return features;
}

Index whole(double value, const std::string& name) {
  if (!(value >= 1.0 && value <= static_cast<double>(kLargestImageSide)) ||
      value != std::floor(value)) {
    refuse(name);
  }
  return static_cast<Index>(value);
}

}  // namespace

LifeSpace::LifeSpace(const FaceGeometry& geometry, const LifeTable& table)
    : kind_(table.features),
      options_(table.gradients),
      size_(geometry.low),
      high_(geometry.high),
      frame_(geometry.frame),
      registration_(geometry.registration),
      tone_(geometry.tone) {
  prepare();
  if (table.basis.cols() != dimensions()) {
    throw Error(ErrorKind::unsupported,
                "The installed face network gives {} numbers of a face, not {}: install it anew.",
                dimensions(), table.basis.cols());
  }
  const LifeTable::Entry& entry = table.nearest(size_);
  Vector hidden = Vector::Zero(dimensions());
  if (gradients_) hidden = 1.0 - gradients_->visible().array();
  const Vector mean = (table.basis.transpose() * entry.mean).cwiseProduct(hidden);
  projection_ = entry.directions * table.basis;
  offset_ = entry.directions * entry.mean - projection_ * mean;
  between_ = entry.between;
}

void LifeSpace::prepare() {
  switch (kind_) {
    case LifeFeatures::kGradients:
      gradients_.emplace(options_, size_, frame_, registration_);
      break;
    case LifeFeatures::kNetwork:
      network_.emplace(life_network(), size_, frame_, registration_);
      sharp_network_.emplace(life_network(), high_, frame_, Registration());
      break;
    case LifeFeatures::kFaceNetwork:
      face_network_ = installed_face_network();
      if (!face_network_) {
        throw Error(ErrorKind::unsupported,
                    "The model needs a face network, and none is installed: make it anew.");
      }
      break;
  }
}

Index LifeSpace::dimensions() const {
  return gradients_ ? gradients_->dimensions()
         : network_ ? network_->dimensions()
                    : face_network_->dimensions();
}

Matrix LifeSpace::features(const MatrixRef& images) const {
  if (gradients_) return gradients_->features(images);
  const Matrix before = before_tone(images, tone_);
  return network_ ? network_->features(before) : seen(before, size_, registration_);
}

Matrix LifeSpace::seen(const MatrixRef& images, Size size, const Registration& registration) const {
  Matrix result = face_network_->embed(images, frame_, size, registration);
  for (Index j = 0; j < result.cols(); ++j) {
    if (images.col(j).maxCoeff() == images.col(j).minCoeff()) result.col(j).setZero();
  }
  return result;
}

Matrix LifeSpace::projected(const Matrix& features) const {
  Matrix result = projection_ * features;
  result.colwise() -= offset_;
  for (Index j = 0; j < result.cols(); ++j) {
    if (features.col(j).isZero(0.0)) result.col(j).setZero();
  }
  return result;
}

Matrix LifeSpace::features(const PersonImages& person) const {
  if (gradients_) return features(person.photos_low);
  const auto with_mirror_images = [](const LifeNetwork& network, const Matrix& photos) {
    return of_length_one(network.features(photos) + network.mirrored_features(photos));
  };
  const Matrix both = network_ ? with_mirror_images(*network_, person.photos_low) +
                                     with_mirror_images(*sharp_network_, person.photos_high)
                               : seen(person.photos_low, size_, registration_) +
                                     seen(person.photos_high, high_, {});
  return of_length_one(both);
}

std::uint32_t LifeSpace::checksum() const {
  if (face_network_) return face_network_->checksum();
  return network_ ? life_network().checksum() : 0;
}

FaceCentre LifeSpace::centre(Vector crops, Vector people) const {
  return {kind_, checksum(), std::move(crops), std::move(people)};
}

Vector LifeSpace::trusted_centre(const Vector& mean, Index faces) const {
  const Vector chance = (1.0 + between_.array()) / static_cast<double>(faces);
  return mean.array() * kCentreVariance / (kCentreVariance + chance.array());
}

Vector LifeSpace::move_of(const Camera& camera) const {
  const auto found = std::ranges::find_if(camera.centres, [&](const FaceCentre& centre) {
    return centre.features == kind_ && centre.checksum == checksum() &&
           centre.crops.size() == dimensions();
  });
  if (found == camera.centres.end()) return {};
  // A person is expected between the photo and the mean of all (plda.h).
  const Vector expected = between_.array() / (1.0 + between_.array());
  return expected.cwiseProduct(trusted_centre(projected(found->people), camera.people)) -
         trusted_centre(projected(found->crops), camera.faces);
}

Matrix LifeSpace::moved_coordinates(const MatrixRef& images, const Vector& move) const {
  Matrix moved = coordinates(images);
  if (move.size() == 0) return moved;
  for (auto one : moved.colwise()) {
    if (!one.isZero(0.0)) one += move;
  }
  return moved;
}

void LifeSpace::save(ModelState& state, const std::string& name) const {
  Vector numbers(kNumbers);
  numbers << static_cast<double>(options_.grid.rows), static_cast<double>(options_.grid.cols),
      static_cast<double>(options_.directions), static_cast<double>(options_.window),
      options_.floor, options_.overlap, static_cast<double>(size_.rows),
      static_cast<double>(size_.cols), frame_.eyes.left.x, frame_.eyes.left.y, frame_.eyes.right.x,
      frame_.eyes.right.y, frame_.aspect, registration_.dx, registration_.dy, registration_.log_x,
      registration_.log_y, static_cast<double>(kind_), static_cast<double>(high_.rows),
      static_cast<double>(high_.cols), static_cast<double>(checksum());
  state.set(name + std::string(kNumbersName), numbers);
  state.set(name + ".cells", to_sizes(options_.cells));
  state.set(name + ".projection", projection_);
  state.set(name + ".offset", offset_);
  state.set(name + ".between", between_);
  if (tone_.size() != 0) state.set(name + std::string(kToneName), tone_);
}

LifeSpace LifeSpace::load(const ModelState& state, const std::string& name) {
  const Matrix& numbers = state.matrix(name + std::string(kNumbersName));
  const Matrix& cells = state.matrix(name + ".cells");
  const bool old = numbers.size() == kOldNumbers;
  if ((!old && numbers.size() != kFirstNumbers && numbers.size() != kNumbers) ||
      !numbers.allFinite() || cells.rows() != 2 || cells.cols() < 1 || cells.cols() > 10) {
    refuse(name);
  }
  LifeSpace space;
  const auto at = [&](Index i) { return numbers.reshaped()(i); };
  space.options_.grid = {whole(at(0), name), whole(at(1), name)};
  space.options_.directions = whole(at(2), name);
  space.options_.window = whole(at(3), name);
  space.options_.floor = at(4);
  space.options_.overlap = at(5);
  space.options_.cells.clear();
  for (const auto& size : cells.colwise()) {
    space.options_.cells.push_back({whole(size(0), name), whole(size(1), name)});
  }
  space.size_ = {whole(at(6), name), whole(at(7), name)};
  space.frame_ = {{{at(8), at(9)}, {at(10), at(11)}}, at(12)};
  space.registration_ = {at(13), at(14), at(15), at(16)};
  if (!old) {
    const Index kind = whole(at(kKindAt), name);
    if (kind > static_cast<Index>(LifeFeatures::kFaceNetwork)) refuse(name);
    space.kind_ = static_cast<LifeFeatures>(kind);
    space.high_ = {whole(at(18), name), whole(at(19), name)};
  }
  space.prepare();
  if (space.kind_ != LifeFeatures::kGradients &&
      network_of(numbers) != static_cast<double>(space.checksum())) {
    throw Error(ErrorKind::unsupported,
                "The model was made with another network than there is now: make it anew.");
  }
  space.projection_ = state.matrix(name + ".projection");
  space.offset_ = state.matrix(name + ".offset").reshaped();
  space.between_ = state.matrix(name + ".between").reshaped();
  const auto tone = state.matrices().find(name + std::string(kToneName));
  if (tone != state.matrices().end()) space.tone_ = tone->second.reshaped();
  const bool toned = space.tone_.size() != 0;
  const Index d = space.between_.size();
  if ((toned && space.tone_.size() != space.size_.pixels()) || !space.tone_.allFinite() || d < 1 ||
      space.projection_.rows() != d || space.offset_.size() != d ||
      space.projection_.cols() != space.dimensions() || !space.projection_.allFinite() ||
      !space.offset_.allFinite() || !(space.between_.array() >= 0.0).all() ||
      !space.between_.allFinite()) {
    refuse(name);
  }
  return space;
}

bool has_face_network_for(Size size) {
  return size.pixels() >= kFewestPixels && installed_face_network() != nullptr;
}

bool holds_other_network(const ModelState& state) {
  bool gradients = false;
  bool face_network = false;
  bool suited = false;  // for a face network, and of a network
  for (const auto& [name, matrix] : state.matrices()) {
    const Matrix& numbers = matrix;
    if (!name.ends_with(kNumbersName)) continue;
    if (numbers.size() != kFirstNumbers && numbers.size() != kNumbers) continue;
    const auto at = [&](Index i) { return numbers.reshaped()(i); };
    const auto kind = static_cast<LifeFeatures>(static_cast<int>(at(kKindAt)));
    std::optional<std::uint32_t> present;  // the network that there is now
    if (kind == LifeFeatures::kGradients) {
      gradients = true;
      continue;
    }
    if (kind == LifeFeatures::kNetwork) {
      present = life_network().checksum();
      suited = has_face_network_for({static_cast<Index>(at(6)), static_cast<Index>(at(7))});
    } else if (const auto installed = installed_face_network()) {
      present = installed->checksum();
      face_network = true;
    }
    if (!present || network_of(numbers) != static_cast<double>(*present)) return true;
  }
  return gradients && suited && !face_network;  // methods of one part know it alone
}

}  // namespace longshot
