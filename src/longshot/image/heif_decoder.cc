// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/heif_decoder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <libheif/heif.h>

#include "longshot/image/grey_rows.h"
#include "longshot/image/header_reader.h"

namespace longshot {
namespace {

// Planes of a tile and of the whole at 16 bits, and the same as RGB, once turned.
constexpr Index kHeifBytesPerPixel = 9;
constexpr int kMostSide = 1 << 15;

constexpr std::array<std::string_view, 7> kStills = {"heic", "heix", "heim", "heis",
                                                     "mif1", "mif2", "avif"};
constexpr std::array<std::string_view, 4> kSequences = {"hevc", "hevx", "msf1", "avis"};

std::string_view brand_of(std::string_view bytes) {
  if (bytes.size() < 16 || bytes.substr(4, 4) != "ftyp") return {};
  return bytes.substr(8, 4);
}

struct Release {
  void operator()(heif_context* context) const { heif_context_free(context); }
  void operator()(const heif_image_handle* handle) const { heif_image_handle_release(handle); }
  void operator()(const heif_image* image) const { heif_image_release(image); }
  void operator()(heif_decoding_options* options) const { heif_decoding_options_free(options); }
};
template <typename T>
using Owned = std::unique_ptr<T, Release>;

// The main image of a file, not yet decoded. The bytes must outlive it.
struct MainImage {
  Owned<heif_context> context;
  Owned<heif_image_handle> handle;  // null: the boxes are damaged
};

MainImage open_heif(std::string_view bytes) {
  MainImage main{Owned<heif_context>(heif_context_alloc()), nullptr};
  heif_context_set_maximum_image_size_limit(main.context.get(), kMostSide);
  heif_context_set_max_decoding_threads(main.context.get(), 0);
  if (heif_context_read_from_memory_without_copy(main.context.get(), bytes.data(), bytes.size(),
                                                 nullptr)
          .code != heif_error_Ok) {
    return main;
  }
  heif_image_handle* handle = nullptr;
  if (heif_context_get_primary_image_handle(main.context.get(), &handle).code == heif_error_Ok) {
    main.handle.reset(handle);
  }
  return main;
}

Size size_of(const heif_image_handle* handle) {
  return {heif_image_handle_get_height(handle), heif_image_handle_get_width(handle)};
}

// AV1 by libaom: dav1d, which libheif would take, complains of damage on stderr. Images of AV1 have
// a box av1C (AV1 in ISOBMFF, 2.3), without which libheif refuses them.
const char* decoder_of(std::string_view bytes) {
  return bytes.find("av1C") == std::string_view::npos ? nullptr : "aom";
}

// EXIF's orientation, where the file has no turning of its own (boxes irot and imir). That counts
// alone where it is, and libheif has done it; but some writers copy EXIF and forget the boxes.
int orientation_of(std::string_view bytes, const heif_image_handle* handle, DecodeBudget& budget) {
  for (const std::string_view turning : {"irot", "imir"}) {
    if (bytes.find(turning) != std::string_view::npos) return 1;
  }
  heif_item_id id = 0;
  if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) < 1) return 1;
  std::string exif(heif_image_handle_get_metadata_size(handle, id), '\0');
  budget.take(static_cast<Index>(exif.size()));
  if (heif_image_handle_get_metadata(handle, id, exif.data()).code != heif_error_Ok) return 1;
  HeaderReader reader(exif, true);
  const std::size_t begin = 4 + std::size_t{reader.number(0, 4)};
  if (!reader.ok() || begin > exif.size()) return 1;
  return exif_orientation(std::string_view(exif).substr(begin));
}

Owned<heif_image> decode(const heif_image_handle* handle, const char* decoder) {
  const Owned<heif_decoding_options> options(heif_decoding_options_alloc());
  options->convert_hdr_to_8bit = 1;
  options->decoder_id = decoder;
  heif_image* image = nullptr;
  const heif_error error = heif_decode_image(handle, &image, heif_colorspace_RGB,
                                             heif_chroma_interleaved_RGB, options.get());
  return Owned<heif_image>(error.code == heif_error_Ok ? image : nullptr);
}

}  // namespace

bool is_heif_sequence(std::string_view bytes) {
  return std::ranges::find(kSequences, brand_of(bytes)) != kSequences.end();
}

bool is_heif(std::string_view bytes) {
  return std::ranges::find(kStills, brand_of(bytes)) != kStills.end() || is_heif_sequence(bytes);
}

bool heif_is_complete(std::string_view bytes) {
  HeaderReader reader(bytes, true);
  std::size_t at = 0;
  while (at < bytes.size()) {
    std::uint64_t length = reader.number(at, 4);
    if (length == 0) return true;  // until the end
    if (length == 1) {
      length = std::uint64_t{reader.number(at + 8, 4)} << 32 | reader.number(at + 12, 4);
    }
    if (!reader.ok() || length < 8 || length > bytes.size() - at) return false;
    at += length;
  }
  return true;
}

std::optional<Size> heif_size(std::string_view bytes) {
  const MainImage main = open_heif(bytes);
  if (!main.handle) return std::nullopt;
  return size_of(main.handle.get());
}

DecodedPhoto decode_heif(std::string_view bytes, Size size, DecodeBudget& budget) {
  budget.take(kHeifBytesPerPixel * size.pixels());
  const MainImage main = open_heif(bytes);
  if (!main.handle) budget.refuse_damage();
  GreyRows rows(size, orientation_of(bytes, main.handle.get(), budget), budget);
  const Owned<heif_image> image = decode(main.handle.get(), decoder_of(bytes));
  budget.check_time();
  if (!image) budget.refuse_damage();
  int stride = 0;
  const std::uint8_t* pixels =
      heif_image_get_plane_readonly(image.get(), heif_channel_interleaved, &stride);
  const Size decoded{heif_image_get_height(image.get(), heif_channel_interleaved),
                     heif_image_get_width(image.get(), heif_channel_interleaved)};
  if (pixels == nullptr || decoded != size) budget.refuse_damage();
  for (Index row = 0; row < size.rows; ++row) {
    rows.put(row, pixels + row * stride, PixelLayout::kRgb, 1.0 / 255.0);
  }
  heif_error warning{};
  return {std::move(rows.image()),
          heif_image_get_decoding_warnings(image.get(), 0, &warning, 1) > 0};
}

}  // namespace longshot
