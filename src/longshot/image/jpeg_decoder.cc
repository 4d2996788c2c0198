// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/jpeg_decoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

// After cstdio, which it needs.
#include <jerror.h>
#include <jpeglib.h>

#include "longshot/image/grey_rows.h"

namespace longshot {
namespace {

// The library's state. Its C functions leave through our callbacks by exceptions: unwinding passes
// through C on every system that we build for.
class Decompressor {
 public:
  explicit Decompressor(DecodeBudget& budget) : budget_(budget) {
    state_.err = jpeg_std_error(&errors_);
    errors_.error_exit = fail;
    errors_.emit_message = count_warning;
    errors_.output_message = [](j_common_ptr) {};
    jpeg_create_decompress(&state_);
    state_.client_data = this;
    progress_.progress_monitor = [](j_common_ptr state) {
      static_cast<Decompressor*>(state->client_data)->budget_.check_time();
    };
    state_.progress = &progress_;
  }
  ~Decompressor() { jpeg_destroy_decompress(&state_); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  jpeg_decompress_struct* operator->() { return &state_; }
  jpeg_decompress_struct* get() { return &state_; }
  // The arrays of a progressive image count too.
  void limit_memory() {
    // 0 would mean no limit.
    state_.mem->max_memory_to_use = static_cast<long>(std::max<std::int64_t>(budget_.left(), 1));
  }

 private:
  [[noreturn]] static void fail(j_common_ptr state) {
    const auto* self = static_cast<const Decompressor*>(state->client_data);
    const int code = state->err->msg_code;
    if (code == JERR_OUT_OF_MEMORY || code == JERR_NO_BACKING_STORE) self->budget_.refuse_memory();
    self->budget_.refuse_damage();
  }
  static void count_warning(j_common_ptr state, int level) {
    if (level < 0) ++state->err->num_warnings;
  }

  DecodeBudget& budget_;
  jpeg_decompress_struct state_{};
  jpeg_error_mgr errors_{};
  jpeg_progress_mgr progress_{};
};

int orientation_of(const jpeg_decompress_struct& state) {
  using namespace std::string_view_literals;
  for (const auto* marker = state.marker_list; marker != nullptr; marker = marker->next) {
    const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
    if (data.starts_with("Exif\0\0"sv)) return exif_orientation(data.substr(6));
  }
  return 1;
}

// Adobe's inverted inks, as OpenCV turns them into colours.
void inks_to_rgb(const std::vector<JSAMPLE>& inks, std::vector<JSAMPLE>& rgb) {
  for (std::size_t i = 0; 4 * i < inks.size(); ++i) {
    const int black = inks[4 * i + 3];
    for (std::size_t c = 0; c < 3; ++c) {
      rgb[3 * i + c] = static_cast<JSAMPLE>(black - ((255 - inks[4 * i + c]) * black >> 8));
    }
  }
}

}  // namespace

DecodedPhoto decode_jpeg(std::string_view bytes, Size size, DecodeBudget& budget) {
  Decompressor jpeg(budget);
  jpeg_mem_src(jpeg.get(), reinterpret_cast<const unsigned char*>(bytes.data()),
               static_cast<unsigned long>(bytes.size()));
  jpeg_save_markers(jpeg.get(), JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(jpeg.get(), TRUE);
  if (jpeg->image_width != size.cols || jpeg->image_height != size.rows) budget.refuse_damage();
  const bool grey = jpeg->num_components == 1;
  const bool inks = jpeg->num_components == 4;
  jpeg->out_color_space = grey ? JCS_GRAYSCALE : inks ? JCS_CMYK : JCS_RGB;
  GreyRows rows(size, orientation_of(*jpeg.get()), budget);
  jpeg.limit_memory();
  jpeg_start_decompress(jpeg.get());
  const auto columns = static_cast<std::size_t>(size.cols);
  std::vector<JSAMPLE> line(columns * static_cast<std::size_t>(jpeg->out_color_components));
  std::vector<JSAMPLE> rgb(inks ? 3 * columns : 0);
  while (jpeg->output_scanline < jpeg->output_height) {
    const auto row = static_cast<Index>(jpeg->output_scanline);
    JSAMPLE* pointer = line.data();
    if (jpeg_read_scanlines(jpeg.get(), &pointer, 1) != 1) budget.refuse_damage();
    if (inks) inks_to_rgb(line, rgb);
    rows.put(row, inks ? rgb.data() : line.data(), grey ? PixelLayout::kGrey : PixelLayout::kRgb,
             1.0 / 255.0);
  }
  jpeg_finish_decompress(jpeg.get());
  return {std::move(rows.image()), jpeg->err->num_warnings > 0};
}

}  // namespace longshot
