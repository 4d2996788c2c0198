// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/haar_cascade.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "longshot/core/error.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define LONGSHOT_HAAR_AVX2 __attribute__((target("avx2")))
#endif
// Each function takes the instructions of the one that it is inlined into.
#define LONGSHOT_HAAR_INLINE __attribute__((always_inline)) inline

namespace longshot {
namespace {

constexpr int kNeighbours = 8;                  // windows side by side that are asked at once
constexpr double kLeastWindowDeviation = 10.0;  // grey levels, OpenCV's own
constexpr float kStageTolerance = 1e-5F;        // OpenCV's own
constexpr int kLargestSide = 100;

using Sums = std::int32_t __attribute__((vector_size(kNeighbours * sizeof(std::int32_t))));
using Values = float __attribute__((vector_size(kNeighbours * sizeof(float))));

// Pixels of the integral image between the corner of a window and those of a rectangle.
struct PlacedRectangle {
  std::array<std::ptrdiff_t, 4> corners = {};
  float weight = 0.0F;
};

struct PlacedNode {
  std::array<PlacedRectangle, 3> rectangles;
  int count = 0;
  float threshold = 0.0F;
};

struct PlacedTree {
  PlacedNode first;
  PlacedNode second;
  const HaarTree* tree = nullptr;
};

struct PlacedStage {
  std::vector<PlacedTree> trees;
  float threshold = 0.0F;
};

PlacedRectangle placed(const HaarRectangle& one, std::ptrdiff_t stride) {
  const auto at = [&](int x, int y) { return y * stride + x; };
  const int right = one.x + one.width;
  const int bottom = one.y + one.height;
  return {{at(one.x, one.y), at(right, one.y), at(one.x, bottom), at(right, bottom)}, one.weight};
}

PlacedNode placed(const HaarNode& node, std::ptrdiff_t stride) {
  PlacedNode result;
  for (const HaarRectangle& one : node.rectangles) {
    if (one.weight != 0.0F) {
      result.rectangles[static_cast<std::size_t>(result.count++)] = placed(one, stride);
    }
  }
  result.threshold = node.threshold;
  return result;
}

std::vector<PlacedStage> placed(const std::vector<HaarStage>& stages, std::ptrdiff_t stride) {
  std::vector<PlacedStage> result;
  for (const HaarStage& stage : stages) {
    PlacedStage& last = result.emplace_back();
    last.threshold = stage.threshold;
    for (const HaarTree& tree : stage.trees) {
      last.trees.push_back({placed(tree.first, stride), placed(tree.second, stride), &tree});
    }
  }
  return result;
}

// An image with so many columns more on its right that the neighbours of the last window are there,
// and its integrals.
struct Integrals {
  Integrals(const cv::Mat& grey, int side)
      : rows(grey.rows - side + 1), cols(grey.cols - side + 1) {
    cv::Mat wider;
    cv::copyMakeBorder(grey, wider, 0, 0, 0, kNeighbours - 1, cv::BORDER_REPLICATE);
    cv::integral(wider, sums, squares, CV_32S, CV_64F);
    stride = static_cast<std::ptrdiff_t>(sums.step1());
  }

