// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report.h"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/evaluate/small_report_test.h"

namespace longshot {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Report : public SmallReport {
 protected:
  std::string page(const std::string& name = "test faces") const {
    return html_report(input(name));
  }
  static json data_of(const std::string& page) {
    const std::string open = R"(<script type="application/json" id="data">)";
    const std::size_t start = page.find(open) + open.size();
    return json::parse(page.substr(start, page.find("</script>", start) - start));
  }
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
  EXPECT_FALSE(data["results"][0]["dir_at_fpir"].contains("0.01"));
  EXPECT_EQ(data["results"][0]["dir_at_fpir"]["0.1"], 25.0);
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
