// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_sealing.h"

#include <string>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/gallery/gallery_sealing.h"
#include "longshot/gallery/new_path.h"
#include "longshot/gallery/shard_folder.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

void require_key(const fs::path& file, const GalleryKey::Shared& key) {
  const GalleryStore opened(file, GalleryStore::Access::kRead, {.key = key});
}

// Those of the files that still have the old key. Throws Error for one that has neither.
std::vector<fs::path> files_left(const std::vector<fs::path>& all, const GalleryKey::Shared& from,
                                 const GalleryKey::Shared& to) {
  std::vector<fs::path> left;
  for (const fs::path& file : all) {
    if (opens_with(file, to)) continue;
    require_key(file, from);
    left.push_back(file);
  }
  return left;
}

std::vector<fs::path> files_of(const ShardFolder& folder) {
  std::vector<fs::path> files = {folder.shared_file()};
  for (Index i = 0; i < folder.shards(); ++i) files.push_back(folder.file(i));
  return files;
}

// What was left beside files that a call before this one was to change the other way.
void remove_unfinished(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) const NewFile left(file, NewFile::Place::kTaken);
}

}  // namespace

bool opens_with(const fs::path& file, const GalleryKey::Shared& key) {
  try {
    require_key(file, key);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void reseal_shards(const fs::path& path, const GalleryKey::Shared& from,
                   const GalleryKey::Shared& to, bool full, Progress& progress) {
  const std::string act = !from ? "encrypt" : !to ? "decrypt" : full ? "rekey fully" : "rekey";
  const std::string begun_act = read_shard_manifest(path).sealing;
  const bool begun = !begun_act.empty();
  if (begun && act == "rekey fully" && begun_act != act) {
    throw Error("The key of {} is being changed without writing it anew: end that first.",
                path.string());
  }
  // Nobody moves while a change of the key is under way, so nothing but that is to be settled.
  const ShardFolder folder(path, ShardFolder::Use::kChange, {.key = from, .half_sealed = begun});
  if (!folder.manifest().reserved.empty() && !(from && to)) {
    throw Error(ErrorKind::unsupported,
                "An enrolment in {} was not finished: make it again, to its end, first.",
                path.string());
  }
  const std::vector<fs::path> all = files_of(folder);
  const std::vector<fs::path> left = files_left(all, from, to);
  if (left.empty() && !begun) throw Error("{} has that key already.", path.string());
  // The lock keeps all others from the manifest.
  ShardManifest manifest = folder.manifest();
  manifest.sealing = act;
  write_shard_manifest(path, manifest);
  ProgressScope scope(progress, "Writing shards", std::ssize(left));
  for (const fs::path& file : left) {
    from&& to && !full ? change_gallery_key(file, from, to) : rewrite_gallery(file, from, to);
    scope.advance();
  }
  remove_unfinished(all);
  manifest.sealing.clear();
  ++manifest.revision;
  write_shard_manifest(path, manifest);
}

}  // namespace longshot