  int rows;  // of windows
  int cols;
  std::ptrdiff_t stride = 0;
  cv::Mat sums;
  cv::Mat squares;
};

// Vectors are handed out by reference: how they are returned depends on the processor.
template <typename Lanes, typename Value>
LONGSHOT_HAAR_INLINE void load_neighbours(const Value* from, Lanes& to) {
  std::memcpy(&to, from, sizeof(Lanes));
}

LONGSHOT_HAAR_INLINE void sum_rectangle(const PlacedRectangle& one, const std::int32_t* at,
                                        Sums& sum) {
  Sums corners[4];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) load_neighbours(at + one.corners[i], corners[i]);
  sum = corners[0] - corners[1] - corners[2] + corners[3];
}

LONGSHOT_HAAR_INLINE void ask_node(const PlacedNode& node, const std::int32_t* at,
                                   const Values& unit, Sums& below) {
  Values value = {};
  for (int i = 0; i < node.count; ++i) {
    const PlacedRectangle& one = node.rectangles[static_cast<std::size_t>(i)];
    Sums sum;
    sum_rectangle(one, at, sum);
    value += __builtin_convertvector(sum, Values) * one.weight;
  }
  below = value < node.threshold * unit;
}

LONGSHOT_HAAR_INLINE void add_tree(const PlacedTree& placed_tree, const std::int32_t* at,
                                   const Values& unit, Values& total) {
  const HaarTree& tree = *placed_tree.tree;
  const Values zero = {};
  Sums below;
  ask_node(placed_tree.first, at, unit, below);
  Values if_below = zero + tree.first_values[0];
  Values if_above = zero + tree.first_values[1];
  if (tree.asked != HaarTree::Second::kNone) {
    Sums second_below;
    ask_node(placed_tree.second, at, unit, second_below);
    (tree.asked == HaarTree::Second::kBelow ? if_below : if_above) =
        second_below ? zero + tree.second_values[0] : zero + tree.second_values[1];
  }
  total += below ? if_below : if_above;
}

LONGSHOT_HAAR_INLINE bool any_of(const Sums& set) {
  std::int32_t any = 0;
  for (int i = 0; i < kNeighbours; ++i) any |= set[i];
  return any != 0;
}

// Area times deviation of the windows, without a rim of one pixel; 0 of those that are nearly flat.
LONGSHOT_HAAR_INLINE void measure_units(const PlacedRectangle& inside, double area,
                                        const std::int32_t* sums, const double* squares,
                                        Values& units) {
  const double least = area * kLeastWindowDeviation;
  Sums sum;
  sum_rectangle(inside, sums, sum);
  for (int i = 0; i < kNeighbours; ++i) {
    const auto square_at = [&](std::size_t corner) { return squares[inside.corners[corner] + i]; };
    const double square = square_at(0) - square_at(1) - square_at(2) + square_at(3);
    const auto own = static_cast<double>(sum[i]);
    const double squared = area * square - own * own;
    units[i] = squared > least * least ? static_cast<float>(std::sqrt(squared)) : 0.0F;
  }
}

LONGSHOT_HAAR_INLINE void find_passing(const std::vector<PlacedStage>& stages, int side,
                                       const Integrals& integrals, std::vector<HaarWindow>& found) {
  const PlacedRectangle inside =
      placed(HaarRectangle{1, 1, side - 2, side - 2, 1.0F}, integrals.stride);
  const double area = static_cast<double>((side - 2) * (side - 2));
  for (int y = 0; y < integrals.rows; ++y) {
    const auto* sums = integrals.sums.ptr<std::int32_t>(y);
    const auto* squares = integrals.squares.ptr<double>(y);
    bool passed_over = false;
    for (int x = 0; x < integrals.cols; x += kNeighbours) {
      Values unit;
      measure_units(inside, area, sums + x, squares + x, unit);
      const Sums asked = unit > Values{};
      Sums alive = asked;
      Sums rejected_first = {};
      for (const PlacedStage& stage : stages) {
        if (!any_of(alive)) break;
        Values total = {};
        for (const PlacedTree& tree : stage.trees) add_tree(tree, sums + x, unit, total);
        alive &= total >= stage.threshold;
        if (&stage == &stages.front()) rejected_first = asked & ~alive;
      }
      // As OpenCV does, who stands behind a window that the first stage rejects is passed over.
      for (int i = 0; i < kNeighbours; ++i) {
        const bool considered = !passed_over;
        passed_over = considered && rejected_first[i] != 0;
        if (considered && alive[i] != 0 && x + i < integrals.cols) found.push_back({x + i, y});
      }
    }
  }
}

void find_portably(const std::vector<PlacedStage>& stages, int side, const Integrals& integrals,
                   std::vector<HaarWindow>& found) {
  find_passing(stages, side, integrals, found);
}

#ifdef LONGSHOT_HAAR_AVX2
LONGSHOT_HAAR_AVX2 void find_by_avx2(const std::vector<PlacedStage>& stages, int side,
                                     const Integrals& integrals, std::vector<HaarWindow>& found) {
  find_passing(stages, side, integrals, found);
}
#endif

using FindPassing = void (*)(const std::vector<PlacedStage>&, int, const Integrals&,
                             std::vector<HaarWindow>&);

FindPassing fastest_way() {
#ifdef LONGSHOT_HAAR_AVX2
  static const bool has = __builtin_cpu_supports("avx2");
  if (has) return find_by_avx2;
#endif
  return find_portably;
}

std::vector<HaarWindow> passing_windows(const std::vector<HaarStage>& stages, int side,
                                        const cv::Mat& grey, FindPassing find) {
  std::vector<HaarWindow> found;
  if (grey.rows < side || grey.cols < side) return found;
  const Integrals integrals(grey, side);
  find(placed(stages, integrals.stride), side, integrals, found);
  return found;
}

// What a file may say. Nothing: it is no cascade that we know.
std::optional<std::vector<HaarNode>> read_features(const cv::FileNode& from, int side) {
  std::vector<HaarNode> features;
  for (const cv::FileNode& feature : from) {
    const cv::FileNode rectangles = feature["rects"];
    if (rectangles.empty() || rectangles.size() > 3 || static_cast<int>(feature["tilted"]) != 0) {
      return std::nullopt;
    }
    HaarNode& node = features.emplace_back();
    for (std::size_t i = 0; i < rectangles.size(); ++i) {
      const cv::FileNode one = rectangles[static_cast<int>(i)];
      if (one.size() != 5) return std::nullopt;
      HaarRectangle& to = node.rectangles[i];
      to = {one[0], one[1], one[2], one[3], one[4]};
      const bool within = to.x >= 0 && to.y >= 0 && to.width > 0 && to.height > 0 &&
                          to.width <= side && to.height <= side && to.x <= side - to.width &&
                          to.y <= side - to.height;
      if (!within) return std::nullopt;
    }
  }
  return features;
}

// Nodes are stated as (where below, where above, feature, threshold): the number of another node,
// or that of a leaf, negative.
std::optional<HaarTree> read_tree(const cv::FileNode& from, const std::vector<HaarNode>& features) {
  const cv::FileNode nodes = from["internalNodes"];
  const cv::FileNode leaves = from["leafValues"];
  const std::size_t count = nodes.size() / 4;
  if (count < 1 || count > 2 || nodes.size() != 4 * count || leaves.size() != count + 1) {
    return std::nullopt;
  }
  HaarTree tree;
  for (std::size_t n = 0; n < count; ++n) {
    const auto at = [&](std::size_t i) { return nodes[static_cast<int>(4 * n + i)]; };
    const auto feature = static_cast<int>(at(2));
    if (feature < 0 || feature >= std::ssize(features)) return std::nullopt;
    HaarNode& node = n == 0 ? tree.first : tree.second;
    node = features[static_cast<std::size_t>(feature)];
    node.threshold = static_cast<float>(at(3));
    for (std::size_t i = 0; i < 2; ++i) {
      const int next = static_cast<int>(at(i));
      if (n == 0 && count == 2 && next == 1) {
        tree.asked = i == 0 ? HaarTree::Second::kBelow : HaarTree::Second::kAbove;
      } else if (next > 0 || -next > static_cast<int>(count)) {
        return std::nullopt;
      } else {
        (n == 0 ? tree.first_values : tree.second_values)[i] = static_cast<float>(leaves[-next]);
      }
    }
  }
  return tree;
}

std::optional<std::vector<HaarStage>> read_stages(const cv::FileNode& cascade, int side) {
  const std::optional<std::vector<HaarNode>> features = read_features(cascade["features"], side);
  if (!features) return std::nullopt;
  std::vector<HaarStage> stages;
  for (const cv::FileNode& from : cascade["stages"]) {
    HaarStage& stage = stages.emplace_back();
    stage.threshold = static_cast<float>(from["stageThreshold"]) - kStageTolerance;
    for (const cv::FileNode& one : from["weakClassifiers"]) {
      const std::optional<HaarTree> tree = read_tree(one, *features);
      if (!tree) return std::nullopt;
      stage.trees.push_back(*tree);
    }
  }
  if (stages.empty()) return std::nullopt;
  return stages;
}

}  // namespace

HaarCascade::HaarCascade(const std::filesystem::path& file) {
  std::optional<std::vector<HaarStage>> stages;
  try {
    const cv::FileStorage storage(file.string(), cv::FileStorage::READ);
    const cv::FileNode cascade = storage["cascade"];
    if (!cascade.empty()) {
      side_ = static_cast<int>(cascade["width"]);
      const bool square = static_cast<int>(cascade["height"]) == side_;
      if (square && side_ > 2 && side_ <= kLargestSide) stages = read_stages(cascade, side_);
    }
  } catch (const cv::Exception&) {
    stages = std::nullopt;
  }
  if (!stages) throw Error("Cannot use {}: it is not a Haar cascade.", file.string());
  stages_ = std::move(*stages);
}

std::vector<HaarWindow> HaarCascade::passing(const cv::Mat& grey) const {
  static const FindPassing fastest = fastest_way();
  return passing_windows(stages_, side_, grey, fastest);
}

std::vector<HaarWindow> HaarCascade::passing_portably(const cv::Mat& grey) const {
  return passing_windows(stages_, side_, grey, find_portably);
}

}  // namespace longshot
