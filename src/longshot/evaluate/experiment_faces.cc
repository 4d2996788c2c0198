// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_faces.h"

#include <algorithm>
#include <set>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/image/degrade.h"
#include "longshot/image/middle_size.h"

namespace longshot {
namespace {

constexpr Size kLargestDefault = {48, 40};

// What is enrolled or learnt from; probes may be smaller from the start.
std::vector<Index> sharp_samples(const ProtocolPlan& plan) {
  std::vector<Index> samples;
  for (const Draw& draw : plan.draws) {
    for (const Run& run : draw.runs) {
      samples.insert(samples.end(), run.gallery.begin(), run.gallery.end());
    }
    samples.insert(samples.end(), draw.train.begin(), draw.train.end());
  }
  return samples;
}

// The images' own size where they are crops of at most 48x40, otherwise 48x40.
Size choose_high(const Dataset& dataset, const ProtocolPlan& plan,
                 const ExperimentOptions& options) {
  if (options.high) return *options.high;
  const bool aligned = dataset.aligned || options.reading.aligned;
  if (!aligned) return kLargestDefault;
  SampleReader reader(options.reading.limits);
  for (const Index i : sharp_samples(plan)) {
    try {
      const Size own = size_of(reader.read(dataset.samples[static_cast<std::size_t>(i)]));
      const bool small = own.rows <= kLargestDefault.rows && own.cols <= kLargestDefault.cols;
      return small ? own : kLargestDefault;
    } catch (const Error&) {
      continue;  // reported with all others when the faces are read
    }
  }
  return kLargestDefault;
}

std::set<Index> probe_samples(const ProtocolPlan& plan) {
  std::set<Index> probes;
  for (const Draw& draw : plan.draws) {
    for (const Run& run : draw.runs) probes.insert(run.probes.begin(), run.probes.end());
  }
  return probes;
}

Size common_size(const std::vector<Image>& faces) {
  std::vector<Size> sizes;
  for (const Image& face : faces) {
    if (face.size() != 0) sizes.push_back(size_of(face));
  }
  if (sizes.empty()) throw Error("No probe could be used.");
  return middle_size(std::move(sizes));
}

void read_native_probes(const Dataset& dataset, const ProtocolPlan& plan,
                        const ExperimentOptions& options, ExperimentFaces& faces) {
  FaceReadOptions reading = options.reading;
  reading.size = {0, 0};
  if (!reading.aligned) reading.aligned = faces.frame;
  FaceReader reader(reading);
  faces.native_faces.resize(dataset.samples.size());
  for (const Index i : probe_samples(plan)) {
    const auto at = static_cast<std::size_t>(i);
    if (faces.high_faces[at].size() == 0) continue;  // rejected before
    faces.native_faces[at] = reader.read(dataset.samples[at], dataset.aligned).image;
  }
  // More pixels than the gallery has would say nothing.
  const Size common = common_size(faces.native_faces);
  faces.native = {std::min(common.rows, faces.high.rows), std::min(common.cols, faces.high.cols)};
  for (Image& face : faces.native_faces) {
    if (face.size() != 0 && size_of(face) != faces.native) face = degrade(face, faces.native);
  }
}

std::vector<Index> usable(const std::vector<Index>& samples, const ExperimentFaces& faces) {
  std::vector<Index> kept;
  for (const Index i : samples) {
    if (faces.high_faces[static_cast<std::size_t>(i)].size() != 0) kept.push_back(i);
  }
  return kept;
}

}  // namespace

ExperimentFaces read_experiment_faces(const Dataset& dataset, const ProtocolPlan& plan,
                                      const ExperimentOptions& options, Progress& progress) {
  ExperimentFaces faces;
  faces.high = choose_high(dataset, plan, options);
  FaceReadOptions reading = options.reading;
  reading.size = faces.high;
  faces.frame = reading.aligned ? *reading.aligned : dataset.aligned.value_or(reading.frame);
  FaceReader reader(reading);
  LoadedFaces loaded = read_faces(dataset, reader, progress);
  if (loaded.faces.empty()) throw Error("None of the images could be used.");
  faces.rejections = std::move(loaded.rejections);
  faces.high_faces.resize(dataset.samples.size());
  for (std::size_t k = 0; k < loaded.faces.size(); ++k) {
    faces.high_faces[static_cast<std::size_t>(loaded.samples[k])] =
        std::move(loaded.faces[k].image);
  }
  if (options.sizes.empty()) read_native_probes(dataset, plan, options, faces);
  return faces;
}

ProtocolPlan without_rejected(const ProtocolPlan& plan, const ExperimentFaces& faces) {
  ProtocolPlan kept = plan;
  for (Draw& draw : kept.draws) {
    draw.train = usable(draw.train, faces);
    draw.gallery_like = usable(draw.gallery_like, faces);
    for (Run& run : draw.runs) {
      run.gallery = usable(run.gallery, faces);
      run.probes = usable(run.probes, faces);
      if (run.gallery.empty() || run.probes.empty()) {
        throw Error("No image of the gallery or of the probes of \"{}\" could be used.", run.label);
      }
    }
  }
  return kept;
}

Matrix columns_of(const std::vector<Image>& faces, const std::vector<Index>& samples) {
  if (samples.empty()) return {};
  Matrix columns(faces[static_cast<std::size_t>(samples[0])].size(),
                 static_cast<Index>(samples.size()));
  for (std::size_t k = 0; k < samples.size(); ++k) {
    columns.col(static_cast<Index>(k)) = faces[static_cast<std::size_t>(samples[k])].reshaped();
  }
  return columns;
}

}  // namespace longshot
