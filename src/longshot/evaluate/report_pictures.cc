// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report_pictures.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "longshot/evaluate/base64.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kExamples = 6;
constexpr std::size_t kShownLights = 10;  // more do not fit on a page

const Sample& sample_of(const ReportInput& input, Index i) {
  return input.dataset.samples[static_cast<std::size_t>(i)];
}

const Image& face_of(const ReportInput& input, Index i) {
  return input.experiment.faces[static_cast<std::size_t>(i)];
}

// Without noise and shift, which would only hide what the size does.
Image probe_at(const ReportInput& input, Index i, Size size) {
  return degrade(face_of(input, i), size, input.options.probe_op.value_or(input.options.op));
}

// Largest first: a face falls apart along the row.
std::vector<Size> sizes_of(const Experiment& experiment) {
  std::vector<Size> sizes;
  for (const ExperimentResult& result : experiment.results) {
    if (std::find(sizes.begin(), sizes.end(), result.size) == sizes.end()) {
      sizes.push_back(result.size);
    }
  }
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](Size a, Size b) { return a.pixels() > b.pixels(); });
  return sizes;
}

// Pixels as blocks in the picture itself, as not every printer leaves them alone when it enlarges.
std::string enlarged_uri(const Image& image) {
  constexpr Index kRows = 96;
  const Index times = std::max<Index>(1, kRows / image.rows());
  const Size shown{times * image.rows(), times * image.cols()};
  return picture_uri(degrade(image, shown, {OperatorKind::kArea}));
}

// At most `count` places spread evenly over 0 .. available - 1.
std::vector<std::size_t> spread(std::size_t available, std::size_t count) {
  const std::size_t wanted = std::min(available, count);
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < wanted; ++k) places.push_back(k * available / wanted);
  return places;
}

// Which lights to show, from the left of the face to its right.
std::vector<std::size_t> shown_lights(const std::vector<LightDirection>& lights) {
  std::vector<std::size_t> places = spread(lights.size(), kShownLights);
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(lights[a].azimuth, lights[a].elevation) <
           std::pair(lights[b].azimuth, lights[b].elevation);
  });
  return places;
}

}  // namespace

std::string picture_uri(const Image& image) {
  return "data:image/png;base64," + base64(encode_image(image, ".png"));
}

Json example_pictures(const ReportInput& input) {
  const Run& run = input.plan.draws.front().runs.front();
  std::map<std::string, std::vector<Index>> probes;
  for (const Index i : run.probes) {
    if (face_of(input, i).size() != 0) probes[sample_of(input, i).subject].push_back(i);
  }
  std::vector<std::pair<Index, Index>> pairs;  // gallery photo and probe
  for (const Index i : run.gallery) {
    const auto own = probes.find(sample_of(input, i).subject);
    if (own == probes.end() || face_of(input, i).size() == 0) continue;
    pairs.emplace_back(i, own->second[pairs.size() % own->second.size()]);
  }
  Json examples = Json::array();
  for (const std::size_t place : spread(pairs.size(), kExamples)) {
    const auto [photo, probe] = pairs[place];
    Json low = Json::array();
    for (const Size size : sizes_of(input.experiment)) {
      low.push_back(
          {{"size", to_string(size)}, {"picture", enlarged_uri(probe_at(input, probe, size))}});
    }
    examples.push_back({{"subject", sample_of(input, photo).subject},
                        {"gallery", picture_uri(face_of(input, photo))},
                        {"probe", picture_uri(face_of(input, probe))},
                        {"low", low}});
  }
  return examples;
}

Json relighting_pictures(const ReportInput& input) {
  Json figure = Json::array();
  for (const ShownRelighting& shown : input.experiment.relightings) {
    std::vector<Image> tiles = {face_of(input, shown.sample), shown.albedo};
    Json lights = Json::array();
    for (const std::size_t place : shown_lights(shown.lights)) {
      tiles.push_back(shown.images[place]);
      lights.push_back({shown.lights[place].azimuth, shown.lights[place].elevation});
    }
    const auto row = [&](const std::string& label, bool pixelated, auto&& show) {
      Json pictures = Json::array();
      for (const Image& tile : tiles) pictures.push_back(show(tile));
      return Json{{"label", label}, {"pixelated", pixelated}, {"pictures", pictures}};
    };
    Json rows = Json::array();
    rows.push_back(row(to_string(input.experiment.high), false, picture_uri));
    for (const Size size : sizes_of(input.experiment)) {
      rows.push_back(row(to_string(size), true, [&](const Image& tile) {
        return enlarged_uri(degrade(tile, size, input.options.op));
      }));
    }
    figure.push_back({{"subject", sample_of(input, shown.sample).subject},
                      {"azimuth", shown.estimated.azimuth},
                      {"elevation", shown.estimated.elevation},
                      {"lights", lights},
                      {"rows", rows}});
  }
  return figure;
}

Json confusion_pictures(const ReportInput& input, const ExperimentResult& result) {
  Json list = Json::array();
  for (const ShownConfusion& confusion : result.confusions) {
    const Sample& probe = sample_of(input, confusion.probe_sample);
    list.push_back(
        {{"subject", probe.subject},
         {"chosen", sample_of(input, confusion.chosen_sample).subject},
         {"condition", probe.condition},
         {"margin", confusion.margin},
         {"probe_picture", enlarged_uri(probe_at(input, confusion.probe_sample, result.size))},
         {"true_picture", picture_uri(face_of(input, confusion.true_sample))},
         {"chosen_picture", picture_uri(face_of(input, confusion.chosen_sample))}});
  }
  return list;
}

}  // namespace longshot
