// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/door.h"  // before the modules: it keeps the two faces apart
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/image/sheet.h"

namespace longshot::v0 {
namespace {

constexpr Index kEnlarged = 3;

// Albedo and relit images have no natural white; the brightest hundredth of the face becomes white.
double white_level(const Image& image) {
  std::vector<double> sorted(image.data(), image.data() + image.size());
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() * 99 / 100);
  std::nth_element(sorted.begin(), at, sorted.end());
  return std::max(*at, 1e-9);
}

struct RelitPictures {
  Image face;
  Image albedo;
  ColorImage normals;
  std::vector<Image> images;  // on one scale
};

RelitPictures pictures_of(const Relit& relit) {
  RelitPictures pictures;
  pictures.face = door::inner(relit.face);
  pictures.albedo = door::inner(relit.albedo);
  pictures.albedo /= white_level(pictures.albedo);
  pictures.normals = {door::inner(relit.normals[0]), door::inner(relit.normals[1]),
                      door::inner(relit.normals[2])};
  Image brightest;
  for (const Plane& plane : relit.images) {
    pictures.images.push_back(door::inner(plane));
    const Image& image = pictures.images.back();
    brightest = brightest.size() == 0 ? image : Image(brightest.cwiseMax(image));
  }
  if (brightest.size() == 0) throw Error("There is no image of a relit face.");
  const double white = white_level(brightest);
  for (Image& image : pictures.images) image /= white;
  return pictures;
}

std::string light_json(const Relit& relit) {
  const nlohmann::ordered_json document = {
      {"azimuth", relit.light.azimuth}, {"elevation", relit.light.elevation},
      {"strength", relit.strength},     {"ambient", relit.ambient},
      {"vector", relit.source},         {"estimate", relit.estimate},
  };
  return document.dump(2) + "\n";
}

}  // namespace

void write_relit(const std::filesystem::path& folder, const Relit& relit) {
  door::translated([&] {
    const RelitPictures pictures = pictures_of(relit);
    std::filesystem::create_directories(folder);
    write_image(folder / "albedo.png", pictures.albedo);
    write_image(folder / "normals.png", pictures.normals);
    longshot::write_file(folder / "light.json", light_json(relit));
    for (std::size_t k = 0; k < pictures.images.size(); ++k) {
      const Light& light = relit.lights[k];
      write_image(folder / fmt::format("relit_{:.0f}_{:.0f}.png", light.azimuth, light.elevation),
                  pictures.images[k]);
    }
  });
}

void write_relit_sheet(const std::filesystem::path& path, const Relit& relit, Size low) {
  door::translated([&] {
    const RelitPictures pictures = pictures_of(relit);
    const longshot::Size shown{kEnlarged * relit.face.size.rows, kEnlarged * relit.face.size.cols};
    const DegradeOperator repeat{OperatorKind::kArea};
    const auto plane = [&](const Image& normals_plane) {
      std::vector<Image> tiles = {pictures.face, normals_plane, pictures.albedo};
      tiles.insert(tiles.end(), pictures.images.begin(), pictures.images.end());
      std::vector<Image> all;
      for (const Image& tile : tiles) all.push_back(longshot::degrade(tile, shown, repeat));
      for (const Image& tile : tiles) {
        all.push_back(longshot::degrade(longshot::degrade(tile, door::inner(low)), shown, repeat));
      }
      return contact_sheet(all, static_cast<Index>(tiles.size()), 6);
    };
    write_image(path, ColorImage{plane(pictures.normals.red), plane(pictures.normals.green),
                                 plane(pictures.normals.blue)});
  });
}

}  // namespace longshot::v0
