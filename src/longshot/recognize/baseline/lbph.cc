// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/lbph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/recognize/matrix_searcher.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

constexpr int kNeighbours = 8;
// In units of the brightest pixel: equal greys must stay equal after interpolation and scaling.
constexpr double kEqual = 1e-9;

// A neighbour as the weighted mean of four pixels.
struct Neighbour {
  Index row = 0;  // of the first pixel, relative to the centre
  Index col = 0;
  double down = 0.0;   // share of the row below
  double right = 0.0;  // share of the column to the right
};

std::array<Neighbour, kNeighbours> neighbours(Index radius) {
  std::array<Neighbour, kNeighbours> list;
  for (int k = 0; k < kNeighbours; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kNeighbours;
    // Rounded, as cos(90 degrees) is not exactly 0.
    const double y = std::round(-static_cast<double>(radius) * std::sin(angle) * 1e12) / 1e12;
    const double x = std::round(static_cast<double>(radius) * std::cos(angle) * 1e12) / 1e12;
    Neighbour& neighbour = list[static_cast<std::size_t>(k)];
    neighbour.row = static_cast<Index>(std::floor(y));
    neighbour.col = static_cast<Index>(std::floor(x));
    neighbour.down = y - std::floor(y);
    neighbour.right = x - std::floor(x);
  }
  return list;
}

double value_at(const Image& image, Index row, Index col, const Neighbour& n) {
  const Index top = row + n.row;
  const Index left = col + n.col;
  const Index bottom = n.down > 0.0 ? top + 1 : top;
  const Index right = n.right > 0.0 ? left + 1 : left;
  return (1 - n.down) * ((1 - n.right) * image(top, left) + n.right * image(top, right)) +
         n.down * ((1 - n.right) * image(bottom, left) + n.right * image(bottom, right));
}

Matrix all_histograms(const MatrixRef& images, Size size, const LbphOptions& options) {
  Matrix histograms(kLbpLabels * options.cells.pixels(), images.cols());
  parallel_for(images.cols(), [&](Index j) {
    histograms.col(j) =
        lbp_histograms(images.col(j).reshaped(size.rows, size.cols), options.radius, options.cells);
  });
  return histograms;
}

class LbphSearcher final : public MatrixSearcher {
 public:
  LbphSearcher(Size high, Size low, const LbphOptions& options)
      : MatrixSearcher({"histograms"}),
        options_(options),
        enlarger_(DegradeOperator(), low, high) {}

  Index people() const override { return static_cast<Index>(people_.size()); }

  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, enlarger_.from().pixels(), people());
    const Matrix histograms =
        all_histograms(enlarger_.apply_columns(probes), enlarger_.to(), options_);
    const double largest = 2.0 * static_cast<double>(options_.cells.pixels());
    Matrix result = Matrix::Ones(people(), probes.cols());
    parallel_for(probes.cols(), [&](Index j) {
      if (probes.col(j).isZero(0.0)) return;
      for (Index i = 0; i < people(); ++i) {
        for (const auto& photo : people_[static_cast<std::size_t>(i)].colwise()) {
          result(i, j) = std::min(result(i, j), chi_square(histograms.col(j), photo) / largest);
        }
      }
    });
    return result;
  }

 private:
  void check(const Template& person) const override {
    const Matrix& histograms = person.part("histograms");
    if (histograms.rows() != kLbpLabels * options_.cells.pixels() || histograms.cols() == 0) {
      refuse_template();
    }
  }
  void add_checked(const Template& person) override {
    people_.push_back(person.part("histograms"));
  }

  LbphOptions options_;
  Degrader enlarger_;
  std::vector<Matrix> people_;
};

// Ordered by preference.
std::vector<LbphOptions> candidates(const LbphOptions& base) {
  std::vector<LbphOptions> list(2, base);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].tune = false;
    list[i].radius = i == 0 ? 2 : 1;
  }
  return list;
}

}  // namespace

Eigen::MatrixXi lbp_codes(const Image& image, Index radius) {
  check_image(image, "The image");
  if (radius < 1 || image.rows() <= 2 * radius || image.cols() <= 2 * radius) {
    throw Error("Local binary patterns of radius {} need more than {}.", radius,
                to_string(size_of(image)));
  }
  const std::array<Neighbour, kNeighbours> circle = neighbours(radius);
  const double slack = kEqual * image.cwiseAbs().maxCoeff();
  Eigen::MatrixXi codes =
      Eigen::MatrixXi::Zero(image.rows() - 2 * radius, image.cols() - 2 * radius);
  for (Index c = 0; c < codes.cols(); ++c) {
    for (Index r = 0; r < codes.rows(); ++r) {
      const double centre = image(r + radius, c + radius) - slack;
      for (int k = 0; k < kNeighbours; ++k) {
        const Neighbour& neighbour = circle[static_cast<std::size_t>(k)];
        if (value_at(image, r + radius, c + radius, neighbour) >= centre) codes(r, c) |= 1 << k;
      }
    }
  }
  return codes;
}

