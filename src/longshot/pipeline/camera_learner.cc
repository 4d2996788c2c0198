// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/camera_learner.h"

#include <algorithm>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/face/size_ladder.h"
#include "longshot/feature/photometric.h"
#include "longshot/image/degrade.h"
#include "longshot/image/sheet.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_model.h"
#include "longshot/pipeline/gallery_search.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/search_session.h"
#include "longshot/recognize/camera_centres.h"

namespace longshot {
namespace {

constexpr Size kShown = {192, 160};

CameraReference reference_of(const GalleryPeople& people, Size size) {
  if (people.count() == 0) {
    throw Error("Nobody is enrolled in {}: enrol people first.", people.name());
  }
  require_photos(people.common());
  const TrainingSet training = training_set_of(people, size);
  const Matrix photos =
      people.first_faces(some_people(people, kCameraPeople), training.extender->geometry().high);
  return make_camera_reference(*training.extender, training.photos_high, photos, people.count());
}

Image mean_image(const MatrixRef& images, Size size) {
  return normalise_columns(images, Normalisation::kZeroMeanUnitNorm)
      .rowwise()
      .mean()
      .reshaped(size.rows, size.cols);
}

// The crops that fill the size at which they are searched, at that size.
Matrix crops_of_one_size(const std::vector<Image>& faces, Size high,
                         const std::optional<Size>& stated, Size& size, Index& other_sizes) {
  const std::vector<Size> ladder = size_ladder(high);
  const std::optional<Size> common = stated ? stated : search_size(faces, ladder);
  if (!common) throw Error("{}", too_small(size_of(faces.front()), ladder));
  size = *common;
  std::vector<const Image*> chosen;
  for (const Image& face : faces) {
    if (stated || ladder_step(size_of(face), ladder) == common) chosen.push_back(&face);
  }
  other_sizes = static_cast<Index>(faces.size() - chosen.size());
  Matrix crops(size.pixels(), static_cast<Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    crops.col(static_cast<Index>(k)) = at_size(*chosen[k], size).reshaped();
  }
  return crops;
}

Image enlarged(const Image& image) {
  return degrade(image, kShown, {OperatorKind::kArea});
}

}  // namespace

std::optional<Camera> learn_camera(const GalleryPeople& people, Size size, const MatrixRef& crops,
                                   Progress& progress) {
  if (crops.cols() < kFewestCameraCrops || people.count() > kMostPeopleOfCamera ||
      !people.common().writable() || holds_templates_only(people.common())) {
    return std::nullopt;
  }
  ProgressScope scope(progress, "Learning the camera at " + to_string(size), 1);
  const Camera camera = learn_centred_camera(crops, reference_of(people, size));
  scope.advance();
  return camera;
}

CameraReport learn_camera_of(const GalleryStore& gallery, const std::vector<Input>& inputs,
                             const CameraLearnOptions& options, Progress& progress) {
  FaceIntake intake(intake_for(gallery, options.detector));
  const Size high = intake.options().high;
  if (options.size) check_probe_size(*options.size, high);
  CameraReport report;
  std::vector<Image> faces;
  {
    ProgressScope scope(progress, "Reading crops", static_cast<Index>(inputs.size()));
    for (const Input& input : inputs) {
      try {
        faces.push_back(intake.probe(input));
      } catch (const Error& error) {
        report.rejections.push_back({input.path, error.what()});
      }
      scope.advance();
    }
  }
  if (faces.empty()) {
    if (report.rejections.empty()) throw Error("No crop was given.");
    throw Error("None of {} crops could be used; the first, {}: {}", inputs.size(),
                report.rejections.front().path, report.rejections.front().reason);
  }
  Size size;
  const Matrix crops = crops_of_one_size(faces, high, options.size, size, report.other_sizes);
  const CameraReference reference = reference_of(FilePeople(gallery), size);
  report.camera = learn_centred_camera(crops, reference);
  const FaceGeometry seen = through_camera(reference.geometry, report.camera);
  report.mean_face = mean_image(reference.faces, high);
  report.mean_through = mean_image(seen_by_camera(reference.faces, seen, seen.op), size);
  report.mean_crop = mean_image(crops, size);
  return report;
}

Image camera_sheet(const CameraReport& report) {
  // Deviations from the mean of an image of unit norm, about middle grey; one scale for all at the
  // low resolution, so that the difference can be compared.
  const auto grey = [](const Image& image, double unit) {
    return Image((0.5 + 0.14 * image.array() / unit).max(0.0).min(1.0));
  };
  const auto deviation = [](const Image& image) {
    return std::max(std::sqrt(image.squaredNorm() / static_cast<double>(image.size())), 1e-9);
  };
  const double unit = deviation(report.mean_through);
  const Image difference = report.mean_crop - report.mean_through;
  return contact_sheet({enlarged(grey(report.mean_face, deviation(report.mean_face))),
                        enlarged(grey(report.mean_through, unit)),
                        enlarged(grey(report.mean_crop, unit)), enlarged(grey(difference, unit))},
                       4, 8);
}

}  // namespace longshot
