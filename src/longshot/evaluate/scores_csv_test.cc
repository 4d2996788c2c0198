// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/scores_csv.h"

#include <gtest/gtest.h>

#include "longshot/dataset/csv.h"

namespace longshot {
namespace {

ProbeScores some_probe() {
  ProbeScores probe;
  probe.method = "longshot";
  probe.size = {12, 10};
  probe.run = "f01";
  probe.probe = "a, \"b\".png";
  probe.person = "=1+1";
  probe.enrolled = true;
  probe.known = true;
  probe.candidates = {{"-anna", 1.5, 0.75}, {"bert\nx", 2.0, 0.25}};
  return probe;
}

TEST(ScoresCsv, EveryLineHasAllCells) {
  const auto records = parse_csv(scores_csv({some_probe()}));
  ASSERT_EQ(records.size(), 2U);
  const std::vector<std::string>& header = records[0].fields;
  const std::vector<std::string>& cells = records[1].fields;
  ASSERT_EQ(header.size(), 8U + 3 * 10);
  ASSERT_EQ(cells.size(), header.size());
  EXPECT_EQ(header[8], "candidate_1");
  EXPECT_EQ(header.back(), "score_10");
  EXPECT_EQ(cells[1], "12x10");
  EXPECT_EQ(cells[4], "a, \"b\".png");
  EXPECT_EQ(cells[6], "yes");
  EXPECT_EQ(cells[9], "1.5");
  EXPECT_EQ(cells[10], "0.75");
  EXPECT_EQ(cells[11], "bert\nx");
  EXPECT_EQ(cells[14], "");
}

TEST(ScoresCsv, NoCellIsAFormula) {
  const auto records = parse_csv(scores_csv({some_probe()}));
  EXPECT_EQ(records[1].fields[5], "'=1+1");
  EXPECT_EQ(records[1].fields[7], "'-anna");
  EXPECT_EQ(records[1].fields[8], "'-anna");
}

TEST(ScoresCsv, TheDecisionIsANameOrUnknown) {
  ProbeScores probe = some_probe();
  probe.known = false;
  EXPECT_EQ(parse_csv(scores_csv({probe}))[1].fields[7], "unknown");
  probe.known = true;
  probe.candidates.clear();
  EXPECT_EQ(parse_csv(scores_csv({probe}))[1].fields[7], "unknown");
}

}  // namespace
}  // namespace longshot
