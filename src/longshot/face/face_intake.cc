// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_intake.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/dataset/shown_path.h"
#include "longshot/face/size_ladder.h"
#include "longshot/image/align.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr double kSameFrame = 0.01;  // of the crop's width and height
// Grey levels of 255 between which everything lies on a probe that shows nothing.
constexpr double kLeastRange = 2.0;

bool same_frame(const FaceFrame& a, const FaceFrame& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= kSameFrame; };
  return near(a.eyes.left.x, b.eyes.left.x) && near(a.eyes.left.y, b.eyes.left.y) &&
         near(a.eyes.right.x, b.eyes.right.x) && near(a.eyes.right.y, b.eyes.right.y) &&
         std::abs(a.aspect - b.aspect) <= 0.05 * b.aspect;
}

FaceReadOptions reading(const IntakeOptions& options) {
  FaceReadOptions read;
  read.frame = options.frame;
  read.size = options.high;
  read.detector = options.detector;
  read.judge_crops = true;
  read.limits = options.limits;
  return read;
}

void check_visible(const Image& face) {
  const double range = 255.0 * (face.maxCoeff() - face.minCoeff());
  if (range < kLeastRange) {
    throw Error("Nothing can be seen on it: all pixels lie within {:.1f} of 255 grey levels.",
                range);
  }
}

}  // namespace

std::vector<Input> list_inputs(const std::vector<Dataset>& datasets, Role role) {
  std::vector<Input> inputs;
  for (const Dataset& dataset : datasets) {
    const auto has_role = [&](const Sample& sample) { return sample.role == role; };
    const bool by_role = std::any_of(dataset.samples.begin(), dataset.samples.end(), has_role);
    const auto begin = static_cast<std::ptrdiff_t>(inputs.size());
    for (const Sample& sample : dataset.samples) {
      if (by_role && !has_role(sample)) continue;
      inputs.push_back({shown_path(sample), sample, dataset.aligned, ""});
    }
    for (const Rejection& rejection : dataset.rejections) {
      inputs.push_back({rejection.path, {}, {}, rejection.reason});
    }
    std::stable_sort(inputs.begin() + begin, inputs.end(), [](const Input& a, const Input& b) {
      const fs::path first = a.problem.empty() ? a.sample.path : fs::path(a.path);
      const fs::path second = b.problem.empty() ? b.sample.path : fs::path(b.path);
      return first < second;
    });
  }
  return inputs;
}

std::vector<Dataset> load_inputs(const std::vector<fs::path>& paths) {
  std::vector<Dataset> datasets;
  Index usable = 0;
  for (const fs::path& path : paths) {
    try {
      datasets.push_back(load_dataset(path));
      ++usable;
    } catch (const Error& error) {
      if (paths.size() == 1) throw;
      Dataset bad;
      bad.rejections.push_back({path.string(), error.what()});
      datasets.push_back(std::move(bad));
    }
  }
  if (usable == 0) {
    if (paths.empty()) throw Error("No images were named.");
    throw Error("None of the {} paths can be used; the first: {}", paths.size(),
                datasets.front().rejections.front().reason);
  }
  return datasets;
}

FaceIntake::FaceIntake(const IntakeOptions& options)
    : options_(options), samples_(options.limits), reader_(reading(options)) {}

Face FaceIntake::locate(const Image& photo, const Input& input) {
  Sample sample = input.sample;
  std::optional<FaceFrame> aligned = input.aligned;
  if (aligned && !same_frame(*aligned, options_.frame)) {
    sample.eyes = eyes_in_pixels(*aligned, size_of(photo));
    aligned.reset();
  }
  Face face = reader_.locate(photo, sample, aligned);
  face.frame = options_.frame;
  return face;
}

DecodedPhoto FaceIntake::read(const Input& input) {
  if (!input.problem.empty()) throw Error("{}", input.problem);
  return input.read ? input.read() : samples_.read_photo(input.sample);
}

Face FaceIntake::face(const Input& input) {
  const DecodedPhoto photo = read(input);
  Face face = locate(photo.image, input);
  face.image = reader_.image_of(face, photo.image, options_.high);
  face.photo_damaged = photo.damaged;
  return face;
}

Probe FaceIntake::probe_of(const Input& input) {
  const DecodedPhoto photo = read(input);
  Probe probe = probe_on(photo.image, input);
  probe.damaged = photo.damaged;
  return probe;
}

Image FaceIntake::probe(const Image& photo, const Input& input) {
  return probe_on(photo, input).image;
}

Probe FaceIntake::probe_on(const Image& photo, const Input& input) {
  const Face face = locate(photo, input);
  const Size native = native_size(face, options_.frame);
  const Image probe = reader_.image_of(
      face, photo,
      {std::min(native.rows, options_.high.rows), std::min(native.cols, options_.high.cols)});
  check_visible(probe);
  return {probe, false, input.found ? input.found : face.found};
}

std::vector<Input> FaceIntake::every_face(const Input& input) {
  if (!input.problem.empty() || input.aligned || input.sample.eyes || input.sample.box) {
    return {input};
  }
  Input bad = input;
  try {
    const std::vector<FoundFace> faces = shared_finder(options_.detector)->find(read(input).image);
    std::vector<Input> inputs(faces.size(), input);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      inputs[i].sample.eyes = faces[i].eyes;
      inputs[i].found = faces[i];
    }
    if (!inputs.empty()) return inputs;
    bad.problem = no_face_in(input.path, options_.detector);
  } catch (const Error& error) {
    bad.problem = error.what();
  }
  return {bad};
}

Image at_size(const Image& probe, Size size) {
  return size_of(probe) == size ? probe : degrade(probe, size);
}

}  // namespace longshot
