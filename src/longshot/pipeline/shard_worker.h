// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/gallery/shard_folder.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_search.h"
#include "longshot/pipeline/shard_wire.h"

namespace longshot {

// Photos to be enrolled, of which each process that was given them examines its part.
struct ShardInputs {
  std::vector<Input> inputs;
  EnrolOptions options;
  Index part = 0;   // of this process
  Index parts = 1;  // of all
};

// Holds some of the shards of a folder, open, and answers what is asked of them. One thread at a
// time.
class ShardWorker {
 public:
  // Of a folder that somebody keeps locked. Throws Error, naming the shard, for one that is
  // missing, damaged, of another folder, or has other models than the manifest says.
  ShardWorker(const std::filesystem::path& folder, const std::vector<Index>& shards,
              GalleryStore::Access access, GalleryKey::Shared key = nullptr);
  ~ShardWorker();

  // The combined answer of all its shards. An Error is an answer, too, and names the shard.
  std::string answer(std::string_view request);

  // What kExamine is about.
  void set_inputs(ShardInputs inputs);

  Index shards() const { return static_cast<Index>(held_.size()); }

 private:
  struct Held;  // a shard

  std::string answer_of(Held& shard, std::string_view request);
  static std::string searched(Held& shard, ShardOp op, ByteReader& in);
  std::string examined(std::string_view request);

  std::filesystem::path folder_;
  GalleryKey::Shared key_;  // of all shards
  std::vector<std::unique_ptr<Held>> held_;
  std::unique_ptr<ShardInputs> inputs_;
  std::unique_ptr<FaceIntake> intake_;
};

// Photos of one person to be added; a new person if nobody has the name.
struct ShardAddition {
  static constexpr Index kWhereTheyAre = -1;  // until a rebalancing ends that may be anywhere

  Index shard = 0;
  Person person;
  std::vector<Photo> photos;
};
void write_additions(ByteWriter& out, const std::vector<ShardAddition>& additions);

// What a process has found out about one input.
struct ShardExamined {
  Index input = 0;
  Examined examined;
};
std::vector<ShardExamined> read_examined(std::string_view content);  // in order of the inputs

// Looks at those of the inputs, on all cores.
std::vector<ShardExamined> examine_inputs(const std::vector<Input>& inputs,
                                          const std::vector<Index>& which, FaceIntake& intake,
                                          const EnrolOptions& options);

}  // namespace longshot
