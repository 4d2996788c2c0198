// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/gallery.h"

// Large galleries: folders of ordinary gallery files, which Gallery::open() takes like one file and
// which several processes can search together (docs/cluster.md).
namespace longshot::v0 {

LONGSHOT_API bool is_shards(const std::filesystem::path& path);

struct Sharded {
  std::ptrdiff_t shards = 0;
  std::ptrdiff_t people = 0;
  std::ptrdiff_t photos = 0;
  std::ptrdiff_t moved = 0;  // people who are in another shard than before
};

// Writes the people of a gallery to a new folder of shards; who belongs where is said by their
// names. Answers stay the same to the last bit. All files of a folder have one key: that of an
// encrypted gallery, or none. Throws already_there.
LONGSHOT_API Sharded split_gallery(const std::filesystem::path& gallery,
                                   const std::filesystem::path& folder, std::ptrdiff_t shards,
                                   const Key& key = {}, const Progress& progress = {});
// The other way round.
LONGSHOT_API Sharded merge_shards(const std::filesystem::path& folder,
                                  const std::filesystem::path& gallery, const Key& key = {},
                                  const Progress& progress = {});
// One more shard, and everybody to where they belong. Killed at any moment nobody is lost or there
// twice; rebalance_shards() goes on.
LONGSHOT_API Sharded add_shard(const std::filesystem::path& folder, const Key& key = {},
                               const Progress& progress = {});
LONGSHOT_API Sharded rebalance_shards(const std::filesystem::path& folder, const Key& key = {},
                                      const Progress& progress = {});
// Reads everything, and compares the shards with each other. Throws damaged, naming a shard.
LONGSHOT_API Checked check_shards(const std::filesystem::path& folder, const Key& key = {},
                                  const Progress& progress = {});

// For a program that spreads the shards of a folder over processes. Questions go as bytes from the
// gallery of one process to the holders of all; their answers are combined two by two, in any
// order.
using AskShards = std::function<std::string(std::string_view request)>;

// How many shards a folder has, and which of those that were looked at can be opened.
struct ShardsState {
  std::ptrdiff_t shards = 0;
  std::vector<std::ptrdiff_t> people;  // of each, as the manifest says
  std::vector<std::ptrdiff_t> usable;  // numbers
  std::vector<Rejection> unusable;     // by file, with the reason
};
LONGSHOT_API ShardsState look_at_shards(const std::filesystem::path& folder,
                                        const std::vector<std::ptrdiff_t>& shards,
                                        const Key& key = {});

// Holds some shards of a folder that the gallery of open_shards() keeps locked. One call at a time.
class LONGSHOT_API ShardHolder {
 public:
  ShardHolder(const std::filesystem::path& folder, const std::vector<std::ptrdiff_t>& shards,
              const Key& key = {});
  ~ShardHolder();
  ShardHolder(ShardHolder&&) noexcept;
  ShardHolder& operator=(ShardHolder&&) noexcept;

  // Of the pictures that all holders are to enrol, this one looks at one part of so many.
  void take_pictures(const std::vector<Picture>& pictures, const EnrollOptions& options,
                     std::ptrdiff_t part, std::ptrdiff_t parts);
  std::string answer(std::string_view request);
  static std::string combine(std::string_view request, std::string_view one,
                             std::string_view other);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// The gallery of a folder whose shards are asked through `ask`. `coverage` is the share of the
// people whom that reaches: below 1 answers carry it, and nobody is unknown.
LONGSHOT_API Gallery open_shards(const std::filesystem::path& folder, Access access, AskShards ask,
                                 double coverage = 1.0, const Key& key = {});

}  // namespace longshot::v0
