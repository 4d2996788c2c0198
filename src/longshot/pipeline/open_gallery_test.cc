// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/open_gallery.h"

#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "longshot/pipeline/identifier.h"
#include "longshot/pipeline/small_gallery_test.h"
#include "longshot/pipeline/verifier.h"

namespace longshot {
namespace {

using SharedGallery = SmallGallery;

bool names(const Identifications& result, const std::string& person) {
  for (const Identification& answer : result.answers) {
    for (const Candidate& candidate : answer.candidates) {
      if (candidate.person == person) return true;
    }
  }
  return false;
}

TEST_F(SharedGallery, ManyThreadsIdentifyWhileOneEnrolsAndRemoves) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 6;
  const std::filesystem::path path = make_gallery(6).path();
  IdentifyOptions options;
  options.method = "subspace";
  options.size = Size{7, 6};
  options.top = 10;
  const auto gallery = std::make_shared<OpenGallery>(path);
  const Identifier identifier(gallery, options);
  const std::vector<Input> probes = {probe(0, 0, {7, 6}), probe(10, 0, {7, 6})};
  // The one who comes and goes; a thread that sees `gone` set must not be given that name.
  const Input visitor = photo(10);
  identifier.identify(probes);

  std::atomic<bool> stop = false;
  std::atomic<bool> gone = true;
  std::atomic<bool> there = false;
  std::atomic<int> questions = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        const bool surely_gone = gone;
        const bool surely_there = there;
        const Identifications result = identifier.identify(probes);
        // Only what held before and after the question is certain.
        if (surely_gone && gone && names(result, name(10))) ++wrong;
        if (surely_there && there && !names(result, name(10))) ++wrong;
        if (result.answers[0].candidates.front().person != name(0)) ++wrong;
        ++questions;
      }
    });
  }
  const auto wait_for_questions = [&] {
    const int enough = questions + 2 * kThreads;
    while (questions < enough) std::this_thread::yield();
  };
  EnrolOptions enrol_options;
  enrol_options.force = true;
  for (int round = 0; round < kRounds; ++round) {
    const OpenGallery::Connection store = gallery->connect();
    gone = false;
    EXPECT_EQ(enrol(*store, {visitor}, enrol_options).people, 1);
    there = true;
    wait_for_questions();
    there = false;
    EXPECT_TRUE(store->remove_person(name(10)));
    gone = true;
    wait_for_questions();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(questions, 4 * kRounds * kThreads);
}

TEST_F(SharedGallery, AllThreadsShareOneIndex) {
  const std::filesystem::path path = make_gallery(5).path();
  OpenGallery gallery(path);
  std::vector<std::shared_ptr<const OpenIndex>> seen(4);
  std::vector<std::thread> threads;
  for (auto& index : seen) {
    threads.emplace_back([&] {
      const OpenGallery::Connection store = gallery.connect();
      const auto session = gallery.session(*store, "subspace", {7, 6});
      session->search(*store);
      index = session->index();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& index : seen) EXPECT_EQ(index, seen[0]);
  EXPECT_GT(seen[0]->block.searcher->bytes(), 0);
}

TEST_F(SharedGallery, ASessionIsMadeAnewWhenItsModelIsForgotten) {
  GalleryStore other = make_gallery(3);
  OpenGallery gallery(other.path());
  const OpenGallery::Connection store = gallery.connect();
  const auto first = gallery.session(*store, "subspace", {7, 6});
  EXPECT_EQ(gallery.session(*store, "subspace", {7, 6}), first);
  forget_models(other);
  const auto second = gallery.session(*store, "subspace", {7, 6});
  EXPECT_NE(second, first);
  EXPECT_EQ(second->index()->block.people.size(), 3U);
}

TEST_F(SharedGallery, ClaimsAreVerifiedByManyThreads) {
  const auto gallery = std::make_shared<OpenGallery>(make_gallery(4).path());
  VerifyOptions options;
  options.method = "subspace";
  options.size = Size{12, 10};
  options.fmr = 0.1;
  const Verifier verifier(gallery, options);
  const std::vector<Input> probes = {probe(1, 0)};
  const double expected = verifier.verify(probes, name(1)).score;
  std::vector<double> scores(4);
  std::vector<std::thread> threads;
  for (double& score : scores) {
    threads.emplace_back([&] { score = verifier.verify(probes, name(1)).score; });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double score : scores) EXPECT_EQ(score, expected);
}

}  // namespace
}  // namespace longshot
