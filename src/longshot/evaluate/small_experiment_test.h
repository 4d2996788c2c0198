// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: crops of synthetic people on disk, as an experiment by roles.

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/evaluate/experiment.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {

class SmallExperiment : public testing::Test {
 protected:
  SmallExperiment()
      : folder_(std::filesystem::path(testing::TempDir()) /
                fmt::format("small_experiment_{}", getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    dataset_.aligned = FaceFrame();
    options_.methods = {"longshot"};
    options_.method.profile = Profile::kBest;
    options_.sizes = {{7, 6}};
  }
  ~SmallExperiment() override { std::filesystem::remove_all(folder_); }

  // Person numbers of two digits, so that names and numbers have one order.
  static std::string name(Index person) { return fmt::format("person_{:02}", person); }

  static Image face(Index person, std::uint64_t photo) {
    SyntheticPhotoOptions options;
    if (photo == 0) options.lighting = frontal_lighting();
    return take_photo(make_person(3, person), options, photo).image;
  }
  Index add(Index person, const Image& image, Role role) {
    Sample sample;
    sample.path = folder_ / fmt::format("{:03}_{}.png", dataset_.samples.size(), person);
    sample.subject = name(person);
    sample.role = role;
    write_image(sample.path, image);
    dataset_.samples.push_back(sample);
    return static_cast<Index>(dataset_.samples.size()) - 1;
  }
  // People `first` to `last - 1`: a gallery photo and a probe.
  void add_people(Index first, Index last) {
    for (Index i = first; i < last; ++i) add(i, face(i, 0), Role::kGallery);
    add_probes(first, last);
  }
  void add_probes(Index first, Index last) {
    for (Index i = first; i < last; ++i) add(i, face(i, 1), Role::kProbe);
  }
  ProtocolPlan plan() const { return plan_protocol(ProtocolKind::kRoles, dataset_); }
  Experiment run() const { return run_experiment(dataset_, plan(), options_); }

  std::filesystem::path folder_;
  Dataset dataset_;
  ExperimentOptions options_;
};

}  // namespace longshot
