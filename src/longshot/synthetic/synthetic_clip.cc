// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_clip.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/image/degrade.h"
#include "longshot/image/shift.h"
#include "longshot/synthetic/synthetic_set.h"

namespace longshot {
namespace {

constexpr Index kViews = 6;  // photos of each person, which follow each other

// A pattern of waves in all directions: nothing that looks like a face, and nothing flat.
Image make_ground(Size size, std::uint64_t seed, Index walk) {
  constexpr int kWaves = 24;
  Random random(seed, static_cast<std::uint64_t>(77 + walk));
  Image ground = Image::Constant(size.rows, size.cols, 0.45);
  for (int k = 0; k < kWaves; ++k) {
    const double angle = random.uniform(0.0, std::numbers::pi);
    const double period = random.uniform(6.0, 90.0);
    const double phase = random.uniform(0.0, 2.0 * std::numbers::pi);
    const double x = 2.0 * std::numbers::pi / period * std::cos(angle);
    const double y = 2.0 * std::numbers::pi / period * std::sin(angle);
    for (Index c = 0; c < size.cols; ++c) {
      for (Index r = 0; r < size.rows; ++r) {
        ground(r, c) +=
            0.03 * std::cos(x * static_cast<double>(c) + y * static_cast<double>(r) + phase);
      }
    }
  }
  return ground;
}

// 1 on the head and the body below it, 0 elsewhere, soft at the edge; in eye distances from the
// middle of the eyes.
double body_mask(double x, double y) {
  const double head = std::hypot(x / 1.25, (y - 0.45) / 1.75);
  const double body = y > 1.6 ? std::max(std::abs(x) / 2.0, (y < 2.0 ? 2.4 - y : 0.0)) : 9.0;
  return std::clamp((1.06 - std::min(head, body)) / 0.12, 0.0, 1.0);
}

}  // namespace

void SyntheticClipOptions::check() const {
  const auto between = [](const char* what, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw Error("{} of a synthetic clip must be {:g} to {:g}, not {:g}.", what, least, most,
                  value);
    }
  };
  between("The people", static_cast<double>(people), 1, 10'000);
  between("The number of the first person", static_cast<double>(first), 0, 1e9);
  between("The rows", static_cast<double>(size.rows), 100, 4000);
  between("The columns", static_cast<double>(size.cols), 100, 4000);
  between("The frames of a walk", static_cast<double>(walk), 2, 10'000);
  between("The people of a walk", static_cast<double>(together), 1, 10);
  between("The far eye distance", far, 2, 100);
  between("The near eye distance", near, far, 100);
  between("The noise", noise, 0, 0.5);
}

SyntheticClip::SyntheticClip(const SyntheticClipOptions& options) : options_(options) {
  options_.check();
}

Index SyntheticClip::frames() const {
  return (options_.people + options_.together - 1) / options_.together * options_.walk;
}

void SyntheticClip::start_walk(Index walk) {
  walk_ = walk;
  ground_ = make_ground(options_.size, options_.seed, walk);
  const Index begin = walk * options_.together;
  const Index count = std::min(options_.together, options_.people - begin);
  walkers_.assign(static_cast<std::size_t>(count), {});
  const auto width = static_cast<double>(options_.size.cols);
  SyntheticSetOptions set;
  set.size = {120, 100};
  parallel_for(count, [&](Index k) {
    Walker& walker = walkers_[static_cast<std::size_t>(k)];
    const Index number = options_.first + begin + k;
    const SyntheticPerson person = make_person(options_.seed, number);
    walker.name = fmt::format("person_{:05}", number);
    Random random(options_.seed + 31, static_cast<std::uint64_t>(number));
    SyntheticPhotoOptions view = portrait_options(set, 1);
    view.shift = view.scale = view.noise = 0.0;
    view.roll = 1.5;
    view.exposure = 0.03;
    view.lighting = random_lighting(random, 40.0);
    for (Index v = 0; v < kViews; ++v) {
      walker.views.push_back(take_photo(person, view, static_cast<std::uint64_t>(1000 + v)));
    }
    // Places are exchanged on the way.
    const double step = width / static_cast<double>(count + 1);
    walker.start_x = step * static_cast<double>(k + 1);
    walker.end_x = step * static_cast<double>(count - k);
    if (count == 1) walker.end_x += random.uniform(-0.2, 0.2) * width;
    walker.depth = 1.0 + 0.12 * static_cast<double>(k % 2);
    walker.y = static_cast<double>(options_.size.rows) * random.uniform(0.3, 0.4);
  });
}

Eyes SyntheticClip::eyes_of(const Walker& walker, Index step) const {
  const double way = static_cast<double>(step) / static_cast<double>(options_.walk - 1);
  // Twice as near is twice as large: the distance shrinks evenly.
  const double apart =
      walker.depth / (1.0 / options_.far + way * (1.0 / options_.near - 1.0 / options_.far));
  const double x = walker.start_x + way * (walker.end_x - walker.start_x);
  const double y = walker.y + 0.6 * apart * std::sin(0.9 * static_cast<double>(step));
  return {{x - 0.5 * apart, y}, {x + 0.5 * apart, y}};
}

void SyntheticClip::draw(const Walker& walker, Index step, Image& frame) const {
  const Eyes eyes = eyes_of(walker, step);
  const SyntheticPhoto& view = walker.views[static_cast<std::size_t>((step / 3) % kViews)];
  const double factor = eye_distance(eyes) / eye_distance(view.eyes);
  const Size size = {std::lround(factor * static_cast<double>(view.image.rows())),
                     std::lround(factor * static_cast<double>(view.image.cols()))};
  const double across = static_cast<double>(size.cols) / static_cast<double>(view.image.cols());
  const double down = static_cast<double>(size.rows) / static_cast<double>(view.image.rows());
  // Where the corner of the picture comes to lie: whole pixels, and the rest by moving it.
  const double left =
      0.5 * (eyes.left.x + eyes.right.x) - 0.5 * across * (view.eyes.left.x + view.eyes.right.x);
  const double top = eyes.left.y - 0.5 * down * (view.eyes.left.y + view.eyes.right.y);
  const auto whole_left = static_cast<Index>(std::floor(left));
  const auto whole_top = static_cast<Index>(std::floor(top));
  const Image small = shift(degrade(view.image, size, {OperatorKind::kArea}),
                            left - std::floor(left), top - std::floor(top));
  const double unit = eye_distance(eyes);
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      const Index row = whole_top + r;
      const Index col = whole_left + c;
      if (row < 0 || col < 0 || row >= frame.rows() || col >= frame.cols()) continue;
      const double x = (static_cast<double>(col) + 0.5 - 0.5 * (eyes.left.x + eyes.right.x)) / unit;
      const double y = (static_cast<double>(row) + 0.5 - eyes.left.y) / unit;
      const double mask = body_mask(x, y);
      frame(row, col) += mask * (small(r, c) - frame(row, col));
    }
  }
}

