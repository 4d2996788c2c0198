// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/person_names.h"

#include <string>
#include <string_view>
#include <system_error>

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

bool is_number(std::string_view name) {
  return name.find_first_not_of("0123456789_-. ") == std::string_view::npos;
}

void refuse_numbers(const Dataset& dataset, const std::filesystem::path& path) {
  std::error_code ignored;
  if (has_manifest(path)) return;
  const Sample* first = nullptr;
  for (const Sample& sample : dataset.samples) {
    // Otherwise the folder told, or the rules of a known data set.
    const bool here =
        sample.row < 0 && (sample.path == path || sample.path.parent_path() == path ||
                           std::filesystem::equivalent(sample.path.parent_path(), path, ignored));
    if (!here || sample.subject != subject_of_file(sample.path)) continue;
    if (!is_number(sample.subject)) return;
    if (first == nullptr) first = &sample;
  }
  if (first == nullptr) return;
  throw Error(
      "\"{}\" does not say whom it shows: add --person NAME, or --person-from folder for \"{}\", "
      "or "
      "--person-from stem for \"{}\".",
      first->path.string(), folder_name(*first), first->subject);
}

}  // namespace

void name_people(Dataset& dataset, const std::filesystem::path& path, PersonFrom from) {
  switch (from) {
    case PersonFrom::kAuto:
      return refuse_numbers(dataset, path);
    case PersonFrom::kFolder:
      for (Sample& sample : dataset.samples) sample.subject = folder_name(sample);
      return;
    case PersonFrom::kStem:
      for (Sample& sample : dataset.samples) sample.subject = subject_of_file(sample.path);
      return;
    case PersonFrom::kManifest:
      if (has_manifest(path)) return;
      throw Error("There is no manifest in {} that says whom its photos show.", path.string());
  }
}

}  // namespace longshot
