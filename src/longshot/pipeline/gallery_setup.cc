// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_setup.h"

#include <array>
#include <charconv>
#include <map>
#include <mutex>

#include "longshot/core/error.h"
#include "longshot/gallery/content_hash.h"

namespace longshot {
namespace {

constexpr const char* kFrame = "frame";
constexpr const char* kHigh = "high resolution";
constexpr const char* kOperator = "operator";
constexpr const char* kProfile = "profile";
constexpr const char* kPhotos = "photos";
constexpr const char* kNone = "none";
constexpr const char* kTraining = "training";
constexpr Index kSmallestSide = 12;
constexpr Index kLargestSide = 1000;

// The shortest text that gives the same number back.
std::string frame_text(const FaceFrame& frame) {
  return fmt::format("{},{},{},{},{}", frame.eyes.left.x, frame.eyes.left.y, frame.eyes.right.x,
                     frame.eyes.right.y, frame.aspect);
}

FaceFrame parse_frame(std::string_view text) {
  std::array<double, 5> values{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, values[i]);
    const bool last = i + 1 == values.size();
    if (error != std::errc() || (last ? next != end : next == end || *next != ',')) {
      throw Error(ErrorKind::damaged,
                  "The gallery is damaged: it does not say where the eyes of its faces are.");
    }
    at = next + 1;
  }
  return {{{values[0], values[1]}, {values[2], values[3]}}, values[4]};
}

}  // namespace

void GallerySetup::check() const {
  frame.check();
  if (high.rows < kSmallestSide || high.cols < kSmallestSide || high.rows > kLargestSide ||
      high.cols > kLargestSide) {
    throw Error("The high resolution of a gallery must be from {0}x{0} to {1}x{1}, not {2}.",
                kSmallestSide, kLargestSide, to_string(high));
  }
}

std::optional<GallerySetup> find_setup(const GalleryStore& gallery) {
  const std::optional<std::string> frame = gallery.setting(kFrame);
  const std::optional<std::string> high = gallery.setting(kHigh);
  const std::optional<std::string> op = gallery.setting(kOperator);
  const std::optional<std::string> profile = gallery.setting(kProfile);
  if (!frame || !high || !op || !profile) return std::nullopt;
  GallerySetup setup{parse_frame(*frame), parse_size(*high), parse_operator(*op),
                     parse_profile(*profile)};
  setup.check();
  return setup;
}

GallerySetup setup_of(const GalleryStore& gallery) {
  const std::optional<GallerySetup> setup = find_setup(gallery);
  if (!setup) {
    throw Error("{} holds no faces yet: enrol some first.", gallery.path().string());
  }
  return *setup;
}

void write_setup(GalleryStore& gallery, const GallerySetup& setup) {
  setup.check();
  GalleryTransaction transaction(gallery);
  gallery.set_setting(kFrame, frame_text(setup.frame));
  gallery.set_setting(kHigh, to_string(setup.high));
  gallery.set_setting(kOperator, to_string(setup.op));
  gallery.set_setting(kProfile, to_string(setup.profile));
  transaction.commit();
}

bool holds_templates_only(const GalleryStore& gallery) {
  return gallery.setting(kPhotos) == kNone;
}

void mark_templates_only(GalleryStore& gallery) {
  gallery.set_setting(kPhotos, kNone);
}

void require_photos(const GalleryStore& gallery) {
  if (!holds_templates_only(gallery)) return;
  std::string keys;
  for (const std::string& key : gallery.index_keys()) {
    keys += fmt::format("{}{}", keys.empty() ? "" : ", ", key);
  }
  throw Error(ErrorKind::unsupported,
              "{} holds templates without photos: it can be searched with {}, and nothing else "
              "can be made of it.",
              gallery.path().string(), keys);
}

void check_probe_size(Size probe, Size high) {
  if (probe.rows > high.rows || probe.cols > high.cols) {
    throw Error("The size {} is larger than the faces of the gallery, {}.", to_string(probe),
                to_string(high));
  }
}

std::shared_ptr<const TrainingFaces> find_training(const GalleryStore& gallery) {
  const std::optional<std::string> bytes = gallery.model(kTraining);
  if (!bytes) return nullptr;
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const TrainingFaces>> known;  // by the hash of bytes
  const std::scoped_lock lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<const TrainingFaces>& entry = known[content_hash(*bytes)];
  std::shared_ptr<const TrainingFaces> faces = entry.lock();
  if (!faces) {
    faces = std::make_shared<const TrainingFaces>(
        decode_training(*bytes, "The training set in " + gallery.path().string()));
    entry = faces;
  }
  return faces;
}

void set_training(GalleryStore& gallery, const TrainingFaces& faces) {
  const GallerySetup setup = setup_of(gallery);
  if (faces.size != setup.high || faces.frame != setup.frame) {
    throw Error(
        "The model was made for faces of {} with the eyes at {}, but those of the gallery are {} "
        "with the eyes at {}: train with the same kind of photos, or begin a new gallery.",
        to_string(faces.size), frame_text(faces.frame), to_string(setup.high),
        frame_text(setup.frame));
  }
  GalleryTransaction transaction(gallery);
  forget_models(gallery);
  gallery.put_model(kTraining, encode_training(faces));
  transaction.commit();
}

Background background_of(const GalleryStore& gallery, BackgroundParts parts) {
  const GallerySetup setup = setup_of(gallery);
  const std::shared_ptr<const TrainingFaces> training = find_training(gallery);
  if (!training) return make_background(setup.frame, setup.high, Matrix(), {}, parts);
  return make_background(setup.frame, setup.high, training->photos(), training->subjects, parts);
}

std::vector<std::string> recognizer_keys(const GalleryStore& gallery) {
  std::vector<std::string> keys = gallery.model_keys();
  std::erase(keys, kTraining);
  return keys;
}

void forget_models(GalleryStore& gallery) {
  require_photos(gallery);
  GalleryTransaction transaction(gallery);
  for (const std::string& key : recognizer_keys(gallery)) gallery.erase_model(key);
  for (const std::string& key : gallery.index_keys()) gallery.erase_index(key);
  transaction.commit();
}

Vector face_of(const Photo& photo) {
  using Levels = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Image face =
      Eigen::Map<const Levels>(photo.pixels.data(), photo.rows, photo.cols).cast<double>() / 255.0;
  return face.reshaped();
}

Photo photo_of(const Image& face) {
  Photo photo;
  photo.rows = face.rows();
  photo.cols = face.cols();
  photo.pixels = grey_levels(face.transpose());
  return photo;
}

}  // namespace longshot
