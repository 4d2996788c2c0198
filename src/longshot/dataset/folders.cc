// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/folders.h"

#include "longshot/core/error.h"
#include "longshot/dataset/dataset_json.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/folder_listing.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// What is there besides images.
void add_others(const FolderListing& listing, Dataset& dataset) {
  append(dataset.rejections, listing.rejections);
  dataset.passed_over.insert(dataset.passed_over.end(), listing.passed_over.begin(),
                             listing.passed_over.end());
}

void add_images(const std::vector<fs::path>& images, const std::string& subject,
                const std::string& session, Dataset& dataset) {
  for (const fs::path& image : images) {
    Sample sample;
    sample.path = image;
    sample.subject = subject.empty() ? subject_of_file(image) : subject;
    sample.session = session;
    dataset.samples.push_back(std::move(sample));
  }
}

// One folder with nothing but folders in it: whoever named the folder above would get one person.
void check_not_above(const fs::path& root, const FolderListing& top) {
  if (!top.images.empty() || top.folders.size() != 1) return;
  const FolderListing only = list_folder(top.folders.front());
  if (!only.images.empty() || only.folders.size() < 2) return;
  throw Error(
      "{} holds a single folder, {}, and that holds folders alone. If these are people, name {} "
      "instead; if they are days of one person, put the photos into one folder.",
      root.string(), top.folders.front().filename().string(), top.folders.front().string());
}

}  // namespace

Dataset read_person_folders(const fs::path& root) {
  Dataset dataset;
  dataset.aligned = aligned_frame(root);
  const FolderListing top = list_folder(root);
  check_not_above(root, top);
  add_others(top, dataset);
  add_images(top.images, "", "", dataset);
  for (const fs::path& folder : top.folders) {
    const std::string person = folder.filename().string();
    const FolderListing photos = list_folder(folder);
    add_others(photos, dataset);
    add_images(photos.images, person, "", dataset);
    for (const fs::path& deeper : photos.folders) {
      const FolderListing listing = list_folder(deeper);
      add_others(listing, dataset);
      add_images(listing.images, person, deeper.filename().string(), dataset);
    }
  }
  return dataset;
}

Dataset read_flat_folder(const fs::path& root) {
  Dataset dataset;
  dataset.aligned = aligned_frame(root);
  const FolderListing listing = list_folder(root);
  add_others(listing, dataset);
  add_images(listing.images, "", "", dataset);
  return dataset;
}

Dataset read_single_image(const fs::path& file) {
  Dataset dataset;
  dataset.aligned = aligned_frame(fs::absolute(file).parent_path());
  if (std::string problem = file_problem(file); !problem.empty()) {
    dataset.rejections.push_back({file.string(), std::move(problem)});
  } else {
    add_images({file}, "", "", dataset);
  }
  return dataset;
}

}  // namespace longshot
