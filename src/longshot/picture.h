// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/error.h"
#include "longshot/export.h"

namespace longshot::v0 {

// Rows x columns, as in the paper: "48x40" is 48 rows of 40 pixels.
struct Size {
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t cols = 0;
  bool operator==(const Size&) const = default;
};

// "7x6" -> {7, 6}. Throws Error for anything else.
LONGSHOT_API Size parse_size(std::string_view text);
LONGSHOT_API std::string to_string(Size size);

// Pixel coordinates, origin at the top left corner of the image.
struct Point {
  double x = 0.0;  // to the right
  double y = 0.0;  // down
  bool operator==(const Point&) const = default;
};

struct Box {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
  bool operator==(const Box&) const = default;
};

// Eye centres; `left` is the one on the image's left.
struct Eyes {
  Point left;
  Point right;
  bool operator==(const Eyes&) const = default;
};

// A grey image that comes out of the library.
struct Plane {
  Size size;
  std::vector<float> values;  // row by row from the top, 0 black to 1 white; differences below 0

  float at(std::ptrdiff_t row, std::ptrdiff_t col) const {
    return values[static_cast<std::size_t>(row * size.cols + col)];
  }
};

// Writes beside and renames, so that a reader sees the old file or the new one, never a part. Only
// its owner may read it, as it may hold names and faces.
LONGSHOT_API void write_file(const std::filesystem::path& path, std::string_view bytes);
// The same for an image; the extension says the format: .png, .jpg, .pgm, ...
LONGSHOT_API void write_plane(const std::filesystem::path& path, const Plane& plane);
// The bytes of such a file.
LONGSHOT_API std::string encode_plane(const Plane& plane, std::string_view extension = ".png");

// What the header of an encoded image says, before anything is decoded; nothing if it is no image
// that can be read.
LONGSHOT_API std::optional<Size> image_size(std::string_view bytes);

// An image that goes into the library, and what is known about it. Nothing is read or decoded
// before it is needed, so a bad image is found out by the call that uses it.
class LONGSHOT_API Picture {
 public:
  // JPEG, PNG, PGM/PPM, BMP, TIFF, WebP, HEIC and AVIF.
  static Picture file(const std::filesystem::path& path);
  static Picture encoded(std::string bytes, std::string name = "image");
  // `stride`: bytes from one row to the next, 0: rows follow each other. The pixels are copied,
  // unless an owner keeps them: then they are read where they are, by the calls that get the
  // picture, and must not change meanwhile. Throws Error for sizes and strides that cannot be.
  static Picture grey(const std::uint8_t* pixels, Size size, std::ptrdiff_t stride = 0,
                      std::shared_ptr<const void> owner = {});
  static Picture rgb(const std::uint8_t* pixels, Size size, std::ptrdiff_t stride = 0,
                     std::shared_ptr<const void> owner = {});
  // Grey levels of a face crop as it is: nothing has to be found. Copied; rows follow each other.
  static Picture crop(const std::uint8_t* pixels, Size size, std::string person = {});
  // One that could not be had, and why in one sentence: reported in its place among the others.
  static Picture unusable(std::string reason, std::string name = "image");

  // Where the face is, if that is known; otherwise it is found.
  std::optional<Eyes> eyes;
  std::optional<Box> box;
  // The image is the face crop as it is; eyes only say where they are in it.
  bool aligned = false;
  std::string person;  // whom it shows, for enrolling
  std::string name;    // in answers and complaints

  struct Source;
  explicit Picture(std::shared_ptr<const Source> source);  // for the library itself
  const std::shared_ptr<const Source>& source() const { return source_; }

 private:
  std::shared_ptr<const Source> source_;
};

// An input that was left out, and why, in one sentence.
struct Rejection {
  std::string name;
  std::string reason;
};

struct PictureList {
  std::vector<Picture> pictures;
  std::vector<Rejection> rejections;
  std::vector<std::filesystem::path> passed_over;  // files beside the pictures that are none
};

// Which pictures of a list with roles are meant.
enum class Purpose { enroll, identify, train, any };

// What becomes of a file that cannot be used: a rejection beside the pictures, or one of
// Picture::unusable() in its place.
enum class Unusable { reject, keep };

// What says whom a picture shows.
enum class PersonFrom {
  anything,  // the layout, also where that gives nothing but numbers
  layout,    // the layout; photos that only numbers tell apart are an Error
  folder,    // the folder that holds the picture
  stem,      // the name of its file: "person.jpg", "person_2.jpg"
  manifest   // the manifest, which there must be
};

// Whom a file shows by its name: "person.jpg" and "person_2.jpg" are photos of "person".
LONGSHOT_API std::string person_of_file(const std::filesystem::path& file);

// The pictures of folders (one folder per person, or person.jpg and person_2.jpg), images, manifest
// files and MATLAB files, with the people and eyes that these name. Throws Error if nothing usable
// is there.
LONGSHOT_API PictureList load(const std::vector<std::filesystem::path>& paths, Purpose purpose,
                              Unusable unusable = Unusable::reject,
                              PersonFrom from = PersonFrom::anything);

}  // namespace longshot::v0

// The library's own files say v0:: where they use both faces.
#ifndef LONGSHOT_INTERNAL
namespace longshot {
using namespace v0;
}
#endif
