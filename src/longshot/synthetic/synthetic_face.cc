// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include "longshot/synthetic/synthetic_canvas.h"

namespace longshot {
namespace {

// One feature after the other, from the skin outwards; each painter touches its own box of cells.
class FacePainter {
 public:
  FacePainter(const SyntheticPerson& person, const Expression& expression, const Canvas& canvas,
              FaceSurface& surface)
      : person_(person), expression_(expression), canvas_(canvas), surface_(surface) {}

  void skin();
  void moles();
  void beard();
  void folds();
  void lips();
  void nostrils();
  void eye(float side);
  void brow(float side);

 private:
  float soft(float natural) const { return std::max(natural, canvas_.pitch); }
  // Paints a stroke of the given half width and opacity along a segment, fading at both ends.
  void stroke(float x0, float y0, float x1, float y1, float half_width, float darkness);

  const SyntheticPerson& person_;
  const Expression& expression_;
  const Canvas& canvas_;
  FaceSurface& surface_;
};

void FacePainter::skin() {
  const SkinTraits& skin = person_.skin;
  std::vector<Bump> patches = skin.patches;
  for (const double side : {-1.0, 1.0}) {
    // Light that gets lost in corners, which a height field does not know about.
    patches.push_back({-0.22, side * 0.26, 0.01, 0.06, 0.07});
    patches.push_back({-0.12, side * 0.26 * person_.nose.width, -0.62, 0.035, 0.07});
    patches.push_back({-0.10, side * 0.5, 0.13, 0.20, 0.05});
    patches.push_back({-0.8 * person_.eyes.bag, side * 0.47, -0.13, 0.17, 0.045});
  }
  patches.push_back({-0.18, 0.0, -0.74, 0.15, 0.045});
  patches.push_back({-0.12, 0.0, kMouth - 0.24 - expression_.mouth_open, 0.18, 0.05});
  surface_.albedo =
      static_cast<float>(skin.tone) * (1.0F + sum_of_bumps(patches, canvas_)).max(0.3F);
  surface_.gloss.setConstant(canvas_.rows(), canvas_.cols(), static_cast<float>(skin.gloss));
  const auto contrast = static_cast<float>(skin.mottle);
  std::uint64_t key = person_.key;
  for (const float wave : {0.16F, 0.07F, 0.03F, 0.014F}) {
    ++key;
    // Finer than two cells, the texture averages out.
    if (wave < 2.5F * canvas_.pitch) continue;
    surface_.albedo *= 1.0F + contrast * value_noise(key, canvas_.x / wave, canvas_.y / wave);
  }
}

void FacePainter::moles() {
  for (const Mole& mole : person_.skin.moles) {
    const auto x0 = static_cast<float>(mole.x);
    const auto y0 = static_cast<float>(mole.y);
    const auto radius = static_cast<float>(mole.radius);
    // A mole smaller than a cell darkens it in proportion to its area.
    const float seen = soft(radius);
    const float darkness = static_cast<float>(mole.darkness) * (radius * radius) / (seen * seen);
    for_cells(canvas_, x0 - 2 * seen, x0 + 2 * seen, y0 - 2 * seen, y0 + 2 * seen,
              [&](Index r, Index c, float x, float y) {
                const float d2 = ((x - x0) * (x - x0) + (y - y0) * (y - y0)) / (seen * seen);
                surface_.albedo(r, c) *= 1.0F - darkness * std::exp(-d2);
              });
  }
}

void FacePainter::beard() {
  const BeardTraits& traits = person_.beard;
  const auto beard = static_cast<float>(traits.beard);
  const auto moustache = static_cast<float>(traits.moustache);
  if (beard <= 0.0F && moustache <= 0.0F) return;
  const auto edge = static_cast<float>(traits.edge);
  const auto shade = static_cast<float>(traits.shade);
  const float fine = 0.02F;
  const bool textured = fine > 1.2F * canvas_.pitch;
  for_cells(canvas_, -1.3F, 1.3F, -2.0F, -0.1F, [&](Index r, Index c, float x, float y) {
    const float ax = std::abs(x);
    const float cheek = edge + 0.55F * (ax - 0.55F) + (ax > 0.85F ? 3.0F * (ax - 0.85F) : 0.0F);
    const float beside_mouth =
        std::max(coverage(ax - 0.42F, soft(0.15F)), coverage(-1.12F - y, soft(0.12F)));
    const float on_jaw =
        coverage(cheek - y, soft(0.18F)) * coverage(-0.3F - y, soft(0.35F)) * beside_mouth;
    const float on_lip = coverage(0.43F - ax - 0.6F * (y + 0.95F), soft(0.14F)) *
                         coverage(-0.78F - y, soft(0.10F)) * coverage(y + 1.14F, soft(0.06F)) *
                         (1.0F - 0.35F * coverage(0.03F - ax, soft(0.05F)));
    float opacity = std::max(beard * on_jaw, moustache * on_lip);
    if (opacity <= 0.0F) return;
    if (textured) {
      const float grain = value_noise(person_.key + 11, x / fine, y / (2.0F * fine));
      opacity = std::clamp(opacity * (1.0F + 0.5F * grain), 0.0F, 1.0F);
    }
    blend(surface_.albedo(r, c), shade, opacity);
    surface_.gloss(r, c) *= 1.0F - opacity;
  });
}

void FacePainter::stroke(float x0, float y0, float x1, float y1, float half_width, float darkness) {
  const float length2 = (x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0);
  const float seen = soft(half_width);
  const float strength = darkness * half_width / seen;
  const float reach = 2.0F * seen;
  for_cells(canvas_, std::min(x0, x1) - reach, std::max(x0, x1) + reach, std::min(y0, y1) - reach,
            std::max(y0, y1) + reach, [&](Index r, Index c, float x, float y) {
              const float t =
                  std::clamp(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length2, 0.0F, 1.0F);
              const float dx = x - x0 - t * (x1 - x0);
              const float dy = y - y0 - t * (y1 - y0);
              const float fade = std::min(1.0F, 4.0F * t * (1.0F - t) + 0.15F);
              const float d2 = (dx * dx + dy * dy) / (seen * seen);
              surface_.albedo(r, c) *= 1.0F - strength * fade * std::exp(-d2);
            });
}

void FacePainter::folds() {
  const auto wrinkle = static_cast<float>(person_.skin.wrinkle);
  const auto smile = static_cast<float>(expression_.smile);
  const float deep = std::clamp(0.03F + 0.12F * wrinkle + 0.08F * smile, 0.0F, 0.5F);
  for (const float side : {-1.0F, 1.0F}) {
    stroke(side * 0.27F, -0.60F, side * 0.40F, -0.78F, 0.03F, deep);
    stroke(side * 0.36F, -0.72F, side * 0.49F, -1.03F, 0.03F, deep);
    stroke(side * 0.34F, -0.17F, side * 0.60F, -0.20F, 0.02F, 0.15F * wrinkle);
    stroke(side * 0.06F, 0.16F, side * 0.075F, 0.34F, 0.012F,
           0.35F * std::max(0.0F, wrinkle - 0.35F));
  }
  if (wrinkle > 0.5F) {
    for (const float y : {0.52F, 0.64F, 0.77F}) {
      stroke(-0.55F, y, 0.55F, y + 0.01F, 0.014F, 0.25F * (wrinkle - 0.4F));
    }
  }
}

void FacePainter::lips() {
  const MouthTraits& mouth = person_.mouth;
  const auto smile = static_cast<float>(expression_.smile);
  const auto gap = static_cast<float>(expression_.mouth_open);
  const float half = static_cast<float>(mouth.half_width) * (1.0F + 0.10F * smile - 0.4F * gap);
  const auto upper = static_cast<float>(mouth.upper);
  const auto lower = static_cast<float>(mouth.lower);
  const float skin = static_cast<float>(person_.skin.tone);
  const float shade = static_cast<float>(mouth.shade) * skin;
  for_cells(canvas_, -half - 0.1F, half + 0.1F, kMouth - gap - lower - 0.15F,
            kMouth + upper + 0.15F, [&](Index r, Index c, float x, float y) {
              const float t = x / half;
              const float t2 = std::min(1.0F, t * t);
              // Corners rise with a smile; the line dips in the middle of the upper lip.
              const float line = kMouth + 0.07F * smile * t2 + static_cast<float>(mouth.skew) * t -
                                 0.012F * std::exp(-30.0F * t2) + 0.008F * std::exp(-12.0F * t2);
              const float bow =
                  upper * (std::pow(1.0F - t2, 0.8F)) * (1.0F - 0.22F * std::exp(-60.0F * t2));
              const float open = gap * (1.0F - t2);
              const float under = lower * std::sqrt(1.0F - t2) * (0.75F + 0.25F * (1.0F - t2));
              const float inside = std::min(line + bow - y, y - (line - open - under));
              const float lip =
                  coverage(inside, soft(0.03F)) * coverage(half - std::abs(x), soft(0.03F));
              const float bright = y > line ? 0.90F : 1.04F;
              blend(surface_.albedo(r, c), shade * bright, 0.9F * lip);
              surface_.gloss(r, c) *= 1.0F + 0.8F * lip;
              const float width = soft(0.018F);
              const float ends = coverage(half * 1.03F - std::abs(x), soft(0.06F));
              const float seam =
                  std::max(0.0F, 1.0F - std::abs(y - line + 0.5F * open) / (width + 0.5F * open));
              const float seam_strength = open > 0.03F ? 1.0F : 0.018F / width + open * 10.0F;
              blend(surface_.albedo(r, c), 0.05F,
                    std::min(0.85F, seam * std::min(1.0F, 0.85F * seam_strength)) * ends);
            });
}

void FacePainter::nostrils() {
  const auto width = static_cast<float>(person_.nose.width);
  for (const float side : {-1.0F, 1.0F}) {
    const float x0 = side * 0.105F * width;
    const float y0 = kNoseBase + 0.035F;
    const float rx = 0.050F * width;
    const float ry = 0.022F;
    const float seen = soft(ry);
    for_cells(canvas_, x0 - 0.15F, x0 + 0.15F, y0 - 0.12F, y0 + 0.12F,
              [&](Index r, Index c, float x, float y) {
                const float dx = (x - x0) / std::max(rx, seen);
                const float dy = (y - y0 + 0.25F * std::abs(x - x0)) / seen;
                const float opacity = 0.85F * (ry / seen) * std::exp(-(dx * dx + dy * dy));
                blend(surface_.albedo(r, c), 0.04F, opacity);
              });
    stroke(side * 0.225F * width, -0.52F, side * 0.235F * width, -0.68F, 0.022F, 0.22F);
  }
}

void FacePainter::eye(float side) {
  const EyeTraits& eyes = person_.eyes;
  const float x0 = 0.5F * side;
  const auto half = static_cast<float>(eyes.half_width);
  const auto opening = static_cast<float>(expression_.eye_opening);
  const auto upper = static_cast<float>(eyes.upper) * opening;
  const auto lower = static_cast<float>(eyes.lower);
  const auto tilt = static_cast<float>(eyes.tilt);
  const auto lash = static_cast<float>(eyes.lash);
  const float iris_x = x0 + static_cast<float>(expression_.gaze_x);
  const float iris_y = 0.006F + static_cast<float>(expression_.gaze_y);
  const float radius = 0.093F;
  for_cells(canvas_, x0 - 0.3F, x0 + 0.3F, -0.15F, 0.24F, [&](Index r, Index c, float x, float y) {
    const float t = side * (x - x0) / half;  // -1 at the inner corner, 1 at the outer
    const float arc = std::max(0.0F, 1.0F - t * t);
    const float top = upper * std::pow(arc, 0.75F) * (1.0F - 0.12F * t) + tilt * t;
    const float bottom = -lower * arc * (1.0F + 0.25F * t) + tilt * t;
    const float within = coverage(half - std::abs(x - x0), soft(0.02F));
    const float open = coverage(std::min(top - y, y - bottom), soft(0.012F)) * within;
    float ball = static_cast<float>(eyes.sclera) * (1.0F - 0.35F * t * t);
    // The lid shades the upper part of the eyeball.
    ball *= 1.0F - 0.45F * std::clamp(1.0F - (top - y) / 0.07F, 0.0F, 1.0F);
    const float d = std::hypot(x - iris_x, y - iris_y);
    const float rim = 0.75F + 0.25F * coverage(radius * 0.8F - d, 0.03F);
    blend(ball, static_cast<float>(eyes.iris) * rim, coverage(radius - d, soft(0.015F)));
    blend(ball, 0.025F, coverage(0.038F - d, soft(0.01F)) * std::min(1.0F, 0.038F / soft(0.02F)));
    blend(surface_.albedo(r, c), ball, open);
    // The cornea is a ball of its own, small enough for a catchlight.
    const float on_cornea = open * coverage(radius - d, soft(0.02F));
    blend(surface_.gloss(r, c), 0.05F, open);
    blend(surface_.gloss(r, c), 0.35F, on_cornea);
    blend(surface_.slope_x(r, c), -1.5F * (x - x0), open);
    blend(surface_.slope_y(r, c), -1.5F * y, open);
    blend(surface_.slope_x(r, c), -9.0F * (x - iris_x), on_cornea);
    blend(surface_.slope_y(r, c), -9.0F * (y - iris_y), on_cornea);
    const float wide = soft(0.020F);
    const float upper_line = std::max(0.0F, 1.0F - std::abs(y - top - 0.006F) / (1.3F * wide));
    const float lower_line = std::max(0.0F, 1.0F - std::abs(y - bottom) / wide);
    const float thin = 0.020F / wide;
    blend(surface_.albedo(r, c), 0.05F, lash * thin * upper_line * within);
    blend(surface_.albedo(r, c), 0.15F, 0.45F * lash * thin * lower_line * within);
    // The crease above the upper lid.
    const float crease = std::max(0.0F, 1.0F - std::abs(y - 1.25F * top - 0.055F) / wide);
    surface_.albedo(r, c) *= 1.0F - 0.28F * thin * crease * within;
  });
}

void FacePainter::brow(float side) {
  const BrowTraits& brows = person_.brows;
  const auto inner = static_cast<float>(brows.inner);
  const auto length = static_cast<float>(brows.outer) - inner;
  const float base = static_cast<float>(brows.height + expression_.brow_raise) +
                     (side > 0 ? static_cast<float>(brows.skew) : 0.0F);
  const auto arch = static_cast<float>(brows.arch);
  const auto slope = static_cast<float>(brows.slope);
  const auto thick = static_cast<float>(brows.thickness);
  const float shade = 0.8F * static_cast<float>(person_.hair.shade) + 0.01F;
  const auto darkness = static_cast<float>(brows.darkness);
  const bool hairs = 0.016F > 1.2F * canvas_.pitch;
  for_cells(canvas_, side > 0 ? 0.05F : -1.1F, side > 0 ? 1.1F : -0.05F, base - 0.18F, base + 0.18F,
            [&](Index r, Index c, float x, float y) {
              const float t = (side * x - inner) / length;
              const float tc = std::clamp(t, 0.0F, 1.0F);
              const float line = base + slope * tc +
                                 arch * std::sin(std::numbers::pi_v<float> * std::pow(tc, 1.35F)) -
                                 0.06F * tc * tc * tc;
              const float half =
                  thick * (1.0F - 0.65F * tc * tc) * (0.75F + 0.25F * std::min(1.0F, 6.0F * tc));
              float opacity = coverage(half - std::abs(y - line), soft(0.035F)) *
                              coverage(length * t, soft(0.09F)) *
                              coverage(length * (1.0F - t), soft(0.10F)) * darkness;
              if (opacity <= 0.0F) return;
              if (hairs) {
                const float u = side * x - 0.7F * (y - line);
                opacity *= 1.0F + 0.18F * value_noise(person_.key + 7, u / 0.016F,
                                                      (y - line + 0.5F * side * x) / 0.05F);
              }
              opacity = std::clamp(opacity, 0.0F, 1.0F);
              blend(surface_.albedo(r, c), shade, opacity);
              surface_.gloss(r, c) *= 1.0F - opacity;
            });
}

}  // namespace

void paint_face(const SyntheticPerson& person, const Expression& expression, const Canvas& canvas,
                FaceSurface& surface) {
  FacePainter painter(person, expression, canvas, surface);
  painter.skin();
  painter.moles();
  painter.folds();
  painter.nostrils();
  painter.beard();
  painter.lips();
  for (const float side : {-1.0F, 1.0F}) {
    painter.eye(side);
    painter.brow(side);
  }
}

}  // namespace longshot
