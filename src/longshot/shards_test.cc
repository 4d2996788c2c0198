// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "longshot/core/file.h"
#include "longshot/shards_face_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

TEST_F(ShardsFace, AFolderIsAGallery) {
  EXPECT_EQ(v0::split_gallery(file(), shards(), 3).people, 9);
  EXPECT_TRUE(v0::is_shards(shards()));
  EXPECT_FALSE(v0::is_shards(file()));
  {
    v0::Gallery gallery = v0::Gallery::open(shards(), v0::Access::write);
    EXPECT_EQ(gallery.person_count(), 9);
    EXPECT_EQ(gallery.enroll(pictures(9, 11), forced()).people, 2);
    gallery.remove("person_2");
    EXPECT_EQ(gallery.people().size(), 10U);
    EXPECT_EQ(gallery.person("person_10").photos, 1);
    EXPECT_THROW(gallery.person("person_2"), Error);
    try {
      gallery.compact();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    }
  }
  v0::Gallery one = v0::Gallery::open(file());
  one.enroll(pictures(9, 11), forced());
  one.remove("person_2");
  v0::Gallery many = v0::Gallery::open(shards(), v0::Access::write_if_possible);
  EXPECT_EQ(v0::to_json(many.identify(pictures(0, 12), small())),
            v0::to_json(one.identify(pictures(0, 12), small())));
  EXPECT_EQ(many.check().people, 10);
}

TEST_F(ShardsFace, PhotosAreShownComparedAndRemovedAsInAFile) {
  v0::split_gallery(file(), shards(), 3);
  v0::Gallery one = v0::Gallery::open(file());
  v0::Gallery many = v0::Gallery::open(shards());
  std::vector<v0::Picture> second = pictures(20, 21);
  second[0].person = "person_4";
  for (v0::Gallery* gallery : {&one, &many}) {
    gallery->enroll(second, forced());
    ASSERT_EQ(gallery->photos("person_4").size(), 2U);
  }
  const auto face = [](const v0::Gallery& gallery, std::size_t photo) {
    return gallery.face("person_4", gallery.photos("person_4").at(photo).id).values;
  };
  EXPECT_EQ(face(many, 1), face(one, 1));
  EXPECT_NE(face(many, 0), face(one, 1));
  const v0::Picture probe = pictures(4, 5)[0];
  EXPECT_EQ(many.compare(probe, "person_4").difference.values,
            one.compare(probe, "person_4").difference.values);
  const v0::Answers answers = one.identify({probe}, small());
  const auto evidence = many.evidence({probe}, answers, small());
  ASSERT_FALSE(evidence.at(0).comparisons.empty());
  EXPECT_EQ(evidence[0].comparisons[0].difference.values,
            one.evidence({probe}, answers, small())[0].comparisons.at(0).difference.values);
  EXPECT_THROW(many.remove_photo("person_4", 999), Error);
  many.remove_photo("person_4", many.photos("person_4").at(0).id);
  one.remove_photo("person_4", one.photos("person_4").at(0).id);
  EXPECT_EQ(face(many, 0), face(one, 0));
  EXPECT_THAT([&] { many.remove_photo("person_4", many.photos("person_4").at(0).id); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("only photo")));
  EXPECT_EQ(v0::to_json(many.identify(pictures(0, 12), small())),
            v0::to_json(one.identify(pictures(0, 12), small())));
}

TEST_F(ShardsFace, WhoIsRenamedMovesWithTheNextRebalancing) {
  v0::split_gallery(file(), shards(), 3);
  {
    v0::Gallery gallery = v0::Gallery::open(shards());
    for (int i = 0; i < 8; ++i) {
      gallery.rename(fmt::format("person_{}", i), fmt::format("renamed_{}", i));
    }
    EXPECT_EQ(gallery.person("renamed_3").photos, 1);
    EXPECT_THROW(gallery.person("person_3"), Error);
    for (const auto& [from, to, kind] :
         {std::tuple("renamed_1", "person_8", ErrorKind::already_there),
          std::tuple("nobody", "somebody", ErrorKind::not_found),
          std::tuple("renamed_1", "", ErrorKind::bad_input)}) {
      try {
        gallery.rename(from, to);
        FAIL() << from;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
      }
    }
  }
  EXPECT_EQ(v0::check_shards(shards()).people, 9);
  EXPECT_GT(v0::rebalance_shards(shards()).moved, 0);
  v0::Gallery one = v0::Gallery::open(file());
  for (int i = 0; i < 8; ++i) {
    one.rename(fmt::format("person_{}", i), fmt::format("renamed_{}", i));
  }
  v0::Gallery many = v0::Gallery::open(shards());
  EXPECT_EQ(v0::to_json(many.people()), v0::to_json(one.people()));
  EXPECT_EQ(v0::to_json(many.identify(pictures(0, 12), small())),
            v0::to_json(one.identify(pictures(0, 12), small())));
}

