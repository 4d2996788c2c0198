// SPDX-License-Identifier: Apache-2.0
#include <cblas.h>
#include <opencv2/core.hpp>
#include <sqlite3.h>
#include <tbb/version.h>
#include <unistd.h>

#include "longshot/clip/clip_messages.h"
#include "longshot/core/confined_process.h"
#include "longshot/core/parallel.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/evaluate/protocol.h"
#include "longshot/face/detect.h"
#include "longshot/feature/face_network.h"
#include "longshot/gallery/database.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/schema.h"
#include "longshot/image/confined_decoder.h"
#include "longshot/image/still_messages.h"
#include "longshot/pipeline/training_faces.h"
#include "longshot/recognize/model_io.h"
#include "longshot/search/tile.h"

namespace longshot::v0 {
namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;

constexpr double kMegabyte = 1024.0 * 1024.0;
constexpr double kLittleMemory = 2048.0;  // MB
constexpr double kLittleSpace = 64.0;     // MB, beside what the gallery takes
constexpr const char* kTrainingKey = "training";

Finding examine_processor() {
  const std::string what = fmt::format("The inner loops use {}, on {} threads.",
                                       instruction_set() == "avx2" ? "AVX2 and FMA" : "plain code",
                                       longshot::thread_count());
  if (instruction_set() == "avx2") return {Level::fine, "processor", what, ""};
  return {Level::remark, "processor", what,
          "Answers are the same; for speed use an x86-64 processor with AVX2 and FMA."};
}

Finding examine_memory() {
  const double megabytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                           static_cast<double>(::sysconf(_SC_PAGESIZE)) / kMegabyte;
  const std::string what = fmt::format("There are {:.0f} MB of memory.", megabytes);
  if (megabytes >= kLittleMemory) return {Level::fine, "memory", what, ""};
  return {Level::remark, "memory", what, "Keep galleries small, or add memory."};
}

Finding examine_libraries() {
  return {Level::fine, "libraries",
          fmt::format("OpenCV {}, OpenBLAS for {}, oneTBB {}, SQLite {}, Eigen {}.{}.{}.",
                      cv::getVersionString(), ::openblas_get_corename(), ::TBB_runtime_version(),
                      ::sqlite3_libversion(), EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                      EIGEN_MINOR_VERSION),
          ""};
}

Finding examine_clips() {
  try {
    return {Level::fine, "clips",
            fmt::format("Clips are read by {} and, if asked for, pictures by {} of {}.",
                        kClipHelper, find_helper(kStillHelper).filename().string(),
                        find_helper(kClipHelper).parent_path().string()),
            ""};
  } catch (const Error&) {
    return {Level::remark, "clips",
            fmt::format("Clips cannot be read, nor pictures apart, as {} or {} is missing.",
                        kClipHelper, kStillHelper),
            "Install the package longshot, or name the folder of these programs in "
            "LONGSHOT_HELPERS; pictures need nothing of it unless asked for."};
  }
}

Finding examine_face_network() {
  try {
    if (!installed_face_network()) {
      return {Level::fine, "face network", "None is installed, and none is needed.", ""};
    }
    return {Level::fine, "face network",
            fmt::format("Crops of 200 pixels and more are also shown to {}.",
                        installed_face_network_file()->string()),
            ""};
  } catch (const Error& error) {
    return {Level::problem, "face network", error.what(),
            "Install it again, or remove the file: nothing else needs it."};
  }
}

Finding examine_detector(const fs::path& detector) {
  try {
    if (!detector.empty()) {
      make_yunet_detector(detector);
      return {Level::fine, "detector",
              fmt::format("Faces are found by the YuNet model {}.", detector.string()), ""};
    }
    make_haar_detector();
    return {Level::fine, "detector", "Faces are found by the Haar cascades of the system.", ""};
  } catch (const Error& error) {
    return {Level::problem, "detector", error.what(),
            detector.empty()
                ? "Install the package opencv-data, or name a YuNet model as the detector; "
                  "crops and photos with stated eyes need neither."
                : "Name another YuNet model (.onnx), or none."};
  }
}

std::string advice_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::not_found:
      return "Name the file into which people were enrolled.";
    case ErrorKind::damaged:
      return "Restore it from a copy; otherwise enrol the photos anew into another file.";
    case ErrorKind::busy:
      return "Wait until the other program has finished, and ask again.";
    case ErrorKind::unsupported:
      return "Use a newer version of longshot.";
    default:
      return "Look at the file and at who may read it.";
  }
}

