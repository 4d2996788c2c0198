// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/protocol.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/dataset/manifest.h"

namespace longshot {
namespace {

Sample sample(Index subject, std::string condition, std::string session = "",
              Role role = Role::kUnspecified) {
  Sample one;
  one.subject = fmt::format("s{:03}", subject);
  one.condition = std::move(condition);
  one.session = std::move(session);
  one.role = role;
  one.path = fmt::format("{}_{}_{}.png", one.subject, one.session, one.condition);
  return one;
}

Dataset pie_like() {
  Dataset dataset;
  for (Index s = 0; s < 68; ++s) {
    for (int light = 1; light <= 21; ++light) {
      dataset.samples.push_back(sample(s, fmt::format("i{:02}", light)));
    }
  }
  return dataset;
}

std::set<std::string> subjects_of(const Dataset& dataset, const std::vector<Index>& samples) {
  std::set<std::string> subjects;
  for (const Index i : samples) {
    subjects.insert(dataset.samples[static_cast<std::size_t>(i)].subject);
  }
  return subjects;
}

TEST(Protocol, PieHasThePapersCounts) {
  const Dataset dataset = pie_like();
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset, {3});
  ASSERT_EQ(plan.draws.size(), 3u);
  std::set<std::vector<Index>> trained;
  for (const Draw& draw : plan.draws) {
    EXPECT_EQ(draw.train.size(), 34u * 6u);
    ASSERT_EQ(draw.runs.size(), 15u);
    for (const longshot::Run& run : draw.runs) {
      EXPECT_EQ(run.gallery.size(), 34u);
      EXPECT_EQ(run.probes.size(), 476u);
      for (const Index i : run.gallery) {
        EXPECT_EQ(dataset.samples[static_cast<std::size_t>(i)].condition, run.label);
      }
    }
    EXPECT_EQ(*subjects_of(dataset, draw.train).rbegin(), "s033");
    EXPECT_EQ(*subjects_of(dataset, draw.runs[0].gallery).begin(), "s034");
    trained.insert(draw.train);
  }
  EXPECT_EQ(trained.size(), 3u) << "each draw has other lights";
}

TEST(Protocol, SwappedHalvesTrainOnTheOthers) {
  const Dataset dataset = pie_like();
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset, {1, 1, true});
  EXPECT_EQ(*subjects_of(dataset, plan.draws[0].train).begin(), "s034");
}

TEST(Protocol, YaleBLeavesAmbientLightOut) {
  Dataset dataset;
  for (Index s = 0; s < 38; ++s) {
    for (const char* light : {"A+000E+00", "A+010E+00", "A-025E+10", "Ambient"}) {
      dataset.samples.push_back(sample(s, light));
    }
  }
  const Draw draw = plan_protocol(ProtocolKind::kYaleB, dataset).draws.at(0);
  EXPECT_EQ(draw.train.size(), 19u * 3u);
  EXPECT_EQ(draw.gallery_like.size(), 19u);
  ASSERT_EQ(draw.runs.size(), 1u);
  EXPECT_EQ(draw.runs[0].gallery.size(), 19u);
  EXPECT_EQ(draw.runs[0].probes.size(), 38u);
}

Dataset ar_like() {
  Dataset dataset;
  for (Index s = 0; s < 100; ++s) {
    for (const char* session : {"1", "2"}) {
      for (int view = 1; view <= 7; ++view) {
        dataset.samples.push_back(sample(s, fmt::format("{:02}", view), session));
      }
    }
  }
  return dataset;
}

TEST(Protocol, ArHasBothReadingsOfCorresponding) {
  const Dataset dataset = ar_like();
  const Draw all = plan_protocol(ProtocolKind::kAr, dataset).draws.at(0);
  EXPECT_EQ(all.train.size(), 30u * 7u);
  ASSERT_EQ(all.runs.size(), 7u);
  EXPECT_EQ(all.runs[0].gallery.size(), 70u);
  EXPECT_EQ(all.runs[0].probes.size(), 490u);
  ProtocolOptions options;
  options.corresponding = true;
  const Draw same = plan_protocol(ProtocolKind::kAr, dataset, options).draws.at(0);
  EXPECT_EQ(same.runs[6].probes.size(), 70u);
}

// The counts of the paper's FRGC experiment.
Dataset frgc_like() {
  Dataset dataset;
  for (Index s = 0; s < 152; ++s) {
    dataset.samples.push_back(sample(s, "0", "", Role::kGallery));
    for (int k = 1; k <= 4; ++k) {
      dataset.samples.push_back(sample(s, fmt::format("{}", k), "", Role::kProbe));
    }
  }
  for (Index s = 152; s < 152 + 183; ++s) {
    dataset.samples.push_back(sample(s, "0", "", Role::kTrain));
  }
  return dataset;
}

TEST(Protocol, RolesAreTakenFromTheManifest) {
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kFrgc, frgc_like());
  const Draw& draw = plan.draws.at(0);
  EXPECT_EQ(draw.train.size(), 183u);
  EXPECT_EQ(draw.runs.at(0).gallery.size(), 152u);
  EXPECT_EQ(draw.runs.at(0).probes.size(), 608u);
  EXPECT_EQ(plan.lights.size(), 5u);
}

TEST(Protocol, RefusesWhatDoesNotFit) {
  EXPECT_THROW(plan_protocol(ProtocolKind::kRoles, pie_like()), Error);
  EXPECT_THROW(plan_protocol(ProtocolKind::kPie, frgc_like()), Error);
  EXPECT_THROW(plan_protocol(ProtocolKind::kPie, pie_like(), {0}), Error);
  Dataset mixed = frgc_like();
  mixed.samples.push_back(sample(0, "9", "", Role::kTrain));
  EXPECT_THROW(plan_protocol(ProtocolKind::kRoles, mixed), Error);
  EXPECT_THROW(parse_protocol("lfw"), Error);
}

TEST(Protocol, ASavedRunIsTheSameRunAgain) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "longshot-protocol-test";
  std::filesystem::create_directories(folder);
  Dataset dataset = pie_like();
  for (Sample& one : dataset.samples) {
    one.path = folder / one.path;
    std::ofstream(one.path) << "P5";
  }
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset);
  save_plan(plan, dataset, folder);
  const Dataset saved = read_manifest(folder / "draw1-run15.csv");
  std::filesystem::remove_all(folder);
  const Draw again = plan_protocol(ProtocolKind::kRoles, saved).draws.at(0);
  EXPECT_EQ(again.train.size(), 204u);
  EXPECT_EQ(again.runs[0].gallery.size(), 34u);
  EXPECT_EQ(again.runs[0].probes.size(), 476u);
  EXPECT_EQ(saved.samples[static_cast<std::size_t>(again.runs[0].gallery[0])].condition,
            plan.draws[0].runs[14].label);
}

}  // namespace
}  // namespace longshot