TEST_F(ShardsFace, ABackupIsAFolderOfItsOwn) {
  v0::split_gallery(file(), shards(), 3);
  v0::Gallery gallery = v0::Gallery::open(shards());
  const std::string expected = v0::to_json(gallery.identify(pictures(0, 12), small()));
  gallery.backup(folder_ / "copy.shards");
  gallery.remove("person_3");
  v0::Gallery copy = v0::Gallery::open(folder_ / "copy.shards");
  EXPECT_EQ(copy.check().people, 9);
  EXPECT_EQ(v0::to_json(copy.identify(pictures(0, 12), small())), expected);
  EXPECT_THROW(gallery.backup(folder_ / "copy.shards"), Error);
}

TEST_F(ShardsFace, WhoOnlyAsksChangesNothing) {
  v0::split_gallery(file(), shards(), 2);
  v0::Gallery gallery = v0::Gallery::open(shards(), v0::Access::write_if_possible);
  for (const auto& change : std::vector<std::function<void()>>{
           [&] { gallery.enroll(pictures(11, 12), forced()); },
           [&] { gallery.rename("person_1", "Other"); },
           [&] { gallery.remove("person_1"); },
       }) {
    EXPECT_THAT(change, testing::ThrowsMessage<Error>(testing::HasSubstr("questions alone")));
  }
  EXPECT_EQ(gallery.person_count(), 9);
}

TEST_F(ShardsFace, GrowsAndBecomesOneFileAgain) {
  v0::split_gallery(file(), shards(), 2);
  const v0::Sharded grown = v0::add_shard(shards());
  EXPECT_EQ(grown.shards, 3);
  EXPECT_EQ(grown.people, 9);
  EXPECT_EQ(v0::rebalance_shards(shards()).moved, 0);
  v0::merge_shards(shards(), folder_ / "merged.gallery");
  EXPECT_EQ(v0::to_json(v0::Gallery::open(folder_ / "merged.gallery").people()),
            v0::to_json(v0::Gallery::open(file()).people()));
}

TEST_F(ShardsFace, AShardAloneIsSearchedAndNotChanged) {
  v0::split_gallery(file(), shards(), 2);
  v0::Gallery shard = v0::Gallery::open(shards() / "shard-0000.gallery");
  const std::string name = shard.people().at(0).name;
  EXPECT_EQ(shard.identify(pictures(0, 1), small()).answers.at(0).people, shard.person_count());
  for (const auto& change : std::vector<std::function<void()>>{
           [&] { shard.enroll(pictures(11, 12), forced()); },
           [&] { shard.rename(name, "Other"); },
           [&] { shard.import_from(file()); },
       }) {
    EXPECT_THAT(change, testing::ThrowsMessage<Error>(testing::HasSubstr("change the folder")));
  }
}

TEST_F(ShardsFace, HoldersAnswerTogether) {
  v0::split_gallery(file(), shards(), 3);
  v0::Gallery one = v0::Gallery::open(file());
  const std::string expected = v0::to_json(one.identify(pictures(0, 12), small()));
  v0::ShardHolder first(shards(), {2, 0});
  v0::ShardHolder second(shards(), {1});
  v0::Gallery gallery = v0::open_shards(shards(), v0::Access::read, [&](std::string_view request) {
    return v0::ShardHolder::combine(request, second.answer(request), first.answer(request));
  });
  EXPECT_EQ(v0::to_json(gallery.identify(pictures(0, 12), small())), expected);
}

// As they come to the first process of a job over the network.
TEST_F(ShardsFace, PicturesThatNoHolderWasGivenAreEnrolled) {
  v0::split_gallery(file(), shards(), 3);
  v0::ShardHolder first(shards(), {2, 0});
  v0::ShardHolder second(shards(), {1});
  v0::Gallery gallery = v0::open_shards(shards(), v0::Access::write, [&](std::string_view request) {
    return v0::ShardHolder::combine(request, second.answer(request), first.answer(request));
  });
  EXPECT_EQ(gallery.enroll(pictures(9, 12), forced()).people, 3);
  v0::Gallery one = v0::Gallery::open(file());
  one.enroll(pictures(9, 12), forced());
  EXPECT_EQ(v0::to_json(gallery.people()), v0::to_json(one.people()));
  EXPECT_EQ(v0::to_json(gallery.identify(pictures(0, 12), small())),
            v0::to_json(one.identify(pictures(0, 12), small())));
}

