// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/dataset/face_reader.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/image/sheet.h"
#include "longshot/relight/builtin_prior.h"
#include "longshot/relight/relight.h"

#include "commands.h"
#include "face_options.h"

namespace longshot::cli {
namespace {

namespace fs = std::filesystem;

struct RelightArguments {
  std::string photo;
  std::string high = "48x40";
  std::string low = "12x10";
  std::string lights = "9";
  double ambient = 0.0;
  std::string out;
  std::string sheet;
  FaceArguments face;
};

Face read_face(const RelightArguments& arguments, Size size) {
  Dataset dataset = load_dataset(arguments.photo);
  FaceReadOptions reading;
  reading.size = size;
  apply_face_options(arguments.face, dataset, reading);
  if (dataset.samples.size() != 1) {
    throw Error("relight takes one photo, but {} holds {}.", arguments.photo,
                dataset.samples.size());
  }
  return FaceReader(reading).read(dataset.samples[0], dataset.aligned);
}

// Albedo and relit images have no natural white; the brightest hundredth of the face becomes white.
double white_level(const Vector& values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() * 99 / 100);
  std::nth_element(sorted.begin(), at, sorted.end());
  return std::max(*at, 1e-9);
}

std::string light_json(const LightEstimate& light) {
  const LightDirection direction = light_direction(light.source);
  const nlohmann::ordered_json document = {
      {"azimuth", direction.azimuth},
      {"elevation", direction.elevation},
      {"strength", light.strength()},
      {"ambient", light.ambient},
      {"vector", {light.source.x(), light.source.y(), light.source.z()}},
      {"estimate", to_string(light.reason)},
  };
  return document.dump(2) + "\n";
}

// Original, normals and albedo, then the relit images, and below the same at the low resolution.
ColorImage relighting_sheet(const Image& photo, const ColorImage& normals, const Image& albedo,
                            const std::vector<Image>& relit, Size low) {
  constexpr Index kEnlarged = 3;
  const Size shown{kEnlarged * photo.rows(), kEnlarged * photo.cols()};
  const DegradeOperator repeat{OperatorKind::kArea};
  const auto plane = [&](const Image& normals_plane) {
    std::vector<Image> tiles = {photo, normals_plane, albedo};
    tiles.insert(tiles.end(), relit.begin(), relit.end());
    std::vector<Image> all;
    for (const Image& tile : tiles) all.push_back(degrade(tile, shown, repeat));
    for (const Image& tile : tiles) all.push_back(degrade(degrade(tile, low), shown, repeat));
    return contact_sheet(all, static_cast<Index>(tiles.size()), 6);
  };
  return {plane(normals.red), plane(normals.green), plane(normals.blue)};
}

int run_relight(const RelightArguments& arguments) {
  const Size size = parse_size(arguments.high);
  const Face face = read_face(arguments, size);
  RelightOptions options;
  options.lights = parse_lights(arguments.lights);
  options.mirroring = Mirroring::kNone;
  options.ambient = arguments.ambient;
  options.cast_shadows = true;
  RelightModel model;
  model.normals = normals_of_shape(mean_face_shape(), face.frame, size);
  model.shape = mean_face_shape();
  model.prior = builtin_albedo_prior(face.frame, size);
  const Relighter relighter(model, options);
  const RelitSet relit = relighter.relight(face.image);

  const fs::path out = arguments.out;
  fs::create_directories(out);
  const auto picture = [&](const Vector& values, double white) -> Image {
    return (values / white).reshaped(size.rows, size.cols);
  };
  const Image albedo = picture(relit.albedo.albedo, white_level(relit.albedo.albedo));
  const ColorImage normals = normals_as_color(relighter.model().normals);
  write_image(out / "albedo.png", albedo);
  write_image(out / "normals.png", normals);
  write_file(out / "light.json", light_json(relit.light));
  const double white = white_level(relit.images.rowwise().maxCoeff());
  std::vector<Image> images;
  for (Index k = 0; k < relit.images.cols(); ++k) {
    const LightDirection& light = relighter.labels()[static_cast<std::size_t>(k)].light;
    images.push_back(picture(relit.images.col(k), white));
    write_image(out / fmt::format("relit_{:.0f}_{:.0f}.png", light.azimuth, light.elevation),
                images.back());
  }
  if (!arguments.sheet.empty()) {
    write_image(arguments.sheet,
                relighting_sheet(face.image, normals, albedo, images, parse_size(arguments.low)));
  }
  const LightDirection direction = light_direction(relit.light.source);
  return after_change([&] {
    print_result(
        fmt::format("Light from azimuth {:.0f}, elevation {:.0f} degrees ({}); {} images in {}\n",
                    direction.azimuth, direction.elevation, to_string(relit.light.reason),
                    images.size(), out.string()));
  });
}

}  // namespace

Action add_relight(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<RelightArguments>();
  CLI::App* command =
      add_command(app, "relight", "Show a photographed face under other lights.",
                  "longshot relight photo.jpg --lights 9 --out lit --sheet lit.png");
  RelightArguments& a = *arguments;
  command->add_option("photo", a.photo, "Photo of one face")->required();
  command->add_option("--hr", a.high, "Rows x columns of the face")->capture_default_str();
  command->add_option("--lr", a.low, "Low resolution shown on the sheet")->capture_default_str();
  command->add_option("--lights", a.lights, "5, 9, 10, 28 or az:el,az:el,... in degrees")
      ->capture_default_str();
  command->add_option("--ambient", a.ambient, "Light from everywhere, against the source")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10.0));
  command->add_option("--out", a.out, "Folder for the images")->required();
  command->add_option("--sheet", a.sheet, "Also write one picture with all of them");
  add_face_options(*command, a.face);
  return [arguments] { return run_relight(*arguments); };
}

}  // namespace longshot::cli
