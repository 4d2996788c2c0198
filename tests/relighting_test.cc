// SPDX-License-Identifier: Apache-2.0
// How well relit photos agree with real ones, on people who were not used to fit anything.
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "longshot/core/test_data.h"
#include "longshot/dataset/face_reader.h"
#include "longshot/dataset/yaleb.h"
#include "longshot/relight/albedo_prior.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/relight.h"

namespace longshot {
namespace {

constexpr Size kSize = {48, 42};
constexpr std::array<double, 3> kBins = {25.0, 50.0, 70.0};  // degrees off the camera's axis
using Bins = std::array<double, 3>;

struct Photo {
  Image image;
  Eigen::Vector3d light;
  double angle = 0.0;  // degrees
};

struct YaleB {
  FaceFrame frame;
  std::map<std::string, std::vector<Photo>> people;
};

std::optional<YaleB> load_yaleb() {
  const auto folder = test_data("yaleb-192x168");
  if (!folder) return std::nullopt;
  const Dataset dataset = load_dataset(*folder);
  FaceReadOptions reading;
  reading.size = kSize;
  FaceReader reader(reading);
  const LoadedFaces loaded = read_faces(dataset, reader);
  YaleB set{*dataset.aligned, {}};
  for (std::size_t k = 0; k < loaded.faces.size(); ++k) {
    const Sample& sample = dataset.samples[static_cast<std::size_t>(loaded.samples[k])];
    const std::optional<FlashAngles> flash = parse_flash_angles(sample.condition);
    if (!flash) continue;
    const double azimuth = flash->azimuth * std::numbers::pi / 180.0;
    const double elevation = flash->elevation * std::numbers::pi / 180.0;
    const Eigen::Vector3d light(-std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                                std::cos(azimuth) * std::cos(elevation));
    const double angle = std::acos(std::clamp(light.z(), -1.0, 1.0)) * 180.0 / std::numbers::pi;
    set.people[sample.subject].push_back({loaded.faces[k].image, light, angle});
  }
  return set;
}

double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean();
  const Vector y = b.array() - b.mean();
  return x.dot(y) / std::max(1e-12, x.norm() * y.norm());
}

// Mean correlation with the real photos by the angle of the light, over the last 19 people.
// `predict` gives the face under a light from the frontal photo.
template <typename Predict>
Bins mean_correlations(const YaleB& set, const Predict& predict) {
  Bins sums{};
  Bins counts{};
  std::size_t number = 0;
  for (const auto& [name, photos] : set.people) {
    if (number++ < 19) continue;
    const auto frontal =
        std::find_if(photos.begin(), photos.end(), [](const Photo& p) { return p.angle == 0.0; });
    for (const Photo& photo : photos) {
      for (std::size_t bin = 0; bin < kBins.size(); ++bin) {
        if (photo.angle == 0.0 || photo.angle > kBins[bin]) continue;
        sums[bin] += correlation(predict(frontal->image, photo.light), photo.image.reshaped());
        counts[bin] += 1.0;
        break;
      }
    }
  }
  for (std::size_t bin = 0; bin < kBins.size(); ++bin) sums[bin] /= counts[bin];
  return sums;
}

void print(const char* what, const Bins& bins) {
  fmt::print("  {:<44} {:.3f} {:.3f} {:.3f}\n", what, bins[0], bins[1], bins[2]);
}

class Relit {
 public:
  Relit(const YaleB& set, std::optional<AlbedoPrior> prior, const AlbedoOptions& albedo = {},
        bool cast_shadows = false)
      : set_(set), prior_(std::move(prior)), albedo_(albedo), cast_shadows_(cast_shadows) {}

  Vector operator()(const Image& frontal, const Eigen::Vector3d& light) const {
    RelightModel model;
    model.normals = normals_of_shape(mean_face_shape(), set_.frame, kSize);
    model.prior = prior_;
    model.shape = mean_face_shape();
    RelightOptions options;
    options.lights = {light_direction(light)};
    options.mirroring = Mirroring::kNone;
    options.albedo = albedo_;
    options.cast_shadows = cast_shadows_;
    return relight(frontal, model, options).images.col(0);
  }

 private:
  const YaleB& set_;
  std::optional<AlbedoPrior> prior_;
  AlbedoOptions albedo_;
  bool cast_shadows_;
};

AlbedoPrior prior_of_training_people(const YaleB& set) {
  std::vector<const Image*> images;
  std::size_t number = 0;
  for (const auto& [name, photos] : set.people) {
    if (number++ >= 19) break;
    for (const Photo& photo : photos) {
      if (photo.angle <= 70.0) images.push_back(&photo.image);
    }
  }
  Matrix columns(kSize.pixels(), static_cast<Index>(images.size()));
  for (std::size_t k = 0; k < images.size(); ++k) {
    columns.col(static_cast<Index>(k)) = images[k]->reshaped();
  }
  return learn_albedo_prior(columns, normals_of_shape(mean_face_shape(), set.frame, kSize));
}

TEST(Relighting, FrontalPhotosOfUnseenPeopleUnderEveryLight) {
  const std::optional<YaleB> set = load_yaleb();
  if (!set) GTEST_SKIP() << "skipped: no data";
  const AlbedoPrior learnt = prior_of_training_people(*set);
  AlbedoOptions trusting;  // so little noise that the photo alone decides: the raw albedo
  trusting.tau = 1e-6;
  trusting.symmetry = false;
  const Bins none = mean_correlations(
      *set,
      [](const Image& frontal, const Eigen::Vector3d&) -> Vector { return frontal.reshaped(); });
  const Bins raw = mean_correlations(*set, Relit(*set, learnt, trusting));
  const Bins local = mean_correlations(*set, Relit(*set, std::nullopt));
  const Bins builtin =
      mean_correlations(*set, Relit(*set, builtin_albedo_prior(set->frame, kSize)));
  const Bins mmse = mean_correlations(*set, Relit(*set, learnt));
  const Bins shadows = mean_correlations(*set, Relit(*set, learnt, {}, true));
  fmt::print("  zero-mean correlation with real photos          <=25   <=50   <=70 degrees\n");
  print("without relighting", none);
  print("raw albedo", raw);
  print("MMSE albedo, statistics of the photo itself", local);
  print("MMSE albedo, built-in statistics", builtin);
  print("MMSE albedo, statistics of training people", mmse);
  print("the same with cast shadows", shadows);
  const Bins floor = {0.86, 0.82, 0.88};
  for (std::size_t bin = 0; bin < kBins.size(); ++bin) {
    EXPECT_GE(mmse[bin], floor[bin]) << kBins[bin];
    EXPECT_GE(builtin[bin], floor[bin]) << kBins[bin];
    EXPECT_GT(mmse[bin], none[bin]);
  }
}

}  // namespace
}  // namespace longshot
