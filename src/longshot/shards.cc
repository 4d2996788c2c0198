// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "longshot/audit_door.h"  // first: it keeps the two faces apart
#include "longshot/gallery/shard_folder.h"
#include "longshot/gallery_implementation.h"
#include "longshot/pipeline/gallery_upkeep.h"
#include "longshot/pipeline/open_shards.h"

namespace longshot {
namespace {

class AskingTransport final : public ShardTransport {
 public:
  explicit AskingTransport(v0::AskShards ask) : ask_(std::move(ask)) {}
  std::string ask(std::string_view request) override { return ask_(request); }

 private:
  v0::AskShards ask_;
};

v0::Sharded outer(const ShardCounts& counts, Index moved = 0) {
  return {counts.shards, counts.people, counts.photos, moved};
}

// Before it is done, as the log of a folder is written.
void log_folder(const ShardFolder& folder, const std::string& what, bool changes) {
  GalleryStore shared = folder.open_shared(GalleryStore::Access::kWriteIfPossible);
  AuditAct act = door::act_of(what);
  act.changes = changes;
  changes ? append_change(shared, act) : append_audit(shared, {act});
}

v0::Sharded rebalanced(ShardFolder& folder, Progress& progress) {
  const Index moved = rebalance_shards(folder, progress);
  return outer(check_shard_order(folder).counts, moved);
}

}  // namespace

namespace v0 {

bool is_shards(const std::filesystem::path& path) {
  return is_shard_folder(path);
}

Sharded split_gallery(const std::filesystem::path& gallery, const std::filesystem::path& folder,
                      std::ptrdiff_t shards, const Key& key, const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    GalleryStore store(gallery, GalleryStore::Access::kWriteIfPossible, {.key = secret_of(key)});
    append_audit(store, {door::act_of("split")});
    return outer(longshot::split_gallery(store, folder, shards, shown));
  });
}

Sharded merge_shards(const std::filesystem::path& folder, const std::filesystem::path& gallery,
                     const Key& key, const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    const ShardFolder asked(folder, ShardFolder::Use::kAsk, {.key = secret_of(key)});
    log_folder(asked, "merge shards", false);
    return outer(longshot::merge_shards(asked, gallery, shown));
  });
}

Sharded add_shard(const std::filesystem::path& folder, const Key& key, const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    ShardFolder changed(folder, ShardFolder::Use::kChange, {.key = secret_of(key)});
    log_folder(changed, "add shard", true);
    longshot::add_shard(changed);
    return rebalanced(changed, shown);
  });
}

Sharded rebalance_shards(const std::filesystem::path& folder, const Key& key,
                         const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    ShardFolder changed(folder, ShardFolder::Use::kChange, {.key = secret_of(key)});
    log_folder(changed, "rebalance", true);
    return rebalanced(changed, shown);
  });
}

Checked check_shards(const std::filesystem::path& folder, const Key& key,
                     const Progress& progress) {
  return door::with_progress(progress, [&](longshot::Progress& shown) {
    const ShardFolder asked(folder, ShardFolder::Use::kAsk, {.key = secret_of(key)});
    const CheckReport found = check_folder(asked, shown);
    return Checked{found.people, found.photos, found.indexes, found.bytes};
  });
}

ShardsState look_at_shards(const std::filesystem::path& folder,
                           const std::vector<std::ptrdiff_t>& shards, const Key& key) {
  return door::translated([&] {
    const ShardManifest manifest = read_shard_manifest(folder);
    require_one_key(folder, manifest);
    ShardsState state;
    state.shards = std::ssize(manifest.shards);
    for (const ShardFile& shard : manifest.shards) state.people.push_back(shard.people);
    for (const Index i : shards) {
      try {
        const ShardWorker opened(folder, {i}, GalleryStore::Access::kRead, secret_of(key));
        state.usable.push_back(i);
      } catch (const Error& error) {
        state.unusable.push_back({(folder / shard_file_name(i)).string(), error.what()});
      }
    }
    return state;
  });
}

class ShardHolder::Implementation {
 public:
  Implementation(const std::filesystem::path& folder, const std::vector<std::ptrdiff_t>& shards,
                 const Key& key)
      : worker(folder, {shards.begin(), shards.end()}, GalleryStore::Access::kWriteIfPossible,
               secret_of(key)) {}
  ShardWorker worker;
};

ShardHolder::ShardHolder(const std::filesystem::path& folder,
                         const std::vector<std::ptrdiff_t>& shards, const Key& key)
    : implementation_(
          door::translated([&] { return std::make_unique<Implementation>(folder, shards, key); })) {
}
ShardHolder::~ShardHolder() = default;
ShardHolder::ShardHolder(ShardHolder&&) noexcept = default;
ShardHolder& ShardHolder::operator=(ShardHolder&&) noexcept = default;

void ShardHolder::take_pictures(const std::vector<Picture>& pictures, const EnrollOptions& options,
                                std::ptrdiff_t part, std::ptrdiff_t parts) {
  ShardInputs inputs;
  inputs.inputs = door::inputs_of(pictures);
  inputs.options.person = options.person;
  inputs.options.force = options.force;
  inputs.options.detector = options.detector;
  inputs.part = part;
  inputs.parts = parts;
  implementation_->worker.set_inputs(std::move(inputs));
}

std::string ShardHolder::answer(std::string_view request) {
  return door::translated([&] { return implementation_->worker.answer(request); });
}

std::string ShardHolder::combine(std::string_view request, std::string_view one,
                                 std::string_view other) {
  return combine_replies(request, one, other);
}

Gallery open_shards(const std::filesystem::path& folder, Access access, AskShards ask,
                    double coverage, const Key& key) {
  return door::translated([&] {
    const auto use = access == Access::write ? ShardFolder::Use::kChange : ShardFolder::Use::kAsk;
    const ShardFolderOptions options = {.partial = coverage < 1.0, .key = secret_of(key)};
    auto shards =
        std::make_shared<OpenShards>(std::make_unique<ShardFolder>(folder, use, options),
                                     std::make_unique<AskingTransport>(std::move(ask)), coverage);
    return Gallery(std::make_unique<Gallery::Implementation>(std::move(shards)));
  });
}

}  // namespace v0
}  // namespace longshot
