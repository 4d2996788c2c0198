// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/confined_process.h"

#include <cstdlib>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "longshot/core/file.h"
#include "longshot/core/interrupt.h"

namespace longshot {
namespace {

using testing::HasSubstr;

constexpr const char* kMisbehaving = "longshot-misbehaving";

#if defined(LONGSHOT_SANITIZE_ADDRESS) || defined(LONGSHOT_SANITIZE_THREAD)
constexpr bool kConfined = false;
#else
constexpr bool kConfined = true;
#endif

std::string answer_to(const std::string& task) {
  ConfinedProcess helper(kMisbehaving, task, {});
  return helper.receive().bytes;
}

std::string complaint_about(const std::string& task, const ConfinedLimits& limits = {}) {
  try {
    ConfinedProcess helper(kMisbehaving, task, {}, limits);
    return helper.receive().bytes;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ConfinedProcess, SendsAndReceivesMessagesOfAnySize) {
  ConfinedProcess helper(kMisbehaving, "echo", {});
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3'000'000}}) {
    // The helper reads to the end before it answers, so neither waits for the other.
    helper.send(7, "head", std::string(size, 'b'));
    const Message answer = helper.receive();
    EXPECT_EQ(answer.kind, 8u);
    EXPECT_EQ(answer.bytes, "head" + std::string(size, 'b'));
  }
}

TEST(ConfinedProcess, ServesManyThreadsWithAProcessEach) {
  std::vector<std::thread> threads;
  std::vector<std::string> answers(8);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&answers, i] {
      ConfinedProcess helper(kMisbehaving, "echo", {});
      helper.send(1, std::to_string(i));
      answers[i] = helper.receive().bytes;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(answers[i], std::to_string(i));
}

TEST(ConfinedProcess, HandsTheFileOver) {
  const std::string path = testing::TempDir() + "/confined.bin";
  write_file(path, "hello world");
  ConfinedProcess helper(kMisbehaving, "file", path);
  EXPECT_EQ(helper.receive().bytes, "hello");
}

TEST(ConfinedProcess, RefusesFilesThatAreNone) {
  const std::string folder = testing::TempDir();
  EXPECT_THROW(ConfinedProcess(kMisbehaving, "file", folder + "/nothing"), Error);
  EXPECT_THROW(ConfinedProcess(kMisbehaving, "file", folder), Error);
  write_file(folder + "/empty.bin", "");
  EXPECT_THROW(ConfinedProcess(kMisbehaving, "file", folder + "/empty.bin"), Error);
  const std::string pipe = folder + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(ConfinedProcess(kMisbehaving, "file", pipe), Error);
  ::unlink(pipe.c_str());
}

TEST(ConfinedProcess, RefusesHelpersThatAreNotThere) {
  EXPECT_THROW(ConfinedProcess("longshot-nobody", "file", {}), Error);
}

TEST(ConfinedProcess, CannotReachTheWorld) {
  if (!kConfined) GTEST_SKIP() << "sanitizers need what is forbidden";
  EXPECT_NE(answer_to("open"), "done");
  EXPECT_NE(answer_to("create"), "done");
  EXPECT_NE(answer_to("network"), "done");
  EXPECT_NE(answer_to("fork"), "done");
  EXPECT_NE(answer_to("eat"), "done");
}

TEST(ConfinedProcess, InheritsNothing) {
  ::setenv("LONGSHOT_SECRET", "key", 1);
  EXPECT_EQ(answer_to("secret"), "unseen");
  EXPECT_NE(answer_to("inherited"), "done");
}

TEST(ConfinedProcess, CrashesAlone) {
  EXPECT_THAT(complaint_about("crash"), HasSubstr("crashed (signal 6)"));
  EXPECT_THAT(complaint_about("end"), HasSubstr("ended without a word"));
}

TEST(ConfinedProcess, SaysNothingThatIsBelieved) {
  EXPECT_THAT(complaint_about("babble"), HasSubstr("must not say"));
  EXPECT_THAT(complaint_about("boast"), HasSubstr("must not say"));
}

TEST(ConfinedProcess, NeverTakesForEver) {
  ConfinedLimits limits;
  limits.max_seconds = 0.2;
  EXPECT_THAT(complaint_about("sleep", limits), HasSubstr("more than 0.2 s"));
  limits = {};
  limits.max_cpu_seconds = 0.5;
  EXPECT_THAT(complaint_about("spin", limits), HasSubstr("of processor time"));
}

TEST(ConfinedProcess, CanBeInterrupted) {
  const InterruptScope scope([] { throw Cancelled(); });
  ConfinedProcess helper(kMisbehaving, "sleep", {});
  EXPECT_THROW(helper.receive(), Cancelled);
}

TEST(ConfinedProcess, RefusesLimitsThatCannotBe) {
  ConfinedLimits limits;
  limits.max_seconds = 0.0;
  EXPECT_THROW(ConfinedProcess(kMisbehaving, "echo", {}, limits), Error);
  limits = {};
  limits.max_memory = 0;
  EXPECT_THROW(ConfinedProcess(kMisbehaving, "echo", {}, limits), Error);
}

}  // namespace
}  // namespace longshot