// Models carry checksums of their own.
void check_models(const GalleryStore& store) {
  for (const std::string& key : store.model_keys()) {
    const std::optional<std::string> bytes = store.model(key);
    if (!bytes) continue;
    if (key == kTrainingKey) {
      decode_training(*bytes, key);
    } else {
      decode_model(*bytes, key);
    }
  }
}

// The version of the file's tables.
std::int64_t format_of(const fs::path& path, const GalleryKey::Shared& key) {
  const GalleryOptions options;
  const Database database(path, Database::Access::kRead, options.wait_ms, options.cache_mb, key);
  return database.number("PRAGMA user_version");
}

Finding examine_content(const fs::path& path, const GalleryKey::Shared& key) {
  const GalleryStore store(path, GalleryStore::Access::kRead, {.key = key});
  const GallerySnapshot snapshot(store);
  store.check_integrity();
  check_models(store);
  std::string indexes;
  for (const std::string& index : store.index_keys()) {
    indexes += fmt::format("{}{}", indexes.empty() ? "" : ", ", index);
  }
  const std::int64_t format = format_of(path, key);
  const std::string what = fmt::format(
      "{} is whole: {} people, {} photos, version {}, indexes: {}.", path.string(),
      store.person_count(), store.photo_count(), format, indexes.empty() ? "none" : indexes);
  const std::int64_t newest = std::ssize(gallery_migrations());
  if (format == newest) return {Level::fine, "gallery", what, ""};
  return {Level::remark, "gallery", what,
          fmt::format("It is read as it is; the next change brings it to version {}.", newest)};
}

Finding examine_owner(const fs::path& path) {
  using fs::perms;
  const perms others = perms::group_all | perms::others_all;
  if ((fs::status(path).permissions() & others) != perms::none) {
    return {Level::remark, "privacy", "Other users of the machine may read or change the gallery.",
            fmt::format("chmod 600 \"{}\"", path.string())};
  }
  return {Level::fine, "privacy", "Only its owner may read the gallery.", ""};
}

Finding examine_space(const fs::path& path) {
  const double gallery = static_cast<double>(fs::file_size(path)) / kMegabyte;
  const double left =
      static_cast<double>(fs::space(fs::absolute(path).parent_path()).available) / kMegabyte;
  const std::string what =
      fmt::format("The gallery takes {:.1f} MB, and {:.0f} MB are free beside it.", gallery, left);
  if (::access(path.c_str(), W_OK) != 0) {
    return {Level::remark, "disk", "The gallery is write-protected.",
            "It can be asked about sizes that were asked before; make it writable to enrol."};
  }
  if (left >= gallery + kLittleSpace) return {Level::fine, "disk", what, ""};
  return {Level::remark, "disk", what,
          "Make room: an index for another size may take as much again."};
}

}  // namespace

std::string instruction_set() {
  return tile_kernels().name;
}

std::vector<std::string> protocol_names() {
  std::vector<std::string> names;
  for (const ProtocolKind kind :
       {ProtocolKind::kFrgc, ProtocolKind::kPie, ProtocolKind::kAr, ProtocolKind::kOutdoor,
        ProtocolKind::kYaleB, ProtocolKind::kRoles}) {
    names.push_back(longshot::to_string(kind));
  }
  return names;
}

std::vector<Finding> examine_system(const fs::path& detector) {
  return {examine_processor(), examine_memory(),       examine_libraries(),
          examine_clips(),     examine_face_network(), examine_detector(detector)};
}

std::vector<Finding> examine_gallery(const fs::path& gallery, const Key& key) {
  try {
    std::vector<Finding> findings = {examine_content(gallery, secret_of(key))};
    findings.push_back(examine_owner(gallery));
    findings.push_back(examine_space(gallery));
    return findings;
  } catch (const Error& error) {
    return {{Level::problem, "gallery", error.what(), advice_for(error.kind())}};
  } catch (const fs::filesystem_error& error) {
    return {{Level::problem, "gallery", error.what(), advice_for(ErrorKind::bad_input)}};
  }
}

void set_helper_folder(const fs::path& folder) {
  longshot::set_helper_folder(folder);
}

void set_decoders_confined(bool confined) {
  door::translated([&] { confine_decoders(confined); });
}

std::string to_string(Finding::Level level) {
  switch (level) {
    case Level::remark:
      return "remark";
    case Level::problem:
      return "problem";
    default:
      return "fine";
  }
}

}  // namespace longshot::v0
