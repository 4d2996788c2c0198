// SPDX-License-Identifier: Apache-2.0
// The example that each command's --help begins with works as it stands, in a folder that holds
// what examples speak of.
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "longshot/core/file.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// These go on until they are stopped.
const std::set<std::string> kEndless = {"serve"};

const std::string kSplit = "gallery split people.gallery --shards 4 --out people.shards";

// What has to be done before some of them.
const std::map<std::string, std::string> kBefore = {
    {"audit", "gallery set people.gallery audit on"},
    {"audit show", "gallery set people.gallery audit on"},
    {"audit verify", "gallery set people.gallery audit on"},
    {"gallery add-shard", kSplit},
    {"gallery merge", kSplit},
    {"gallery rebalance", kSplit},
    {"gallery decrypt", "gallery encrypt people.gallery --key-file people.key"},
    {"gallery rekey", "gallery encrypt people.gallery --key-file old.key"},
    {"unseal", "seal gate.camera --key-file people.key --out gate.sealed"}};

// photos/ shows people who are not enrolled yet. Those of people.gallery, anna and "Ada Lovelace"
// among them, are seen in frames/, and from afar in crops/, of which crop.png is one; mine/ and
// others/ have training people, other.gallery somebody else.
class Examples : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    run("--quiet synth --people 4 --photos 2 --out mine");
    run("--quiet synth --people 20 --photos 2 --out others");
    run("--quiet --seed 2 synth --people 3 --photos 1 --out photos");
    run("--quiet enroll others --gallery other.gallery");
    run("--quiet --seed 3 synth --people 6 --photos 2 --out frames");
    rename("person_00000", "anna");
    rename("person_00001", "Ada Lovelace");
    rename("person_00002", "A. Lovelace");
    run("--quiet enroll frames --gallery people.gallery");
    run("--quiet degrade frames --face --size 12x10 --out crops");
    run("--quiet camera crops --gallery people.gallery --out gate.camera");
    fs::copy_file(*folder_ / "crops/anna/01.png", *folder_ / "crop.png");
    run("--quiet degrade frames --face --size 36x30 --out small");
    fs::copy_file(*folder_ / "small/anna/00.png", *folder_ / "face.png");
    run("--quiet degrade face.png --size 36x30 --out photo.jpg");
    for (const std::string key : {"people", "old", "new"}) {
      write_file(*folder_ / (key + ".key"), key + " key of at least thirty-two bytes");
      fs::permissions(*folder_ / (key + ".key"), fs::perms::owner_read | fs::perms::owner_write);
    }
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static void run(const std::string& arguments) {
    const ProgramResult result = run_longshot(arguments, folder_->path());
    ASSERT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
  }
  // Gives one of the enrolled people another name, in the manifest and as a folder.
  static void rename(const std::string& from, const std::string& to) {
    const fs::path manifest = *folder_ / "frames/manifest.csv";
    const std::string text = read_file(manifest);
    write_file(manifest, std::regex_replace(text, std::regex(from), to));
    fs::rename(*folder_ / ("frames/" + from), *folder_ / ("frames/" + to));
  }

  // In a copy, so that no example needs another.
  static void try_example(const std::string& command) {
    const std::string help = run_longshot(command + " --help").out;
    const std::string start = "Example: longshot ";
    ASSERT_TRUE(help.starts_with(start)) << "longshot " << command << " --help has no example";
    const std::string example = help.substr(start.size(), help.find('\n') - start.size());
    const ScratchFolder copy;
    fs::copy(folder_->path(), copy.path(), fs::copy_options::recursive);
    if (kBefore.contains(command)) {
      ASSERT_EQ(run_longshot(kBefore.at(command), copy.path()).exit_code, 0) << command;
    }
    const ProgramResult result = run_longshot("--quiet " + example, copy.path());
    EXPECT_EQ(result.exit_code, 0) << "longshot " << example << "\n" << result.err;
  }

  static std::unique_ptr<ScratchFolder> folder_;
};

std::unique_ptr<ScratchFolder> Examples::folder_;

TEST_F(Examples, OfEveryCommandWork) {
  for (const std::string& command : listed_commands()) {
    if (!kEndless.contains(command)) try_example(command);
    for (const std::string& part : listed_commands(command)) try_example(command + " " + part);
  }
}

}  // namespace
}  // namespace longshot