Image SyntheticClip::frame(Index number, std::vector<ClipTruth>& truth) {
  if (number < 0 || number >= frames()) throw Error("The clip has no frame {}.", number);
  if (number / options_.walk != walk_) start_walk(number / options_.walk);
  const Index step = number % options_.walk;
  std::vector<const Walker*> order;
  for (const Walker& walker : walkers_) order.push_back(&walker);
  std::ranges::stable_sort(order, {}, [](const Walker* one) { return one->depth; });
  Image frame = ground_;
  for (const Walker* walker : order) draw(*walker, step, frame);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ClipTruth there{number, order[i]->name, eyes_of(*order[i], step), false};
    const double apart = eye_distance(there.eyes);
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Eyes nearer = eyes_of(*order[j], step);
      there.hidden = there.hidden || std::abs(nearer.left.x - there.eyes.left.x) < 2.0 * apart;
    }
    truth.push_back(there);
  }
  Random random(options_.seed + 5, static_cast<std::uint64_t>(number));
  for (double& value : frame.reshaped()) {
    value = std::clamp(value + options_.noise * random.normal(), 0.0, 1.0);
  }
  return frame;
}

std::string to_csv(const std::vector<ClipTruth>& truth, double rate) {
  std::string text = "frame,time,subject,left_eye_x,left_eye_y,right_eye_x,right_eye_y,hidden\n";
  for (const ClipTruth& one : truth) {
    text += fmt::format("{},{:.4f},{},{:.2f},{:.2f},{:.2f},{:.2f},{}\n", one.frame,
                        static_cast<double>(one.frame) / rate, one.person, one.eyes.left.x,
                        one.eyes.left.y, one.eyes.right.x, one.eyes.right.y, one.hidden ? 1 : 0);
  }
  return text;
}

}  // namespace longshot
