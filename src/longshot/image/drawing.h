// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "longshot/image/image_io.h"

namespace longshot {

struct Colour {
  double red = 1.0;  // each from 0 to 1
  double green = 1.0;
  double blue = 1.0;
};

inline constexpr Index kTextHeight = 18;  // pixels of a line of text

// The text as it can be drawn: one "?" for each character that is not printable ASCII.
std::string drawable(std::string_view utf8);
// Pixels that a line of it takes.
Index text_width(std::string_view drawable_text);
// As much of its beginning as fits into that many pixels, with ".." for the rest.
std::string cut_to_width(std::string_view drawable_text, Index width);

// In colour, every pixel as a block of `times` x `times`, times >= 1.
ColorImage enlarged(const Image& image, Index times);

// The outline of a box, `thickness` pixels wide and inwards; what lies outside is not drawn.
void draw_box(ColorImage& picture, const Box& box, const Colour& colour, Index thickness = 2);

// One line, from its top left corner; what lies outside is not drawn.
void draw_text(ColorImage& picture, Index row, Index col, std::string_view text,
               const Colour& colour);

// A face on a picture, and what is said about it.
struct FaceMark {
  Box box;           // pixels of the picture
  Index number = 0;  // of what is said, in a legend
  std::string text;
  Colour colour;
};

// How many times a picture of that size is enlarged so that its faces and their names can be read:
// once unless it is small. Small faces make it larger, but never a large picture.
Index times_to_read(Size size, const std::vector<FaceMark>& marks = {});

// The picture enlarged, with the boxes and, on plates beside them, their numbers and texts. Every
// plate lies inside the picture. None hides another face or plate: where faces stand close there is
// only the number, in the box itself if need be.
ColorImage marked(const Image& picture, const std::vector<FaceMark>& marks, Index times);

}  // namespace longshot
