// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/png_decoder.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <png.h>

#include "longshot/image/grey_rows.h"

namespace longshot {
namespace {

constexpr png_alloc_size_t kMostChunkBytes = 8 << 20;  // of text and profiles, unpacked

// The library's state; failures leave it by exceptions, as in jpeg_decoder.cc.
class PngReader {
 public:
  PngReader(std::string_view bytes, DecodeBudget& budget) : bytes_(bytes), budget_(budget) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &budget, fail, [](png_structp, auto) {});
    if (png_ == nullptr) budget.refuse_memory();
    info_ = png_create_info_struct(png_);
    png_set_read_fn(png_, this, read);
    png_set_chunk_malloc_max(png_, kMostChunkBytes);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  png_structp png() const { return png_; }
  png_infop info() const { return info_; }

 private:
  [[noreturn]] static void fail(png_structp png, png_const_charp /*message*/) {
    static_cast<const DecodeBudget*>(png_get_error_ptr(png))->refuse_damage();
  }
  static void read(png_structp png, png_bytep to, std::size_t count) {
    auto* self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > self->bytes_.size()) self->budget_.refuse_damage();
    std::memcpy(to, self->bytes_.data(), count);
    self->bytes_.remove_prefix(count);
  }

  std::string_view bytes_;
  DecodeBudget& budget_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

// Rows of grey or RGB, 8 or 16 bits of this machine's order; true for RGB.
bool ask_for_plain_rows(png_structp png, png_infop info) {
  const unsigned kind = png_get_color_type(png, info);
  const int depth = png_get_bit_depth(png, info);
  if (kind == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (kind == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (kind == PNG_COLOR_TYPE_GRAY_ALPHA) png_set_gray_to_rgb(png);
  png_set_strip_alpha(png);
  if (depth == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  return kind != PNG_COLOR_TYPE_GRAY;
}

int orientation_of(png_structp png, png_infop info) {
  png_uint_32 count = 0;
  png_bytep exif = nullptr;
  if (png_get_eXIf_1(png, info, &count, &exif) == 0) return 1;
  return exif_orientation({reinterpret_cast<const char*>(exif), count});
}

}  // namespace

Image decode_png(std::string_view bytes, Size size, DecodeBudget& budget) {
  const PngReader reader(bytes, budget);
  png_structp png = reader.png();
  png_read_info(png, reader.info());
  if (png_get_image_width(png, reader.info()) != size.cols ||
      png_get_image_height(png, reader.info()) != size.rows) {
    budget.refuse_damage();
  }
  const bool wide = png_get_bit_depth(png, reader.info()) == 16;
  const PixelLayout layout =
      ask_for_plain_rows(png, reader.info()) ? PixelLayout::kRgb : PixelLayout::kGrey;
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader.info());
  GreyRows rows(size, orientation_of(png, reader.info()), budget);
  const std::size_t row_bytes = png_get_rowbytes(png, reader.info());
  // Interlaced rows are completed pass by pass, so all of them are needed.
  const Index kept = passes > 1 ? size.rows : 1;
  budget.take(kept * static_cast<Index>(row_bytes));
  std::vector<png_byte> lines(static_cast<std::size_t>(kept) * row_bytes);
  for (int pass = 0; pass < passes; ++pass) {
    for (Index row = 0; row < size.rows; ++row) {
      png_byte* line = lines.data() + static_cast<std::size_t>(kept > 1 ? row : 0) * row_bytes;
      png_read_row(png, line, nullptr);
      budget.check_time();
      if (pass + 1 < passes) continue;
      if (wide) {
        rows.put(row, reinterpret_cast<const std::uint16_t*>(line), layout, 1.0 / 65535.0);
      } else {
        rows.put(row, line, layout, 1.0 / 255.0);
      }
    }
  }
  return std::move(rows.image());
}

}  // namespace longshot
