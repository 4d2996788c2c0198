// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_manifest.h"

#include <numeric>
#include <system_error>

#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/json_integer.h"
#include "longshot/core/private_file.h"

namespace longshot {
namespace {

using ManifestJson = nlohmann::ordered_json;

constexpr const char* kManifestFile = "manifest.json";
constexpr const char* kFormat = "longshot shards";
constexpr int kManifestVersion = 1;
constexpr std::size_t kMostShards = 65536;

[[noreturn]] void refuse_manifest(const std::filesystem::path& folder) {
  throw Error(ErrorKind::damaged, "{} is damaged: restore it from a copy.",
              (folder / kManifestFile).string());
}

void check_manifest(const ShardManifest& manifest, const std::filesystem::path& folder) {
  bool good = manifest.next_person >= 1 && !manifest.shards.empty() &&
              manifest.shards.size() <= kMostShards;
  for (std::size_t i = 0; good && i < manifest.shards.size(); ++i) {
    // Nothing outside the folder is ever opened.
    good = manifest.shards[i].file == shard_file_name(static_cast<Index>(i));
  }
  if (manifest.moving) {
    const auto inside = [&](Index shard) {
      return shard >= 0 && shard < std::ssize(manifest.shards);
    };
    good = good && inside(manifest.moving->from) && inside(manifest.moving->to);
  }
  if (!good) refuse_manifest(folder);
}

ShardManifest manifest_in(const ManifestJson& json, const std::filesystem::path& folder) {
  const auto number_in = [&](const ManifestJson& value) {
    const std::optional<std::int64_t> number = json_integer(value);
    if (!number) refuse_manifest(folder);
    return *number;
  };
  ShardManifest manifest;
  manifest.revision = number_in(json.at("revision"));
  manifest.next_person = number_in(json.at("next_person"));
  for (const ManifestJson& shard : json.at("shards")) {
    manifest.shards.push_back({shard.at("file").get<std::string>(), number_in(shard.at("people"))});
  }
  for (const ManifestJson& model : json.at("models")) {
    manifest.models.push_back(
        {model.at("key").get<std::string>(), model.at("checksum").get<std::string>()});
  }
  if (json.contains("moving")) {
    const ManifestJson& move = json.at("moving");
    manifest.moving = {number_in(move.at("from")), number_in(move.at("to")), {}};
    for (const ManifestJson& person : move.at("people")) {
      manifest.moving->people.push_back(number_in(person));
    }
  }
  if (json.contains("merging")) {
    const ManifestJson& merge = json.at("merging");
    manifest.merging = {number_in(merge.at("from")), number_in(merge.at("into"))};
  }
  if (json.contains("sealing")) manifest.sealing = json.at("sealing").get<std::string>();
  if (json.contains("reserved")) {
    for (const auto& [name, person] : json.at("reserved").items()) {
      manifest.reserved[name] = number_in(person);
    }
  }
  return manifest;
}

}  // namespace

Index ShardManifest::people() const {
  return std::accumulate(shards.begin(), shards.end(), Index{0},
                         [](Index sum, const ShardFile& shard) { return sum + shard.people; });
}

std::string shard_file_name(Index shard) {
  return fmt::format("shard-{:04}.gallery", shard);
}

bool is_shard_folder(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path / kManifestFile, error) &&
         std::filesystem::exists(path / kSharedGallery, error);
}

ShardManifest read_shard_manifest(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(folder / kManifestFile, error)) {
    throw Error(ErrorKind::not_found, "{} is not a folder of shards: split a gallery into one.",
                folder.string());
  }
  const std::string text = read_file(folder / kManifestFile);
  const ManifestJson json = ManifestJson::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", ManifestJson()) != kFormat) refuse_manifest(folder);
  const std::optional<std::int64_t> version = json_integer(json.value("version", ManifestJson()));
  if (!version) refuse_manifest(folder);
  if (*version > kManifestVersion) {
    throw Error(ErrorKind::unsupported, "{} was written by a newer version of longshot.",
                (folder / kManifestFile).string());
  }
  ShardManifest manifest;
  try {
    manifest = manifest_in(json, folder);
  } catch (const ManifestJson::exception&) {
    refuse_manifest(folder);
  }
  check_manifest(manifest, folder);
  return manifest;
}

void require_one_key(const std::filesystem::path& folder, const ShardManifest& manifest) {
  if (manifest.sealing.empty()) return;
  const std::string rest = manifest.sealing == "encrypt"
                               ? "is encrypted in part: encrypt it once more with the same key, or "
                                 "decrypt it with that key"
                           : manifest.sealing == "decrypt"
                               ? "is decrypted in part: decrypt it once more with the same key, or "
                                 "encrypt it with that key"
                               : "has another key in part: change the key once more, from the same "
                                 "one to the same one, or the other way round";
  throw Error(ErrorKind::unsupported, "{} {}.", folder.string(), rest);
}

void write_shard_manifest(const std::filesystem::path& folder, const ShardManifest& manifest) {
  ManifestJson json = {{"format", kFormat},
                       {"version", kManifestVersion},
                       {"revision", manifest.revision},
                       {"people", manifest.people()},
                       {"next_person", manifest.next_person},
                       {"shards", ManifestJson::array()},
                       {"models", ManifestJson::array()}};
  for (const ShardFile& shard : manifest.shards) {
    json["shards"].push_back({{"file", shard.file}, {"people", shard.people}});
  }
  for (const ShardModel& model : manifest.models) {
    json["models"].push_back({{"key", model.key}, {"checksum", model.checksum}});
  }
  if (manifest.moving) {
    json["moving"] = {{"from", manifest.moving->from},
                      {"to", manifest.moving->to},
                      {"people", manifest.moving->people}};
  }
  if (manifest.merging) {
    json["merging"] = {{"from", manifest.merging->from}, {"into", manifest.merging->into}};
  }
  if (!manifest.reserved.empty()) json["reserved"] = manifest.reserved;
  if (!manifest.sealing.empty()) json["sealing"] = manifest.sealing;
  write_private_file(folder / kManifestFile, json.dump(1) + "\n");
}

}  // namespace longshot
