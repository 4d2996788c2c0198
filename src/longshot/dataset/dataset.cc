// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/dataset.h"

#include <algorithm>
#include <tuple>

#include "longshot/core/error.h"
#include "longshot/dataset/ar.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/folder_listing.h"
#include "longshot/dataset/folders.h"
#include "longshot/dataset/frgc.h"
#include "longshot/dataset/manifest.h"
#include "longshot/dataset/mat_reader.h"
#include "longshot/dataset/pie.h"
#include "longshot/dataset/sample_reader.h"
#include "longshot/dataset/yaleb.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

bool needs_folder(DatasetFormat format) {
  switch (format) {
    case DatasetFormat::kFolders:
    case DatasetFormat::kFlat:
    case DatasetFormat::kYaleB:
    case DatasetFormat::kPie:
    case DatasetFormat::kAr:
      return true;
    default:
      return false;
  }
}

DatasetFormat detect_file(const fs::path& path) {
  const std::string extension = lower_case(path.extension().string());
  if (extension == ".csv") return DatasetFormat::kManifest;
  if (extension == ".mat") return DatasetFormat::kMat;
  if (extension == ".xml") return DatasetFormat::kFrgc;
  if (has_image_extension(path)) return DatasetFormat::kImage;
  throw Error(
      "{} is neither an image (JPEG, PNG, PGM, PPM, BMP, TIFF, WebP, HEIC, AVIF) nor a manifest "
      "(.csv), a MATLAB file (.mat) or a signature set (.xml).",
      path.string());
}

// The most particular layout first: to read_person_folders any tree of images is good.
DatasetFormat detect_folder(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path / "manifest.csv", ignored)) return DatasetFormat::kManifest;
  if (is_yaleb(path)) return DatasetFormat::kYaleB;
  if (is_pie(path)) return DatasetFormat::kPie;
  if (is_ar(path)) return DatasetFormat::kAr;
  return DatasetFormat::kFolders;
}

Dataset read_as(const fs::path& path, DatasetFormat format) {
  switch (format) {
    case DatasetFormat::kFlat:
      return read_flat_folder(path);
    case DatasetFormat::kImage:
      return read_single_image(path);
    case DatasetFormat::kManifest:
      return read_manifest(fs::is_directory(path) ? path / "manifest.csv" : path);
    case DatasetFormat::kMat:
      return read_mat(path);
    case DatasetFormat::kYaleB:
      return read_yaleb(path);
    case DatasetFormat::kPie:
      return read_pie(path);
    case DatasetFormat::kAr:
      return read_ar(path);
    case DatasetFormat::kFrgc:
      return read_frgc(path);
    default:
      return read_person_folders(path);
  }
}

void check_not_empty(const Dataset& dataset, const fs::path& path) {
  if (!dataset.samples.empty()) return;
  if (!dataset.rejections.empty()) {
    const Rejection& first = dataset.rejections.front();
    throw Error("Nothing in {} can be used: {} rejected, the first is {}: {}", path.string(),
                dataset.rejections.size() == 1
                    ? "1 entry was"
                    : fmt::format("{} entries were", dataset.rejections.size()),
                first.path, first.reason);
  }
  throw Error(
      "No images were found in {}: it must hold one folder per person, files named "
      "person.jpg and person_2.jpg, or a manifest.csv with at least one line.",
      path.string());
}

// Crops have square pixels unless the data set says otherwise.
double own_aspect(const Dataset& dataset) {
  SampleReader reader;
  for (const Sample& sample : dataset.samples) {
    try {
      const Size size = size_of(reader.read(sample));
      return static_cast<double>(size.rows) / static_cast<double>(size.cols);
    } catch (const Error&) {
      continue;  // reported when the faces are read
    }
  }
  return FaceFrame().aspect;
}

}  // namespace

Dataset load_dataset(const fs::path& path, DatasetFormat format) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) throw Error("{} does not exist.", path.string());
  if (error) throw Error("Cannot read {}: {}.", path.string(), error.message());
  const bool is_folder = fs::is_directory(status);
  if (format == DatasetFormat::kAuto) format = is_folder ? detect_folder(path) : detect_file(path);
  if (needs_folder(format) && !is_folder) {
    throw Error("{} is a file, a data set of this kind is a folder.", path.string());
  }
  if (!needs_folder(format) && is_folder && format != DatasetFormat::kManifest) {
    throw Error("{} is a folder, a data set of this kind is a file.", path.string());
  }
  Dataset dataset = read_as(path, format);
  check_not_empty(dataset, path);
  // Stable, so that lines of a manifest that name the same image stay in the order of the file.
  std::stable_sort(dataset.samples.begin(), dataset.samples.end(),
                   [](const Sample& a, const Sample& b) {
                     return std::tie(a.path, a.row) < std::tie(b.path, b.row);
                   });
  if (dataset.aligned && dataset.aligned->aspect == kSquarePixels) {
    dataset.aligned->aspect = own_aspect(dataset);
  }
  return dataset;
}

std::vector<fs::path> data_sets_below(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored) || detect_folder(path) != DatasetFormat::kFolders) return {};
  std::vector<fs::path> found = list_folder(path).folders;
  std::erase_if(found, [](const fs::path& folder) {
    return detect_folder(folder) == DatasetFormat::kFolders;
  });
  return found;
}

}  // namespace longshot
