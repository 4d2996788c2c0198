// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/dataset/yaleb.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/face/face_reader.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/light_variation.h"
#include "longshot/relight/mean_face.h"
#include "longshot/relight/mean_face_fit.h"
#include "longshot/relight/mesh.h"
#include "longshot/relight/mesh_normals.h"
#include "longshot/relight/normal_map_io.h"
#include "longshot/relight/shape_fit.h"
#include "longshot/synthetic/synthetic_photo.h"

#include "commands.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

// Lights from behind, or nearly so, show too little of the face.
constexpr double kLargestAzimuth = 90.0;
constexpr double kLargestElevation = 75.0;

// Of the built-in statistics.
constexpr Index kEvenDeviations = 20;
constexpr Index kOddDeviations = 12;
constexpr Index kSyntheticPhotos = 30;
constexpr std::uint64_t kSyntheticSeed = 77;

struct NormalsArguments {
  std::string from;
  std::string size = "96x80";
  Index people = 19;
  double tilt = 0.0;
  std::string out;
  std::string picture;
  std::string fit;
  std::string mesh;
  std::string albedo;
  std::string variation;
  Index synthetic = 40;
};

Eigen::Vector3d light_of(const FlashAngles& flash) {
  const double azimuth = flash.azimuth * std::numbers::pi / 180.0;
  const double elevation = flash.elevation * std::numbers::pi / 180.0;
  return {-std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
          std::cos(azimuth) * std::cos(elevation)};
}

// The first people of the set, so that the others stay unseen for testing.
std::vector<std::vector<LitImage>> lit_people(const LoadedFaces& loaded, const Dataset& dataset) {
  std::map<std::string, std::vector<LitImage>> by_subject;
  for (std::size_t k = 0; k < loaded.faces.size(); ++k) {
    const Sample& sample = dataset.samples[static_cast<std::size_t>(loaded.samples[k])];
    const std::optional<FlashAngles> flash = parse_flash_angles(sample.condition);
    if (!flash || std::abs(flash->azimuth) > kLargestAzimuth ||
        flash->elevation > kLargestElevation) {
      continue;
    }
    by_subject[sample.subject].push_back({loaded.faces[k].image, light_of(*flash)});
  }
  std::vector<std::vector<LitImage>> people;
  for (auto& [subject, images] : by_subject) people.push_back(std::move(images));
  return people;
}

Dataset first_people(Dataset dataset, Index count) {
  std::map<std::string, Index> order;
  for (const Sample& sample : dataset.samples) order[sample.subject];
  Index next = 0;
  for (auto& [subject, number] : order) number = next++;
  std::erase_if(dataset.samples,
                [&](const Sample& sample) { return order[sample.subject] >= count; });
  return dataset;
}

VariationPhotos synthetic_people(Index people) {
  SyntheticPhotoOptions options;
  // Wider than any usual crop, so that the statistics reach its border.
  options.frame.eyes = {{0.3, 0.36}, {0.7, 0.36}};
  VariationPhotos set;
  set.frame = options.frame;
  for (Index photo = 0; photo < kSyntheticPhotos; ++photo) {
    const Matrix images =
        take_photos(kSyntheticSeed, 0, people, options, static_cast<std::uint64_t>(photo));
    for (Index i = 0; i < people; ++i) {
      set.photos.push_back(images.col(i).reshaped(options.size.rows, options.size.cols));
      set.subjects.push_back(static_cast<int>(i));
    }
  }
  return set;
}

void write_variation(const std::filesystem::path& path,
                     const std::vector<std::vector<LitImage>>& people, const FaceFrame& frame,
                     Index synthetic) {
  VariationPhotos real;
  real.frame = frame;
  for (std::size_t p = 0; p < people.size(); ++p) {
    for (const LitImage& photo : people[p]) {
      // About as fine as the table.
      real.photos.push_back(degrade(photo.image, {48, 42}, {OperatorKind::kArea}));
      real.subjects.push_back(static_cast<int>(p));
    }
  }
  write_file(
      path, variation_source({real, synthetic_people(synthetic)}, kEvenDeviations, kOddDeviations));
}

