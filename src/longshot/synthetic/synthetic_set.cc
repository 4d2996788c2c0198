// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_set.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/dataset/manifest.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("Cannot make the folder {}: {}.", folder.string(), error.message());
}

// "az+032_el-05": where the main lamp is.
std::string light_name(const SyntheticLighting& lighting) {
  const SyntheticLight& main = lighting.lights.front();
  return fmt::format("az{:+04.0f}_el{:+03.0f}", main.azimuth, main.elevation);
}

}  // namespace

void SyntheticSetOptions::check() const {
  if (people < 1 || people > 1'000'000) {
    throw Error("The number of synthetic people must be 1 to 1000000, not {}.", people);
  }
  if (photos < 1 || photos > 1000) {
    throw Error("The number of photos of a synthetic person must be 1 to 1000, not {}.", photos);
  }
  if (size.rows < 1 || size.cols < 1 || size.rows > 4000 || size.cols > 4000) {
    throw Error("The size of a synthetic photo must be 44x37 to 4000x4000, not {}.",
                to_string(size));
  }
  if (training < 0 || training > 1'000'000) {
    throw Error("The number of synthetic people to train on must be 0 to 1000000, not {}.",
                training);
  }
  portrait_options(*this, 0).check();
}

FaceFrame portrait_frame(Size size) {
  const auto rows = static_cast<double>(size.rows);
  const auto cols = static_cast<double>(size.cols);
  const double half = 0.5 * std::min(0.28 * cols, 0.234 * rows);
  FaceFrame frame;
  frame.aspect = rows / cols;
  frame.eyes = {{0.5 - half / cols, 0.44}, {0.5 + half / cols, 0.44}};
  return frame;
}

SyntheticPhotoOptions portrait_options(const SyntheticSetOptions& options, Index photo) {
  SyntheticPhotoOptions portrait;
  portrait.size = options.size;
  portrait.frame = portrait_frame(options.size);
  portrait.alignment = 0.0;
  portrait.shift = 0.10;
  portrait.roll = 4.0;
  portrait.scale = 0.06;
  if (photo == 0) portrait.lighting = frontal_lighting();
  return portrait;
}

std::vector<Sample> write_synthetic_set(const std::filesystem::path& folder,
                                        const SyntheticSetOptions& options, Progress& progress) {
  options.check();
  make_folder(folder);
  const Index people = options.people + options.training;
  std::vector<Sample> samples(static_cast<std::size_t>(people * options.photos));
  ProgressScope scope(progress, "Photographing synthetic people", people * options.photos);
  parallel_for(people, [&](Index i) {
    const SyntheticPerson person = make_person(options.seed, i);
    const std::string name = fmt::format("person_{:05}", i);
    make_folder(folder / name);
    for (Index k = 0; k < options.photos; ++k) {
      const SyntheticPhoto photo =
          take_photo(person, portrait_options(options, k), static_cast<std::uint64_t>(k));
      Sample& sample = samples[static_cast<std::size_t>(i * options.photos + k)];
      sample.path = folder / name / fmt::format("{:02}.png", k);
      sample.subject = name;
      sample.session = "1";
      sample.condition = light_name(photo.lighting);
      sample.role = i >= options.people ? Role::kTrain : k == 0 ? Role::kGallery : Role::kProbe;
      sample.eyes = photo.eyes;
      write_image(sample.path, photo.image);
      scope.advance();
    }
  });
  write_manifest(folder / "manifest.csv", samples);
  return samples;
}

}  // namespace longshot
