// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report.h"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace longshot {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kHostile =
    "</script><img src=http://evil/x.png onerror=alert(1)>{{data}}";

Image face(double light) {
  return Image::NullaryExpr(12, 10, [=](Index r, Index c) {
    return light * static_cast<double>(1 + (r * 10 + c) % 7) / 7.0;
  });
}

ExperimentResult result_of(const std::string& method, Size size, bool right) {
  ExperimentResult result;
  result.method = method;
  result.size = size;
  result.rank1 = right ? 100.0 : 50.0;
  result.rank1_interval = {result.rank1 - 10.0, result.rank1};
  result.draw_rank1 = {result.rank1};
  result.cmc.assign(20, 100.0);
  result.cmc[0] = result.rank1;
  result.gallery = 2;
  result.probes = 2;
  result.dir_at_fpir = {{0.1, 25.0}};
  Ranks ranks;
  ranks.rank = {1, right ? 1 : 2};
  ranks.equal = {0, 0};
  ranks.enrolled = 2;
  result.ranks = {ranks};
  const Vector genuine = Vector::LinSpaced(2, 0.1, right ? 0.2 : 0.6);
  const Vector impostor = Vector::LinSpaced(2, 0.5, 0.9);
  result.roc = verification_curve(genuine, impostor);
  if (!right) result.confusions = {{3, 1, 0, 0.25}};
  return result;
}

// Two people, a gallery photo and a probe of each.
class Report : public testing::Test {
 protected:
  Report() {
    for (int i = 0; i < 4; ++i) {
      Sample sample;
      sample.subject = i % 2 == 0 ? "anna" : std::string(kHostile);
      sample.condition = "lamp \xff";  // not UTF-8
      dataset_.samples.push_back(sample);
      experiment_.faces.push_back(face(0.25 * (i + 1)));
    }
    plan_.draws = {{{}, {}, {{"all", {0, 1}, {2, 3}}}}};
    plan_.lights = {{0.0, 0.0}};
    experiment_.high = {12, 10};
    experiment_.relightings = {{1, {-20.0, 5.0}, face(1.0), {{0.0, 0.0}}, {face(0.5)}}};
    experiment_.rejections = {{std::string(kHostile) + ".png", "It is <b>empty</b>."}};
    for (const Size size : {Size{7, 6}, Size{4, 3}}) {
      experiment_.results.push_back(result_of("slrfr", size, false));
      experiment_.results.push_back(result_of("kernel", size, size.rows == 7));
    }
    options_.methods = {"slrfr", "kernel"};
    options_.sizes = {{7, 6}, {4, 3}};
  }

  std::string page(const std::string& name = "test faces") const {
    return html_report(
        {dataset_, plan_, options_, experiment_, name, "2026-01-31", "longshot x", "1.2.3"});
  }
  static json data_of(const std::string& page) {
    const std::string open = R"(<script type="application/json" id="data">)";
    const std::size_t start = page.find(open) + open.size();
    return json::parse(page.substr(start, page.find("</script>", start) - start));
  }

  Dataset dataset_;
  ProtocolPlan plan_;
  ExperimentOptions options_;
  Experiment experiment_;
};

TEST_F(Report, HoldsEveryMethodAndSize) {
  const json data = data_of(page());
  std::vector<std::string> found;
  for (const json& result : data["results"]) {
    found.push_back(result["method"].get<std::string>() + " " + result["size"].get<std::string>());
  }
  EXPECT_THAT(found, testing::ElementsAre("slrfr 7x6", "kernel 7x6", "slrfr 4x3", "kernel 4x3"));
  EXPECT_EQ(data["results"][0]["rank1"], 50.0);
  EXPECT_EQ(data["results"][0]["cmc"].size(), 2U) << "there are two people to be ranked";
  EXPECT_TRUE(data["results"][0]["dir1"].is_null());
  EXPECT_EQ(data["results"][0]["dir10"], 25.0);
  EXPECT_EQ(data["findings"][0]["best"], "kernel");
  EXPECT_EQ(data["command"], "longshot x");
}

TEST_F(Report, SaysThatItHoldsFaces) {
  EXPECT_THAT(page(), HasSubstr("This page holds faces"));
}

TEST_F(Report, HostileNamesStayText) {
  const std::string text = page("<b>faces</b> & more");
  EXPECT_THAT(text, Not(HasSubstr("</script><img")));
  EXPECT_THAT(text, Not(HasSubstr("<b>empty</b>")));
  EXPECT_THAT(text, HasSubstr("<title>longshot: roles on &lt;b&gt;faces&lt;/b&gt; &amp; more"));
  const json data = data_of(text);
  EXPECT_EQ(data["confusions"][1]["list"][0]["subject"], kHostile);
  EXPECT_EQ(data["rejections"][0][1], "It is <b>empty</b>.");
  // One opening and one closing tag for each of our four scripts.
  const std::regex tag("</?script");
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), tag), {}), 8);
}

TEST_F(Report, LoadsNothing) {
  const std::string text = page();
  const std::regex load(R"((src|href|action|srcset)\s*=\s*["']?\s*(https?:)?//|@import|url\()");
  // The hostile name is data, with its '<' escaped, and never markup.
  const std::string markup = text.substr(0, text.find("<script"));
  EXPECT_FALSE(std::regex_search(markup, load));
  EXPECT_THAT(markup, Not(HasSubstr("<link")));
  EXPECT_THAT(markup, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, Not(HasSubstr("<script src")));
  EXPECT_THAT(text, HasSubstr("Chart.js v")) << "the library is inside";
  EXPECT_THAT(text, Not(HasSubstr("{{title}}")));
}

TEST_F(Report, ShowsFaces) {
  const json data = data_of(page());
  const json& confusion = data["confusions"][1]["list"][0];
  EXPECT_EQ(confusion["chosen"], "anna");
  for (const char* picture : {"probe_picture", "true_picture", "chosen_picture"}) {
    EXPECT_THAT(confusion[picture].get<std::string>(), StartsWith("data:image/png;base64,iVBOR"));
  }
  EXPECT_TRUE(data["confusions"][0]["list"].empty()) << "kernel makes no mistake at 7x6";
  ASSERT_EQ(data["relighting"].size(), 1U);
  ASSERT_EQ(data["relighting"][0]["rows"].size(), 3U);
  EXPECT_EQ(data["relighting"][0]["rows"][2]["label"], "4x3");
  EXPECT_EQ(data["relighting"][0]["rows"][2]["pictures"].size(), 3U);
  EXPECT_EQ(data["examples"].size(), 2U);
}

TEST_F(Report, RejectedPhotosAreNotShown) {
  experiment_.faces[2].resize(0, 0);
  EXPECT_EQ(data_of(page())["examples"].size(), 1U);
}

TEST_F(Report, IsTheSameEveryTime) {
  EXPECT_EQ(page(), page());
}

}  // namespace
}  // namespace longshot