MeanFaceStatistics statistics_from_yaleb(const std::string& folder,
                                         const NormalsArguments& arguments, Size size,
                                         Context& context) {
  const Dataset dataset =
      first_people(load_dataset(folder, DatasetFormat::kYaleB), arguments.people);
  if (!dataset.aligned) throw Error("The images in {} are not cropped alike.", folder);
  FaceReadOptions reading;
  reading.size = size;
  FaceReader reader(reading);
  TerminalProgress terminal(context.quiet);
  door::CallbackProgress progress;
  progress.use(terminal.callback());
  const LoadedFaces loaded = read_faces(dataset, reader, progress);
  report_rejections(door::outer(loaded.rejections));
  const std::vector<std::vector<LitImage>> people = lit_people(loaded, dataset);
  if (!arguments.variation.empty()) {
    write_variation(arguments.variation, people, *dataset.aligned, arguments.synthetic);
  }
  return mean_face_of_people(people, *dataset.aligned, {}, progress);
}

NormalMap measured_normals(const NormalsArguments& arguments, Size size, Context& context) {
  const std::string& from = arguments.from;
  if (from == "builtin") return normals_of_shape(mean_face_shape(), FaceFrame(), size);
  if (from.starts_with("yaleb:")) {
    const MeanFaceStatistics statistics =
        statistics_from_yaleb(from.substr(6), arguments, size, context);
    if (!arguments.albedo.empty()) write_file(arguments.albedo, builtin_prior_source(statistics));
    return statistics.normals;
  }
  if (from.starts_with("mesh:")) {
    MeshViewOptions view;
    view.tilt = arguments.tilt;
    return normals_of_mesh(read_obj(from.substr(5)), FaceFrame(), size, view);
  }
  throw Error("--from must be yaleb:DIR, mesh:FILE.obj or builtin, not \"{}\".", from);
}

int run_normals(const NormalsArguments& arguments, Context& context) {
  if (!(arguments.albedo + arguments.variation).empty() && !arguments.from.starts_with("yaleb:")) {
    throw Error("--albedo and --variation need --from yaleb:DIR, since a shape has no photos.");
  }
  const NormalMap map = measured_normals(arguments, parse_size(arguments.size), context);
  write_normal_map(arguments.out, map);
  if (!arguments.picture.empty()) write_image(arguments.picture, normals_as_color(map));
  std::string summary = fmt::format("{} normals, {:.0f} % of them on the face\n",
                                    to_string(map.size), 100.0 * map.mask.mean());
  if (!arguments.fit.empty()) {
    const ShapeFit fit =
        arguments.mesh.empty() ? fit_shape(map) : fit_mean_face(map, read_obj(arguments.mesh));
    write_file(arguments.fit, mean_face_source(fit.shape));
    summary += fmt::format("{} Gaussians fit them to {:.1f} degrees on average\n",
                           fit.shape.terms().size(), fit.mean_angle);
  }
  return after_change([&] { print_result(summary); });
}

}  // namespace

Action add_normals(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<NormalsArguments>();
  CLI::App* command =
      add_command(app, "normals", "Measure or write a mean normal map of faces.",
                  "longshot normals --from builtin --out mean.normals --picture mean.png");
  NormalsArguments& a = *arguments;
  command->add_option("--from", a.from, "yaleb:DIR, mesh:FILE.obj or builtin")->required();
  command->add_option("--size", a.size, "Rows x columns")->capture_default_str();
  command->add_option("--people", a.people, "yaleb: use the first so many people")
      ->capture_default_str();
  command->add_option("--tilt", a.tilt, "mesh: turn the head forward by so many degrees")
      ->capture_default_str();
  command->add_option("--out", a.out, "File for the normal map")->required();
  command->add_option("--picture", a.picture, "Also write it as a colour image");
  command->add_option("--fit", a.fit, "Also fit the analytic face and write it as C++ source");
  command->add_option("--mesh", a.mesh, "Head mesh (.obj) that guides the fit around the face");
  command->add_option("--albedo", a.albedo,
                      "yaleb: also write mean and deviation of the albedo as C++ source");
  command->add_option("--variation", a.variation,
                      "yaleb: also write how photos of one person vary as C++ source");
  command
      ->add_option("--synthetic", a.synthetic,
                   "Synthetic people that the variation is learnt from as well")
      ->capture_default_str();
  return [arguments, &context] { return run_normals(*arguments, context); };
}

}  // namespace longshot::cli
