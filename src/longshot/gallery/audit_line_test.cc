// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/audit_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

using testing::HasSubstr;
using testing::Not;

AuditRecord some_record() {
  AuditRecord record;
  record.number = 7;
  record.time = "2026-01-31T12:00:00Z";
  record.actor = "Zoë\n\xff";
  record.uid = 1000;
  record.act = "enroll";
  record.revision = 12;
  record.people = {"aa", "bb"};
  record.inputs = {"cc"};
  record.details = {{"photos", "2"}};
  record.unconfirmed = 3;
  return record;
}

TEST(AuditLine, IsReadAsItWasWritten) {
  const AuditKeys keys(AuditKeys::create());
  for (const bool sealed : {false, true}) {
    AuditChain chain{};
    std::string text = format_line(some_record(), keys, sealed, chain);
    ASSERT_EQ(text.back(), '\n');
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    text.pop_back();
    const std::optional<AuditLine> line = AuditLine::parse(text);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->chain, chain);
    EXPECT_EQ(keys.link({}, line->text), chain);
    const std::optional<AuditRecord> record = read_record(*line, keys);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->number, 7);
    EXPECT_EQ(record->actor, "Zoë\n\xef\xbf\xbd");  // what is no UTF-8 is replaced
    EXPECT_EQ(record->act, "enroll");
    EXPECT_EQ(record->uid, 1000);
    EXPECT_EQ(record->revision, 12);
    EXPECT_EQ(record->people, some_record().people);
    EXPECT_EQ(record->inputs, some_record().inputs);
    EXPECT_EQ(record->details, some_record().details);
    EXPECT_EQ(record->unconfirmed, 3);
  }
}

TEST(AuditLine, SealedShowsNothingAndOpensInItsPlaceOnly) {
  const AuditKeys keys(AuditKeys::create());
  AuditChain chain{};
  std::string text = format_line(some_record(), keys, true, chain);
  text.pop_back();
  EXPECT_THAT(text, Not(HasSubstr("enroll")));
  AuditLine line = AuditLine::parse(text).value();
  EXPECT_FALSE(read_record(line, AuditKeys(AuditKeys::create())));
  line.number = 8;
  EXPECT_FALSE(read_record(line, keys));
}

TEST(AuditLine, HashesDependOnTheKeyAndOnEveryByte) {
  const AuditKeys keys(AuditKeys::create());
  const AuditKeys others(AuditKeys::create());
  EXPECT_EQ(keys.person_hash("Anna").size(), 32U);
  EXPECT_EQ(keys.person_hash("Anna"), keys.person_hash("Anna"));
  EXPECT_NE(keys.person_hash("Anna"), keys.person_hash("anna"));
  EXPECT_NE(keys.person_hash("Anna"), others.person_hash("Anna"));
  const auto hash = [](const AuditKeys& of, std::string_view first, std::string_view second) {
    AuditKeys::InputHash input = of.input_hash();
    input.add(first.data(), first.size());
    input.add(second.data(), second.size());
    return input.digits();
  };
  EXPECT_EQ(hash(keys, "An", "na"), hash(keys, "Anna", ""));
  EXPECT_NE(hash(keys, "Anna", ""), hash(keys, "Anne", ""));
  EXPECT_NE(hash(keys, "Anna", ""), hash(others, "Anna", ""));
  EXPECT_NE(hash(keys, "Anna", ""), keys.person_hash("Anna"));
}

TEST(AuditLine, WhatIsNoLineIsRefused) {
  const std::string chain(64, 'a');
  for (const std::string& text :
       {std::string(), std::string("{}"), chain, chain + " 1", chain + " 0 {}", chain + " -1 {}",
        chain + " x {}", chain + "1 {}", std::string(63, 'a') + "g 1 {}", 'x' + chain + " 1 {}",
        chain + " 99999999999999999999 {}"}) {
    EXPECT_FALSE(AuditLine::parse(text)) << text;
  }
  const AuditKeys keys(AuditKeys::create());
  for (const std::string& body :
       {std::string("{"), std::string("{}"), std::string("[1]"), std::string("!"),
        std::string(100, 'A'), std::string(R"({"time":1,"actor":2})")}) {
    const std::string text = chain + " 1 " + body;
    const std::optional<AuditLine> line = AuditLine::parse(text);
    ASSERT_TRUE(line) << body;
    EXPECT_FALSE(read_record(*line, keys)) << body;
  }
}

TEST(AuditLine, ADamagedKeyIsOneSentence) {
  for (const std::string& digits : {std::string(), std::string(63, 'a'), std::string(64, 'g')}) {
    EXPECT_THROW(AuditKeys keys(digits), Error);
  }
}

}  // namespace
}  // namespace longshot