int uniform_lbp_label(int code) {
  static const std::array<int, 256> labels = [] {
    std::array<int, 256> list{};
    int next = 0;
    for (unsigned value = 0; value < 256; ++value) {
      const auto bits = static_cast<std::uint8_t>(value);
      const bool uniform = std::popcount(static_cast<std::uint8_t>(bits ^ std::rotl(bits, 1))) <= 2;
      list[value] = uniform ? next++ : kLbpLabels - 1;
    }
    return list;
  }();
  return labels.at(static_cast<std::size_t>(code));
}

double chi_square(const VectorRef& a, const VectorRef& b) {
  const auto sum = a.array() + b.array();
  return (sum > 0.0).select((a - b).array().square() / sum, 0.0).sum();
}

Vector lbp_histograms(const Image& image, Index radius, Size cells) {
  const Eigen::MatrixXi codes = lbp_codes(image, radius);
  Matrix histograms = Matrix::Zero(kLbpLabels, cells.pixels());
  for (Index c = 0; c < codes.cols(); ++c) {
    for (Index r = 0; r < codes.rows(); ++r) {
      const Index cell =
          r * cells.rows / codes.rows() + cells.rows * (c * cells.cols / codes.cols());
      histograms(uniform_lbp_label(codes(r, c)), cell) += 1.0;
    }
  }
  for (auto histogram : histograms.colwise()) {
    if (histogram.sum() > 0.0) histogram /= histogram.sum();
  }
  return histograms.reshaped();
}

void LbphOptions::check() const {
  if (radius < 1 || radius > 2) throw Error("radius must be 1 or 2, not {}.", radius);
  if (cells.rows < 1 || cells.cols < 1 || cells.rows > 100 || cells.cols > 100) {
    throw Error("cells must be from 1x1 to 100x100, not {}.", to_string(cells));
  }
}

Lbph::Lbph(const LbphOptions& options) : options_(options), settings_(options) {
  options_.check();
}

void Lbph::learn(const TrainingSet& training) {
  training.check();
  high_ = training.extender->geometry().high;
  low_ = training.extender->geometry().low;
  if (std::min(high_.rows, high_.cols) <= 2 * options_.radius) {
    throw Error("Local binary patterns need a high resolution above {}.", to_string(high_));
  }
  settings_ = tuned<Lbph>(training, options_, candidates);
}

Template Lbph::enrol(const PersonImages& person) const {
  if (person.photos_high.cols() == 0) throw Error("There is no image to enrol.");
  if (person.photos_high.rows() != high_.pixels() || person.photos_low.rows() != low_.pixels()) {
    throw Error("The images to enrol are not of the sizes that the model was learnt for.");
  }
  if (!settings_.degraded) {
    return {{{"histograms", all_histograms(person.photos_high, high_, settings_)}}};
  }
  const Degrader enlarger(DegradeOperator(), low_, high_);
  return {{{"histograms",
            all_histograms(enlarger.apply_columns(person.photos_low), high_, settings_)}}};
}

std::unique_ptr<Searcher> Lbph::make_searcher() const {
  return std::make_unique<LbphSearcher>(high_, low_, settings_);
}

ModelState Lbph::state() const {
  ModelState state;
  state.set_number("radius", static_cast<double>(settings_.radius));
  state.set_number("high.rows", static_cast<double>(high_.rows));
  state.set_number("high.cols", static_cast<double>(high_.cols));
  state.set_number("low.rows", static_cast<double>(low_.rows));
  state.set_number("low.cols", static_cast<double>(low_.cols));
  return state;
}

void Lbph::restore(const ModelState& state) {
  settings_.radius = state.count("radius", 1, 2);
  const Index least = 2 * settings_.radius + 1;
  high_ = {state.count("high.rows", least, kLargestImageSide),
           state.count("high.cols", least, kLargestImageSide)};
  low_ = {state.count("low.rows", 1, kLargestImageSide),
          state.count("low.cols", 1, kLargestImageSide)};
}

}  // namespace longshot
