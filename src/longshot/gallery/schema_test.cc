// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/schema.h"

#include <array>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using testing::HasSubstr;

constexpr const char* kFirst = "CREATE TABLE t(a); INSERT INTO t VALUES(1);";
constexpr const char* kSecond = "ALTER TABLE t ADD COLUMN b; UPDATE t SET b = a + 1;";
constexpr const char* kBroken = "UPDATE t SET a = 5; UPDATE nothing SET b = 1;";
constexpr std::array kVersion1 = {kFirst};
constexpr std::array kVersion2 = {kFirst, kSecond};
constexpr std::array kBrokenVersion3 = {kFirst, kSecond, kBroken};

class SchemaTest : public ScratchTest {
 protected:
  void prepare(Database::Access access, Migrations migrations) const {
    prepare_schema(Database(path_, access, 2000, 1), migrations);
  }
  std::int64_t number(std::string_view sql) const {
    return Database(path_, Database::Access::kRead, 0, 1).number(sql);
  }
};

TEST_F(SchemaTest, ANewFileGetsTheNewestVersion) {
  prepare(Database::Access::kCreate, kVersion2);
  EXPECT_EQ(number("PRAGMA user_version"), 2);
  EXPECT_EQ(number("PRAGMA application_id"), kGalleryApplicationId);
  EXPECT_EQ(number("SELECT b FROM t"), 2);
}

TEST_F(SchemaTest, AnOlderFileIsBroughtUpToDateByAWriter) {
  prepare(Database::Access::kCreate, kVersion1);
  EXPECT_THAT(message_of([&] { prepare(Database::Access::kRead, kVersion2); }),
              HasSubstr("older version"));
  EXPECT_EQ(number("PRAGMA user_version"), 1);
  prepare(Database::Access::kWrite, kVersion2);
  EXPECT_EQ(number("PRAGMA user_version"), 2);
  EXPECT_EQ(number("SELECT b FROM t"), 2);
  EXPECT_NO_THROW(prepare(Database::Access::kRead, kVersion2));
}

TEST_F(SchemaTest, AReaderSeesAnOlderFileThroughItsViews) {
  constexpr std::array kViews = {"CREATE TEMP VIEW t AS SELECT *, 7 AS b FROM main.t;"};
  prepare(Database::Access::kCreate, kVersion1);
  const Database database(path_, Database::Access::kRead, 0, 1);
  prepare_schema(database, kVersion2, kViews);
  EXPECT_EQ(database.number("SELECT b FROM t"), 7);
  EXPECT_THAT(message_of([&] { database.execute("DELETE FROM main.t"); }), HasSubstr("write"));
  EXPECT_EQ(number("PRAGMA user_version"), 1);
}

TEST_F(SchemaTest, AStepThatFailsLeavesTheOldVersion) {
  prepare(Database::Access::kCreate, kVersion2);
  EXPECT_NE(message_of([&] { prepare(Database::Access::kWrite, kBrokenVersion3); }), "");
  EXPECT_EQ(number("PRAGMA user_version"), 2);
  EXPECT_EQ(number("SELECT a FROM t"), 1);
}

TEST_F(SchemaTest, ANewerFileIsRefused) {
  prepare(Database::Access::kCreate, kVersion2);
  for (const auto access : {Database::Access::kRead, Database::Access::kCreate}) {
    EXPECT_THAT(message_of([&] { prepare(access, kVersion1); }), HasSubstr("newer version"));
  }
}

TEST_F(SchemaTest, AnotherProgramsDatabaseIsRefusedAndStaysAsItIs) {
  Database(path_, Database::Access::kCreate, 0, 1).execute("CREATE TABLE songs(title)");
  const std::string before = read_file(path_);
  for (const auto access : {Database::Access::kRead, Database::Access::kCreate}) {
    EXPECT_THAT(message_of([&] { prepare(access, kVersion1); }), HasSubstr("is not a gallery"));
  }
  EXPECT_EQ(read_file(path_), before);
}

TEST_F(SchemaTest, AnEmptyFileIsOneToBegin) {
  write_file(path_, "");
  EXPECT_THAT(message_of([&] { prepare(Database::Access::kRead, kVersion1); }),
              HasSubstr("is empty"));
  EXPECT_THAT(message_of([&] { prepare(Database::Access::kWrite, kVersion1); }),
              HasSubstr("is empty"));
  prepare(Database::Access::kCreate, kVersion1);
  EXPECT_EQ(number("SELECT a FROM t"), 1);
}

TEST_F(SchemaTest, SeveralMayCreateItAtOnce) {
  std::vector<std::string> messages(6);
  {
    std::vector<std::jthread> threads;
    for (std::string& message : messages) {
      threads.emplace_back(
          [&] { message = message_of([&] { prepare(Database::Access::kCreate, kVersion2); }); });
    }
  }
  EXPECT_THAT(messages, testing::Each(""));
  EXPECT_EQ(number("SELECT count(*) FROM t"), 1);
}

}  // namespace
}  // namespace longshot
