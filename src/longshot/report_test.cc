// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::Not;

v0::Evidence evidence_of(const std::string& person, bool known) {
  v0::Evidence evidence;
  evidence.answer.name = "crops/<1>.png";
  evidence.answer.size = {2, 2};
  evidence.answer.known = known;
  evidence.answer.candidates = {{person, known ? 0.98 : 0.2, 0.4}};
  evidence.answer.threshold = 0.9;
  evidence.answer.margin = known ? 0.736 : -1.55;
  evidence.answer.fpir = 0.01;
  evidence.answer.people = 24;
  const v0::Plane plane{{2, 2}, {0.0F, 0.5F, 1.0F, 0.25F}};
  evidence.comparisons = {{plane, plane, plane, plane, plane, 0.0, 0.0}};
  evidence.files = {{"crops/<1>.png", "00ff"}};
  return evidence;
}

TEST(AnswerReport, EveryKnownNameStandsBesideTheWarning) {
  const std::string page =
      v0::to_html({evidence_of("Ada", true)}, {}, {"p.gallery", "cmd", "m", 0});
  const std::size_t name = page.find("known: Ada");
  ASSERT_NE(name, std::string::npos);
  EXPECT_THAT(page.substr(name, 200), HasSubstr("a candidate for a person to check, never proof"));
  EXPECT_THAT(page, HasSubstr("holds faces"));
  EXPECT_THAT(page, HasSubstr("known from 0.90"));
  EXPECT_THAT(page, HasSubstr("Compared with 24 people at 2x2"));
  EXPECT_THAT(page, HasSubstr("49 times as probable as"));
  EXPECT_THAT(page, HasSubstr("a factor of 5.45 above"));
  EXPECT_THAT(page, HasSubstr("00ff"));
  EXPECT_THAT(v0::to_html({evidence_of("Ada", false)}, {}, {}), Not(HasSubstr("known: Ada")));
}

TEST(AnswerReport, MarksStandBesideTheirCandidateAndSettingsAtTheEnd) {
  v0::Evidence evidence = evidence_of("Ada", true);
  evidence.marks = {{"Ada", "lead", "<same> ear"}, {"Eve", "excluded", ""}};
  evidence.steps = {"Searched at <2x2>."};
  v0::EvidenceText text{"p.gallery", "cmd", "m", 0};
  text.settings = {{"candidates", "<5>"}};
  const std::string page = v0::to_html({evidence}, {}, text);
  EXPECT_THAT(page, HasSubstr("Marked as lead: &lt;same&gt; ear"));
  EXPECT_THAT(page, Not(HasSubstr("Marked as excluded")));
  EXPECT_THAT(page, HasSubstr("<li>Searched at &lt;2x2&gt;.</li>"));
  EXPECT_THAT(page, HasSubstr("<dt>candidates</dt><dd>&lt;5&gt;</dd>"));
}

TEST(AnswerReport, NamesCannotBecomeMarkup) {
  const std::string page =
      v0::to_html({evidence_of("<script>\"&", true)}, {}, {"<b>", "longshot \"<i>\"", "m", 3});
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;&quot;&amp;"));
  EXPECT_THAT(page, HasSubstr("crops/&lt;1&gt;.png"));
  EXPECT_THAT(page, HasSubstr("The first 1 are shown, 3 are not."));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("http://")));
}

TEST(AnswerReport, ShowsWhatAGalleryFound) {
  const fs::path folder = fs::path(testing::TempDir()) / fmt::format("answer_report_{}", getpid());
  fs::remove_all(folder);
  fs::create_directories(folder);
  {
    v0::Gallery gallery = v0::Gallery::open_or_create(folder / "g");
    enroll_crops(gallery, 3);
    write_image(folder / "probe.png",
                degrade(take_photo(make_person(3, 1), {}, 1).image, {12, 10}));
    v0::Picture probe = v0::Picture::file(folder / "probe.png");
    probe.aligned = true;
    const std::vector<v0::Picture> probes = {probe, v0::Picture::unusable("Gone.", "gone.png")};
    v0::IdentifyOptions options;
    options.method = "subspace";
    const v0::Answers answers = gallery.identify(probes, options);
    const std::vector<v0::Evidence> evidence = gallery.evidence(probes, answers, options, 2);
    ASSERT_EQ(evidence.size(), 2U);
    EXPECT_EQ(evidence[0].comparisons.size(), 2U);
    EXPECT_EQ(evidence[0].comparisons[0].through.size, (v0::Size{12, 10}));
    ASSERT_EQ(evidence[0].files.size(), 1U);
    EXPECT_EQ(evidence[0].files[0].second.size(), 64U);
    EXPECT_TRUE(evidence[1].comparisons.empty());
    ASSERT_EQ(evidence[0].steps.size(), 5U);
    EXPECT_THAT(evidence[0].steps[0], HasSubstr("took it as the face crop that it is"));
    EXPECT_EQ(evidence[0].steps[1], "Searched at 12x10, which the pixels fill.");
    EXPECT_TRUE(evidence[1].steps.empty());
    const std::string page = v0::to_html(evidence, answers.cameras, {});
    EXPECT_THAT(page, HasSubstr("data:image/png;base64,"));
    EXPECT_EQ(page.find("Gone."), page.rfind("Gone."));
    EXPECT_THAT(page, HasSubstr("<p>Gone.</p>"));
    EXPECT_THAT(page, HasSubstr("those of the gallery, each left out in turn"));
    options.fuse_folders = true;
    const v0::Answers fused = gallery.identify({probe, probe}, options);
    EXPECT_EQ(gallery.evidence({probe, probe}, fused, options).at(0).files.size(), 2U);
  }
  fs::remove_all(folder);
}

TEST(AnswerReport, EachFaceOfAPictureIsComparedItself) {
  const fs::path folder = fs::path(testing::TempDir()) / fmt::format("faces_report_{}", getpid());
  fs::remove_all(folder);
  fs::create_directories(folder);
  {
    v0::Gallery gallery = v0::Gallery::open_or_create(folder / "g");
    enroll_crops(gallery, 3);
    const Image left = take_photo(make_person(3, 1), {}, 1).image;
    const Image right = take_photo(make_person(3, 2), {}, 1).image;
    Image group(left.rows(), left.cols() + right.cols());
    group << left, right;
    write_image(folder / "group.png", group);
    const v0::Picture picture = v0::Picture::file(folder / "group.png");
    const Eyes eyes = eyes_in_pixels(FaceFrame(), size_of(left));
    v0::Answers answers;
    for (const double moved : {0.0, static_cast<double>(left.cols())}) {
      v0::Answer answer;
      answer.name = picture.name;
      answer.size = {12, 10};
      answer.candidates = {{"person_1", 0.5, 0.4}};
      answer.face = v0::FoundFace();
      answer.face->eyes = {{eyes.left.x + moved, eyes.left.y},
                           {eyes.right.x + moved, eyes.right.y}};
      answers.answers.push_back(answer);
    }
    const std::vector<v0::Evidence> evidence = gallery.evidence({picture}, answers, {});
    ASSERT_EQ(evidence.size(), 2U);
    ASSERT_EQ(evidence[0].comparisons.size(), 1U);
    ASSERT_EQ(evidence[1].comparisons.size(), 1U);
    EXPECT_NE(evidence[0].comparisons[0].probe.values, evidence[1].comparisons[0].probe.values);
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace longshot
