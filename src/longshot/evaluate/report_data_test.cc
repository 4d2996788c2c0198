// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report_data.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/evaluate/experiment_json.h"
#include "longshot/evaluate/small_report_test.h"

namespace longshot {
namespace {

using nlohmann::json;

class ReportData : public SmallReport {
 protected:
  json data() const { return json::parse(report_data(input())); }
  // What the report says beside a name, or nothing.
  std::string configured(const std::string& name) const {
    const json document = data();
    for (const json& line : document["configuration"]) {
      if (line[0] == name) return line[1];
    }
    return "";
  }
};

TEST_F(ReportData, ResultsAreThoseOfTheDocument) {
  const json document =
      json::parse(experiment_json(experiment_, plan_.kind, options_, 1))["results"];
  json results = data()["results"];
  ASSERT_EQ(results.size(), document.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i]["cmc"].size(), 2U) << "there are two people to be ranked";
    EXPECT_TRUE(results[i].contains("curve"));
    results[i].erase("curve");
    results[i]["cmc"] = document[i]["cmc"];
    EXPECT_EQ(results[i], document[i]);
  }
}

TEST_F(ReportData, CurvesAreInPercentAndLeaveOutZero) {
  const json curve = data()["results"][0]["curve"];
  EXPECT_EQ(curve["genuine"], 2);
  EXPECT_EQ(curve["impostor"], 2);
  ASSERT_FALSE(curve["roc"].empty());
  for (const json& point : curve["roc"]) EXPECT_GT(point[0], 0.0);
  EXPECT_EQ(curve["roc"].back(), json({100.0, 100.0}));
}

TEST_F(ReportData, SaysHowItWasMade) {
  EXPECT_EQ(configured("Gallery"), "2 people, 2 photos");
  EXPECT_EQ(configured("Probes"), "2");
  EXPECT_EQ(configured("Training"), "none");
  EXPECT_EQ(configured("Low resolutions"), "7x6, 4x3");
  EXPECT_EQ(configured("Version"), "longshot 1.2.3");
  EXPECT_EQ(configured("Shift of the probes"), "");
  options_.jitter = 1.5;
  options_.use_training = false;
  EXPECT_EQ(configured("Shift of the probes"), "up to 1.5 pixels");
  EXPECT_EQ(configured("Training"), "not used");
}

TEST_F(ReportData, MayStandInsideAScript) {
  EXPECT_THAT(report_data(input()), testing::Not(testing::HasSubstr("<")));
}

TEST_F(ReportData, ListsAHundredRejectionsAtMost) {
  experiment_.rejections.assign(130, {"a.png", "It is empty."});
  EXPECT_EQ(data()["rejected"], 130);
  EXPECT_EQ(data()["rejections"].size(), 100U);
}

}  // namespace
}  // namespace longshot
