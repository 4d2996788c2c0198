// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/database.h"

#include <fstream>

#include <gmock/gmock.h>

#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using testing::HasSubstr;

class DatabaseTest : public ScratchTest {
 protected:
  // With a table t(a) and the log in use.
  std::unique_ptr<Database> created() const {
    auto database = std::make_unique<Database>(path_, Database::Access::kCreate, 0, 1);
    database->use_write_ahead_log();
    database->execute("CREATE TABLE IF NOT EXISTS t(a)");
    return database;
  }
};

TEST_F(DatabaseTest, BindsAndReturnsEveryType) {
  const auto database = created();
  const std::string text("a\0b", 3);
  Statement query = database->statement("SELECT ?, ?, ?, ?, ?, ?");
  const std::vector<std::byte> bytes = {std::byte{0}, std::byte{255}};
  query.bind(1, std::int64_t{1} << 60).bind(2, 0.1).bind_text(3, text).bind_blob(4, bytes);
  query.bind_null(5).bind_text(6, "");
  ASSERT_TRUE(query.step());
  EXPECT_EQ(query.integer(0), std::int64_t{1} << 60);
  EXPECT_EQ(query.real(1), 0.1);
  EXPECT_EQ(query.text(2), text);
  EXPECT_TRUE(std::ranges::equal(query.blob(3), bytes));
  EXPECT_TRUE(query.is_null(4));
  EXPECT_FALSE(query.is_null(5));
  EXPECT_FALSE(query.step());
}

TEST_F(DatabaseTest, AStatementMayRunWhileItsTwinDoes) {
  const auto database = created();
  database->execute("INSERT INTO t VALUES(1), (2)");
  constexpr std::string_view kSql = "SELECT a FROM t WHERE a >= ? ORDER BY a";
  Statement outer = database->statement(kSql);
  outer.bind(1, std::int64_t{1});
  ASSERT_TRUE(outer.step());
  {
    Statement inner = database->statement(kSql);
    inner.bind(1, std::int64_t{2});
    ASSERT_TRUE(inner.step());
    EXPECT_EQ(inner.integer(0), 2);
  }
  ASSERT_TRUE(outer.step());
  EXPECT_EQ(outer.integer(0), 2);
}

TEST_F(DatabaseTest, WithoutCommitChangesAreTakenBack) {
  const auto database = created();
  {
    const DatabaseTransaction transaction(*database);
    database->execute("INSERT INTO t VALUES(1)");
  }
  EXPECT_EQ(database->number("SELECT count(*) FROM t"), 0);
  DatabaseTransaction outer(*database);
  database->execute("INSERT INTO t VALUES(1)");
  {
    const DatabaseTransaction inner(*database);
    database->execute("INSERT INTO t VALUES(2)");
  }
  {
    DatabaseTransaction inner(*database);
    database->execute("INSERT INTO t VALUES(3)");
    inner.commit();
  }
  outer.commit();
  EXPECT_EQ(database->number("SELECT sum(a) FROM t"), 4);
}

TEST_F(DatabaseTest, SaysWhoIsInTheWay) {
  const auto first = created();
  const auto second = created();
  const DatabaseTransaction transaction(*first);
  EXPECT_THAT(message_of([&] { DatabaseTransaction another(*second); }),
              HasSubstr("is being changed by another program"));
}

TEST_F(DatabaseTest, AReaderOfAnOldStateKeepsTheLog) {
  const auto writer = created();
  const Database reader(path_, Database::Access::kRead, 0, 1);
  reader.execute("BEGIN");
  EXPECT_EQ(reader.number("SELECT count(*) FROM t"), 0);
  writer->execute("INSERT INTO t VALUES(1)");
  EXPECT_FALSE(writer->empty_log(true));
  EXPECT_EQ(reader.number("SELECT count(*) FROM t"), 0);
  reader.execute("ROLLBACK");
  EXPECT_TRUE(writer->empty_log(true));
  EXPECT_EQ(std::filesystem::file_size(path_.string() + "-wal"), 0U);
  EXPECT_EQ(reader.number("SELECT count(*) FROM t"), 1);
}

TEST_F(DatabaseTest, AFullDiskIsOneSentenceAndChangesNothing) {
  const auto database = created();
  database->execute("INSERT INTO t VALUES(1)");
  database->execute("PRAGMA max_page_count=10");
  const auto fill = [&] {
    DatabaseTransaction transaction(*database);
    database->execute("INSERT INTO t VALUES(zeroblob(1000000))");
    transaction.commit();
  };
  EXPECT_THAT(message_of(fill), HasSubstr("the disk is full"));
  EXPECT_EQ(database->number("SELECT count(*) FROM t"), 1);
}

TEST_F(DatabaseTest, CommitAfterEverythingWasTakenBackThrows) {
  const auto database = created();
  DatabaseTransaction transaction(*database);
  database->execute("ROLLBACK");
  EXPECT_THAT(message_of([&] { transaction.commit(); }), HasSubstr("were taken back"));
}

TEST_F(DatabaseTest, AReaderCannotWrite) {
  created();
  const Database reader(path_, Database::Access::kRead, 0, 1);
  EXPECT_THAT(message_of([&] { reader.execute("INSERT INTO t VALUES(1)"); }),
              HasSubstr("open for reading"));
}

TEST_F(DatabaseTest, AStrangeFileNameIsJustAName) {
  path_ = folder_ / "file:a?mode=memory#b%20c";
  created()->execute("INSERT INTO t VALUES(7)");
  EXPECT_TRUE(std::filesystem::exists(path_));
  const Database reader(path_, Database::Access::kRead, 0, 1);
  EXPECT_EQ(reader.number("SELECT a FROM t"), 7);
}

}  // namespace
}  // namespace longshot
