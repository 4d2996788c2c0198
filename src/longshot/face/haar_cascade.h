// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <vector>

namespace cv {
class Mat;
}

namespace longshot {

// The sum of the pixels of a rectangle of the window, weighed.
struct HaarRectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  float weight = 0.0F;
};

// Asks whether a sum of rectangles, in units of the window's area times its deviation, is below a
// threshold. Of three rectangles the last may weigh nothing.
struct HaarNode {
  std::array<HaarRectangle, 3> rectangles;
  float threshold = 0.0F;
};

// One question, or two of which the answer to the first says whether the second is asked.
struct HaarTree {
  enum class Second { kNone, kBelow, kAbove };  // asked where the first value is so

  HaarNode first;
  HaarNode second;
  Second asked = Second::kNone;
  std::array<float, 2> first_values = {};   // below and above the first threshold
  std::array<float, 2> second_values = {};  // the same of the second
};

// A window passes if the values of all trees add up to the threshold.
struct HaarStage {
  std::vector<HaarTree> trees;
  float threshold = 0.0F;
};

// A corner of a window.
struct HaarWindow {
  int x = 0;
  int y = 0;
  bool operator==(const HaarWindow&) const = default;
};

// A cascade of boosted trees (P. Viola and M. Jones 2001; R. Lienhart and J. Maydt 2002), read from
// the files of OpenCV. OpenCV's own classifier asks one window after the other; this one asks
// several neighbours at once. Safe to share among threads.
class HaarCascade {
 public:
  // Throws Error if the file cannot be used: upright rectangles and at most two questions a tree.
  explicit HaarCascade(const std::filesystem::path& file);

  int side() const { return side_; }  // of its windows, pixels
  // The windows of grey bytes that pass every stage, row by row. Those that are nearly flat, whose
  // deviation is 10 or less, do not, nor the next one after a window that the first stage rejects.
  std::vector<HaarWindow> passing(const cv::Mat& grey) const;
  // The same without the instructions that only some processors have.
  std::vector<HaarWindow> passing_portably(const cv::Mat& grey) const;

 private:
  int side_ = 0;
  std::vector<HaarStage> stages_;
};

}  // namespace longshot
