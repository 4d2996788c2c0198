// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace longshot {
namespace {

using testing::ElementsAre;

TEST(Csv, ReadsQuotesLineEndsAndTheByteOrderMark) {
  const auto records = parse_csv(
      "\xEF\xBB\xBFpath,subject\r\n"
      "a.jpg , \"Smith, \"\"J\"\"\" \n"
      "\n"
      "\"two\nlines\",x\r"
      "last,");
  ASSERT_EQ(records.size(), 4U);
  EXPECT_THAT(records[0].fields, ElementsAre("path", "subject"));
  EXPECT_THAT(records[1].fields, ElementsAre("a.jpg", "Smith, \"J\""));
  EXPECT_THAT(records[2].fields, ElementsAre("two\nlines", "x"));
  EXPECT_THAT(records[3].fields, ElementsAre("last", ""));
  EXPECT_EQ(records[1].line, 2);
  EXPECT_EQ(records[2].line, 4);
  EXPECT_EQ(records[3].line, 6);
  for (const CsvRecord& record : records) EXPECT_EQ(record.problem, "");
}

TEST(Csv, AQuoteInsideAFieldStandsForItself) {
  const auto records = parse_csv("a\"b,5' 6\"\n");
  ASSERT_EQ(records.size(), 1U);
  EXPECT_THAT(records[0].fields, ElementsAre("a\"b", "5' 6\""));
}

TEST(Csv, NamesTheProblemAndGoesOn) {
  const auto records = parse_csv("\"a\"b,c\nd,e\n\"open,f\ng");
  ASSERT_EQ(records.size(), 3U);
  EXPECT_THAT(records[0].problem, testing::HasSubstr("after a closing"));
  EXPECT_THAT(records[1].fields, ElementsAre("d", "e"));
  EXPECT_EQ(records[1].problem, "");
  EXPECT_THAT(records[2].problem, testing::HasSubstr("not closed"));
  EXPECT_EQ(records[2].line, 3);
}

TEST(Csv, NothingInNothingOut) {
  EXPECT_TRUE(parse_csv("").empty());
  EXPECT_TRUE(parse_csv("\r\n\n  \n").empty());
  EXPECT_EQ(parse_csv("\"\"").size(), 1U);
}

TEST(Csv, WhatIsWrittenIsReadBack) {
  for (const std::string field : {"plain", "", "a,b", "say \"x\"", "\"", "two\nlines", "a\r\nb",
                                  " spaces ", "\ttab", "\xC3\xA9"}) {
    const auto records = parse_csv("x," + csv_field(field) + ",y\r\n");
    ASSERT_EQ(records.size(), 1U);
    EXPECT_THAT(records[0].fields, ElementsAre("x", field, "y"));
  }
  EXPECT_EQ(csv_field("plain name"), "plain name");
}

TEST(Csv, NoCellOfATableIsAFormula) {
  for (const std::string text : {"=1+1", "+1", "-anna", "@sum(a)", "\t=1", "\r=1"}) {
    EXPECT_THAT(parse_csv(table_cell(text)).at(0).fields, ElementsAre("'" + text));
  }
  for (const std::string text : {"", "anna", "a=b", " =1", "'"}) {
    EXPECT_EQ(table_cell(text), csv_field(text));
  }
}

}  // namespace
}  // namespace longshot
