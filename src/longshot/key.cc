// SPDX-License-Identifier: Apache-2.0
#include "longshot/audit_door.h"  // first: it keeps the two faces apart
#include "longshot/core/file.h"
#include "longshot/core/private_file.h"
#include "longshot/gallery/gallery_sealing.h"
#include "longshot/gallery/sealed_file.h"
#include "longshot/gallery/shard_folder.h"
#include "longshot/gallery/shard_sealing.h"

namespace longshot::v0 {
namespace {

void require_key(const Key& key) {
  if (!key) throw Error("A key is needed.");
}

void log_sealing(const std::filesystem::path& gallery, const std::shared_ptr<const GalleryKey>& key,
                 const std::string& act) {
  GalleryStore store(gallery, GalleryStore::Access::kWrite, {.key = key});
  append_audit(store, {door::act_of(act)});
}

// Of a folder in which the change of the key goes on, what keeps the log may have either.
void reseal_folder(const std::filesystem::path& folder, const GalleryKey::Shared& from,
                   const GalleryKey::Shared& to, const std::string& act, bool full) {
  const std::filesystem::path shared = folder / kSharedGallery;
  const bool begun = !read_shard_manifest(folder).sealing.empty();
  log_sealing(shared, begun && opens_with(shared, to) ? to : from, act);
  reseal_shards(folder, from, to, full);
}

}  // namespace

std::shared_ptr<const GalleryKey> secret_of(const Key& key) {
  return key.secret_;
}

Key Key::from_file(const std::filesystem::path& path) {
  Key key;
  key.secret_ = GalleryKey::from_file(path);
  return key;
}

Key Key::from_descriptor(int descriptor) {
  Key key;
  key.secret_ = GalleryKey::from_descriptor(descriptor);
  return key;
}

Key Key::from_passphrase(std::string_view passphrase) {
  Key key;
  key.secret_ = GalleryKey::from_passphrase(passphrase);
  return key;
}

void encrypt_gallery(const std::filesystem::path& gallery, const Key& key) {
  require_key(key);
  door::translated([&] {
    if (is_shard_folder(gallery)) {
      return reseal_folder(gallery, nullptr, secret_of(key), "encrypt", true);
    }
    log_sealing(gallery, nullptr, "encrypt");
    rewrite_gallery(gallery, nullptr, secret_of(key));
  });
}

void decrypt_gallery(const std::filesystem::path& gallery, const Key& key) {
  require_key(key);
  door::translated([&] {
    if (is_shard_folder(gallery)) {
      return reseal_folder(gallery, secret_of(key), nullptr, "decrypt", true);
    }
    log_sealing(gallery, secret_of(key), "decrypt");
    rewrite_gallery(gallery, secret_of(key), nullptr);
  });
}

void rekey_gallery(const std::filesystem::path& gallery, const Key& key, const Key& new_key,
                   bool full) {
  require_key(key);
  require_key(new_key);
  door::translated([&] {
    if (is_shard_folder(gallery)) {
      return reseal_folder(gallery, secret_of(key), secret_of(new_key), "rekey", full);
    }
    log_sealing(gallery, secret_of(key), "rekey");
    if (full) return rewrite_gallery(gallery, secret_of(key), secret_of(new_key));
    change_gallery_key(gallery, secret_of(key), secret_of(new_key));
  });
}

void seal_file(const std::filesystem::path& file, const std::filesystem::path& sealed,
               const Key& key) {
  if (!key) throw Error("To seal a file, its key is needed.");
  door::translated(
      [&] { write_private_file(sealed, seal_bytes(read_file(file), *secret_of(key))); });
}

void unseal_file(const std::filesystem::path& sealed, const std::filesystem::path& file,
                 const Key& key) {
  if (!key) throw Error("To open {}, its key is needed.", sealed.string());
  door::translated([&] {
    write_private_file(file, unseal_bytes(read_file(sealed), *secret_of(key), sealed.string()));
  });
}

}  // namespace longshot::v0
