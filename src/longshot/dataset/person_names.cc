// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/person_names.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/dataset/file_name.h"

namespace longshot {
namespace {

std::string folder_name(const Sample& sample) {
  const std::filesystem::path path = std::filesystem::absolute(sample.path).lexically_normal();
  return path.parent_path().filename().string();
}

bool has_manifest(const std::filesystem::path& path) {
  std::error_code ignored;
  return lower_case(path.extension().string()) == ".csv" ||
         std::filesystem::is_regular_file(path / "manifest.csv", ignored);
}

// A name that a camera has given is one of its own for each photo.
std::string subject_of_stem(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  return is_camera_name(stem) ? stem : subject_of_file(file);
}

std::string who_is_it(const Sample& sample) {
  return fmt::format(
      "\"{}\" does not say whom it shows: name the person, or take the name from the folder, "
      "\"{}\", or from the stem of the file, \"{}\".",
      sample.path.string(), folder_name(sample), subject_of_stem(sample.path));
}

void refuse_camera_names(Dataset& dataset, const std::filesystem::path& path) {
  if (has_manifest(path)) return;
  std::vector<Sample> named;
  std::vector<Rejection> nameless;
  for (Sample& sample : dataset.samples) {
    // Otherwise the folder told, or the rules of a known data set.
    std::error_code ignored;
    const bool here =
        sample.row < 0 && (sample.path == path || sample.path.parent_path() == path ||
                           std::filesystem::equivalent(sample.path.parent_path(), path, ignored));
    const bool by_file = here && sample.subject == subject_of_file(sample.path);
    if (by_file && is_camera_name(sample.path.stem().string())) {
      nameless.push_back({sample.path.string(), who_is_it(sample)});
    } else {
      named.push_back(std::move(sample));
    }
  }
  if (named.empty() && !nameless.empty()) throw Error("{}", nameless.front().reason);
  dataset.samples = std::move(named);
  dataset.rejections.insert(dataset.rejections.end(), nameless.begin(), nameless.end());
}

}  // namespace

void name_people(Dataset& dataset, const std::filesystem::path& path, PersonFrom from) {
  switch (from) {
    case PersonFrom::kAuto:
      return refuse_camera_names(dataset, path);
    case PersonFrom::kFolder:
      for (Sample& sample : dataset.samples) sample.subject = folder_name(sample);
      return;
    case PersonFrom::kStem:
      for (Sample& sample : dataset.samples) sample.subject = subject_of_stem(sample.path);
      return;
    case PersonFrom::kManifest:
      if (has_manifest(path)) return;
      throw Error("There is no manifest in {} that says whom its photos show.", path.string());
  }
}

}  // namespace longshot