TEST_F(ShardsFace, AnEncryptedFolderIsAGallery) {
  const v0::Key key = v0::Key::from_passphrase("a passphrase of some length");
  v0::split_gallery(file(), shards(), 2);
  v0::encrypt_gallery(shards(), key);
  EXPECT_THAT([&] { v0::Gallery::open(shards()); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("its key is needed")));
  {
    v0::Gallery many = v0::Gallery::open(shards(), v0::Access::write, key);
    many.enroll(pictures(9, 11), forced());
    many.remove("person_2");
  }
  v0::Gallery one = v0::Gallery::open(file());
  one.enroll(pictures(9, 11), forced());
  one.remove("person_2");
  const std::string expected = v0::to_json(one.identify(pictures(0, 12), small()));
  EXPECT_EQ(v0::add_shard(shards(), key).people, 10);
  EXPECT_EQ(v0::check_shards(shards(), key).people, 10);
  const auto answers = [&](const fs::path& path, const v0::Key& used) {
    return v0::to_json(v0::Gallery::open(path, v0::Access::write_if_possible, used)
                           .identify(pictures(0, 12), small()));
  };
  EXPECT_EQ(answers(shards(), key), expected);
  v0::merge_shards(shards(), folder_ / "merged.gallery", key);
  EXPECT_EQ(answers(folder_ / "merged.gallery", key), expected);
  v0::split_gallery(folder_ / "merged.gallery", folder_ / "again.shards", 2, key);
  EXPECT_EQ(answers(folder_ / "again.shards", key), expected);
  v0::decrypt_gallery(shards(), key);
  EXPECT_EQ(answers(shards(), {}), expected);
}

TEST_F(ShardsFace, WhoIsBeingEnrolledIsNotNamedBesideEncryptedShards) {
  const v0::Key key = v0::Key::from_passphrase("a passphrase of some length");
  v0::split_gallery(file(), shards(), 2);
  v0::encrypt_gallery(shards(), key);
  EXPECT_EQ(v0::look_at_shards(shards(), {0, 1}).usable.size(), 0U);
  EXPECT_EQ(v0::look_at_shards(shards(), {0, 1}, key).usable.size(), 2U);
  v0::ShardHolder holder(shards(), {0, 1}, key);
  bool reserved = false;
  const auto ask = [&](std::string_view request) {
    const std::string manifest = read_file(shards() / "manifest.json");
    reserved = reserved || manifest.find("reserved") != std::string::npos;
    EXPECT_EQ(manifest.find("person_10"), std::string::npos);
    return holder.answer(request);
  };
  v0::Gallery gallery = v0::open_shards(shards(), v0::Access::write, ask, 1.0, key);
  EXPECT_EQ(gallery.enroll(pictures(9, 11), forced()).people, 2);
  EXPECT_TRUE(reserved);
  EXPECT_EQ(gallery.person("person_10").photos, 1);
}

TEST_F(ShardsFace, MissingShardsAreNamedAndNobodyIsUnknown) {
  v0::split_gallery(file(), shards(), 3);
  v0::Gallery::open(shards(), v0::Access::write_if_possible).identify(pictures(0, 1), small());
  fs::remove(shards() / "shard-0001.gallery");
  EXPECT_THAT([&] { v0::Gallery::open(shards(), v0::Access::read); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("shard-0001.gallery is missing")));
  const v0::ShardsState state = v0::look_at_shards(shards(), {0, 1, 2});
  ASSERT_EQ(state.unusable.size(), 1U);
  EXPECT_EQ(state.usable, (std::vector<std::ptrdiff_t>{0, 2}));
  v0::ShardHolder holder(shards(), state.usable);
  v0::Gallery gallery = v0::open_shards(
      shards(), v0::Access::read, [&](std::string_view request) { return holder.answer(request); },
      0.75);
  const v0::Answers answers = gallery.identify(pictures(0, 12), small());
  const std::string text = v0::to_json(answers);
  EXPECT_EQ(text.find("unknown"), std::string::npos);
  EXPECT_NE(text.find("incomplete"), std::string::npos);
  for (const v0::Answer& answer : answers.answers) EXPECT_EQ(answer.coverage, 0.75);
}

TEST_F(ShardsFace, RefusesWhatItCannotTake) {
  v0::split_gallery(file(), shards(), 2);
  const auto kind = [](const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::cancelled;
  };
  EXPECT_EQ(kind([&] { v0::split_gallery(file(), shards(), 2); }), ErrorKind::already_there);
  EXPECT_EQ(kind([&] { v0::split_gallery(shards(), folder_ / "x", 2); }), ErrorKind::bad_input);
  EXPECT_EQ(kind([&] { v0::merge_shards(file(), folder_ / "x"); }), ErrorKind::not_found);
  const v0::Key key = v0::Key::from_passphrase("a passphrase of some length");
  EXPECT_EQ(kind([&] { v0::Gallery::open(shards(), v0::Access::read, key); }),
            ErrorKind::bad_input);
  v0::EnrollOptions high = forced();
  high.high = v0::Size{96, 80};
  EXPECT_EQ(kind([&] { v0::Gallery::open(shards()).enroll(pictures(9, 10), high); }),
            ErrorKind::unsupported);
}

}  // namespace
}  // namespace longshot
