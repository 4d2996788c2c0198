// SPDX-License-Identifier: Apache-2.0
// Several processes add to one log, and are killed meanwhile: what was confirmed is there.
#include <chrono>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "longshot/gallery/audit_log.h"
#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

class AuditCrash : public ScratchTest {
 protected:
  AuditCrash() = default;
  void SetUp() override {
    ScratchTest::SetUp();
    GalleryStore gallery(path_, GalleryStore::Access::kCreate);
    set_audit(gallery, true, "tester");
  }
  // A dot after every line that is confirmed.
  void log_on(int pipe, int count) const {
    GalleryStore gallery(path_, GalleryStore::Access::kWrite);
    AuditAct act;
    act.act = "identify";
    act.inputs.assign(200, std::string(32, 'a'));
    for (int i = 0; i < count; ++i) {
      append_audit(gallery, {act});
      Child::send(pipe, ".");
    }
  }
};

TEST_F(AuditCrash, TwoProcessesAddAtOnce) {
  constexpr int kLines = 40;
  std::vector<std::unique_ptr<Child>> children;
  for (int i = 0; i < 2; ++i) {
    children.push_back(std::make_unique<Child>([&](int pipe) { log_on(pipe, kLines); }));
  }
  for (const auto& child : children) EXPECT_EQ(child->received(), std::string(kLines, '.'));
  const GalleryStore gallery(path_, GalleryStore::Access::kRead);
  const AuditVerdict verdict = verify_audit(gallery);
  EXPECT_TRUE(verdict.whole()) << verdict.finding;
  EXPECT_EQ(verdict.lines, 1 + 2 * kLines);
  EXPECT_EQ(verdict.unconfirmed, 0);
}

TEST_F(AuditCrash, KilledAtAnyMomentItHoldsWhatWasConfirmed) {
  Random random(21);
  std::int64_t before = 1;
  std::int64_t pending = 0;  // at most so many whole lines that the gallery does not know yet
  for (int round = 0; round < 25; ++round) {
    Child child([&](int pipe) { log_on(pipe, 1000000); });
    if (round % 2 == 1) child.wait_for(".");
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(40000)));
    child.kill();
    const auto told = static_cast<std::int64_t>(child.received().size());
    const GalleryStore gallery(path_, GalleryStore::Access::kWrite);
    const AuditVerdict verdict = verify_audit(gallery);
    EXPECT_TRUE(verdict.whole()) << verdict.finding;
    // One line may have been confirmed just before its report; those that were not are kept.
    EXPECT_GE(verdict.lines, before + told);
    EXPECT_LE(verdict.lines, before + told + 1 + pending);
    if (verdict.lines > before) pending = 0;
    if (verdict.unconfirmed > 0) ++pending;
    before = verdict.lines;
  }
  EXPECT_GT(before, 12);
}

}  // namespace
}  // namespace longshot
