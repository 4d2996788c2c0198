// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_manifest.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

// One that is read can be written, and is read again.
void read_any_shard_manifest(std::string_view bytes) {
  const std::filesystem::path folder = file_of(bytes, "manifest.json").parent_path();
  const ShardManifest read = read_shard_manifest(folder);
  write_shard_manifest(folder, read);
  read_shard_manifest(folder);
}

const Registered shard_manifest("shard_manifest", read_any_shard_manifest);

}  // namespace
}  // namespace longshot::fuzz
