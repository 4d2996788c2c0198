// SPDX-License-Identifier: Apache-2.0
// Open-set identification on real faces through the pipeline, as a user meets it: does the rate of
// strangers who are taken for somebody lie near the one that was asked for? Prints the figures that
// docs/results.md shows.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "longshot/core/random.h"
#include "longshot/core/test_data.h"
#include "longshot/evaluate/protocol.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/trainer.h"

#include "run_program.h"

namespace longshot {
namespace {

constexpr double kFpirs[] = {0.01, 0.1};

struct Counts {
  Index strangers = 0;
  Index taken_for_somebody = 0;
  Index enrolled = 0;
  Index found = 0;
};

std::vector<Input> inputs_of(const Dataset& dataset, const std::vector<Index>& samples) {
  Dataset part;
  part.aligned = dataset.aligned;
  for (const Index i : samples)
    part.samples.push_back(dataset.samples[static_cast<std::size_t>(i)]);
  return list_inputs({part}, Role::kUnspecified);
}

// Half of the people of a run.
std::set<std::string> choose_enrolled(const Dataset& dataset, const Run& run, std::uint64_t seed) {
  std::vector<std::string> people;
  for (const Index i : run.gallery) {
    people.push_back(dataset.samples[static_cast<std::size_t>(i)].subject);
  }
  std::set<std::string> chosen;
  const std::vector<Index> order = Random(seed).permutation(static_cast<Index>(people.size()));
  for (std::size_t k = 0; k < order.size() / 2; ++k) {
    chosen.insert(people[static_cast<std::size_t>(order[k])]);
  }
  return chosen;
}

// One run of the PIE protocol, half of its people enrolled, all of its probes identified.
void count_run(const Dataset& dataset, const Run& run, const std::optional<TrainingFaces>& training,
               Size size, std::uint64_t seed, std::map<double, Counts>& counts) {
  const ScratchFolder folder;
  Gallery gallery(folder / "pie.gallery", Gallery::Access::kCreate);
  GallerySetup setup;
  setup.frame = *dataset.aligned;
  setup.high = {32, 32};
  write_setup(gallery, setup);
  if (training) set_training(gallery, *training);
  const std::set<std::string> enrolled = choose_enrolled(dataset, run, seed);
  std::vector<Input> photos = inputs_of(dataset, run.gallery);
  std::erase_if(photos, [&](const Input& i) { return !enrolled.contains(i.sample.subject); });
  EnrolOptions force;
  force.force = true;
  enrol(gallery, photos, force);
  const std::vector<Input> probes = inputs_of(dataset, run.probes);
  for (const double fpir : kFpirs) {
    IdentifyOptions options;
    options.size = size;
    options.fpir = fpir;
    const std::vector<Identification> answers = Identifier(gallery, options).identify(probes);
    Counts& count = counts[fpir];
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const std::string& subject = probes[i].sample.subject;
      if (enrolled.contains(subject)) {
        ++count.enrolled;
        count.found += answers[i].known && answers[i].candidates[0].person == subject ? 1 : 0;
      } else {
        ++count.strangers;
        count.taken_for_somebody += answers[i].known ? 1 : 0;
      }
    }
  }
}

void measure(bool with_training, bool swapped, Size size) {
  const auto folder = test_data("pie-c27-32x32/illum");
  if (!folder) GTEST_SKIP() << "skipped: no data";
  const Dataset dataset = load_dataset(*folder);
  const ProtocolPlan plan = plan_protocol(ProtocolKind::kPie, dataset, {1, 1, swapped, false});
  std::optional<TrainingFaces> training;
  if (with_training) {
    IntakeOptions options;
    options.frame = *dataset.aligned;
    options.high = {32, 32};
    training = train(inputs_of(dataset, plan.draws[0].train), options).faces;
  }
  std::map<double, Counts> counts;
  for (std::size_t r = 0; r < plan.draws[0].runs.size(); ++r) {
    count_run(dataset, plan.draws[0].runs[r], training, size, 1 + r, counts);
  }
  for (const auto& [fpir, count] : counts) {
    const double measured =
        static_cast<double>(count.taken_for_somebody) / static_cast<double>(count.strangers);
    fmt::print("  {} {:<8} {} asked {:<4} measured {:.4f} of {}, DIR {:.1f} % of {}\n",
               to_string(size), with_training ? "trained" : "untrained",
               swapped ? "swapped" : "       ", fpir, measured, count.strangers,
               100.0 * static_cast<double>(count.found) / static_cast<double>(count.enrolled),
               count.enrolled);
    // Synthetic strangers are not as good a guide as real ones, and the halves of the subjects
    // differ from each other.
    const double factor = with_training && !swapped ? 2.0 : 4.0;
    EXPECT_GE(measured, fpir / factor);
    EXPECT_LE(measured, fpir * factor);
  }
}

TEST(OpenSet, PieWithATrainingSet) {
  measure(true, false, {7, 6});
  measure(true, false, {12, 10});
}

TEST(OpenSet, PieWithoutATrainingSet) {
  measure(false, false, {7, 6});
  measure(false, false, {12, 10});
}

TEST(OpenSet, PieHalvesSwapped) {
  measure(true, true, {7, 6});
  measure(true, true, {12, 10});
}

}  // namespace
}  // namespace longshot
