// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "longshot/camera.h"
#include "longshot/picture.h"

namespace longshot::v0 {

// Called now and then by long work, from any thread but by one at a time: what is being done, and
// how many steps of how many. Return false to cancel; the call then throws an Error of that kind.
using Progress =
    std::function<bool(std::string_view task, std::ptrdiff_t done, std::ptrdiff_t total)>;

// Runs `work`. Calls of the library in it that take no progress ask `stop` now and then, from any
// thread, and throw an Error of the kind cancelled once it says true.
LONGSHOT_API void run_cancellable(const std::function<bool()>& stop,
                                  const std::function<void()>& work);

// "1m 05s left", after so many steps of how many in so many seconds.
LONGSHOT_API std::string time_left(std::ptrdiff_t done, std::ptrdiff_t total, double seconds);

struct TrainOptions {
  Size high = {48, 40};            // of the faces
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system
};

struct EnrollOptions {
  std::string person;              // whom all pictures show; empty: as the pictures say
  bool force = false;              // enrol what the quality gate refuses, if there is a face at all
  std::optional<Size> high;        // size of the faces of a new gallery; nothing: 48x40
  std::filesystem::path model;     // what was learnt from training people; kept in the gallery
  bool allow_none = false;         // no Error if every picture is rejected
  bool again = false;              // of shards: goes on with a call that was killed
  bool refresh = false;            // learn anew, from the people who are enrolled now, when needed
  std::filesystem::path detector;  // as above
};

// Which faces of a picture are meant that does not say where its face is.
enum class Faces {
  largest,  // the most prominent one, by size and nearness to the middle
  all
};

struct CompactOptions {
  // Bytes that the indexes may take together, >= 0. The oldest of them go, and are built anew when
  // they are next needed.
  std::int64_t cache_bytes = std::int64_t{64} << 20;
};

// What leaves a gallery.
enum class Share {
  photos,    // names and aligned faces: a folder with manifest.csv, which every command reads
  templates  // names and templates: a gallery that answers as this one does at the sizes that it
             // has been asked about, and can learn nothing new
};

struct IdentifyOptions {
  std::string method = "longshot";
  std::optional<Size> size;        // to search at; nothing: what the pixels of a probe fill
  std::ptrdiff_t top = 5;          // candidates of each probe, >= 1
  double fpir = 0.01;              // accepted rate of strangers taken for somebody, 0 to 1
  bool fuse_folders = false;       // the images of a folder show one person
  Faces faces = Faces::largest;    // all: one answer for each
  std::optional<Camera> camera;    // that took the probes
  bool learn_camera = false;       // if none is stated: from the probes of the call, for each size
  std::filesystem::path detector;  // as above
};

struct VerifyOptions {
  std::string method = "longshot";
  std::optional<Size> size;  // to compare at; nothing: what the pixels of the probe fill
  std::optional<Camera> camera;
  double fmr = 0.001;              // accepted rate of false matches, 0 to 1
  std::filesystem::path detector;  // as above
};

struct CameraOptions {
  std::optional<Size> size;        // of the crops; nothing: the one that most of them fill
  std::filesystem::path detector;  // as above
};

struct CompareOptions {
  std::optional<Size> size;      // of the probe; nothing: what its pixels fill
  std::optional<Camera> camera;  // that took it
  std::ptrdiff_t photo = 0;      // id of the photo; 0: the first
  std::filesystem::path detector;
};

}  // namespace longshot::v0
