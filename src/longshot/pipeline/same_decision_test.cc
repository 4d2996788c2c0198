// SPDX-License-Identifier: Apache-2.0
// Evaluate and identify give the same answers for the same people, photos and probes.
#include <algorithm>
#include <vector>

#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/small_experiment_test.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/identifier.h"

namespace longshot {
namespace {

class SameDecision : public SmallExperiment {
 protected:
  // 24 people, of whom probes are shown that a camera has made, and 8 strangers.
  void SetUp() override {
    options_.sizes.clear();
    options_.scores = true;
    for (Index i = 0; i < 24; ++i) add(i, face(i, 0), Role::kGallery);
    for (Index i = 0; i < 32; ++i) {
      add(i, degrade(face(i, 1), {12, 10}, parse_operator("gauss:1.2")), Role::kProbe);
    }
  }

  void compare(const std::vector<Identification>& answers, const Experiment& experiment) const {
    ASSERT_EQ(answers.size(), experiment.scores.size());
    Index known = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const ProbeScores& line = experiment.scores[i];
      EXPECT_EQ(answers[i].path, line.probe);
      EXPECT_EQ(answers[i].size, line.size);
      EXPECT_EQ(answers[i].known, line.known) << line.probe;
      ASSERT_EQ(answers[i].candidates.size(), line.candidates.size());
      const Candidate& first = answers[i].candidates.front();
      // Residuals are the distances in another unit, from another zero.
      const double unit = (line.candidates.back().distance - line.candidates[0].distance) /
                          (answers[i].candidates.back().residual - first.residual);
      EXPECT_GT(unit, 0.0);
      for (std::size_t k = 0; k < line.candidates.size(); ++k) {
        const Candidate& candidate = answers[i].candidates[k];
        EXPECT_EQ(candidate.person, line.candidates[k].person);
        EXPECT_NEAR((candidate.residual - first.residual) * unit,
                    line.candidates[k].distance - line.candidates[0].distance, 1e-5 * unit);
        EXPECT_NEAR(candidate.score, line.candidates[k].score, 1e-5);
      }
      known += line.known ? 1 : 0;
    }
    EXPECT_GT(known, 0);
    EXPECT_LT(known, static_cast<Index>(answers.size()));
  }

  // The people are enrolled in the order of their names, or so that none comes in its turn.
  void check(bool camera, bool shuffled = false) {
    GalleryStore gallery(folder_ / "people.gallery", GalleryStore::Access::kCreate);
    write_setup(gallery, {});
    EnrolOptions force;
    force.force = true;
    std::vector<Input> photos = list_inputs({dataset_}, Role::kGallery);
    if (shuffled) {
      std::ranges::reverse(photos);
      std::rotate(photos.begin(), photos.begin() + 7, photos.end());
    }
    enrol(gallery, photos, force);
    // In the order of the experiment, which is that of the samples.
    std::vector<Input> probes;
    for (const Sample& sample : dataset_.samples) {
      if (sample.role == Role::kProbe) {
        probes.push_back({sample.path.string(), sample, dataset_.aligned, ""});
      }
    }
    options_.learn_camera = camera;
    IdentifyOptions identify;
    identify.top = 10;
    identify.learn_camera = camera;
    options_.fpir = identify.fpir = 0.3;  // one at which both decisions occur
    compare(Identifier(gallery, identify).identify(probes).answers, run());
  }
};

TEST_F(SameDecision, WithoutACamera) {
  check(false);
}

TEST_F(SameDecision, WithACamera) {
  check(true);
}

TEST_F(SameDecision, InWhateverOrderPeopleAreEnrolled) {
  check(false, true);
}

TEST_F(SameDecision, InWhateverOrderPeopleAreEnrolledWithACamera) {
  check(true, true);
}

}  // namespace
}  // namespace longshot
