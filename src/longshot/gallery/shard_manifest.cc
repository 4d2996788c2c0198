// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_manifest.h"

#include <numeric>
#include <system_error>

#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
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

ShardManifest manifest_in(const ManifestJson& json) {
  ShardManifest manifest;
  manifest.revision = json.at("revision").get<std::int64_t>();
  manifest.next_person = json.at("next_person").get<PersonId>();
  for (const ManifestJson& shard : json.at("shards")) {
    manifest.shards.push_back(
        {shard.at("file").get<std::string>(), shard.at("people").get<Index>()});
  }
  for (const ManifestJson& model : json.at("models")) {
    manifest.models.push_back(
        {model.at("key").get<std::string>(), model.at("checksum").get<std::string>()});
  }
  if (json.contains("moving")) {
    const ManifestJson& move = json.at("moving");
    manifest.moving = {move.at("from").get<Index>(), move.at("to").get<Index>(),
                       move.at("people").get<std::vector<PersonId>>()};
  }
  if (json.contains("reserved")) {
    manifest.reserved = json.at("reserved").get<std::map<std::string, PersonId>>();
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
  if (!json.is_object() || json.value("format", "") != kFormat ||
      !json.value("version", ManifestJson()).is_number_integer()) {
    refuse_manifest(folder);
  }
  if (json.at("version").get<int>() > kManifestVersion) {
    throw Error(ErrorKind::unsupported, "{} was written by a newer version of longshot.",
                (folder / kManifestFile).string());
  }
  ShardManifest manifest;
  try {
    manifest = manifest_in(json);
  } catch (const ManifestJson::exception&) {
    refuse_manifest(folder);
  }
  check_manifest(manifest, folder);
  return manifest;
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
  if (!manifest.reserved.empty()) json["reserved"] = manifest.reserved;
  write_private_file(folder / kManifestFile, json.dump(1) + "\n");
}

}  // namespace longshot
