// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_canvas.h"

namespace longshot {
namespace {

constexpr float kHeadHalfWidth = 1.13F;
constexpr float kHeadMiddle = -0.10F;  // where the head is widest
constexpr float kHeadTop = 1.85F;
constexpr float kStrand = 0.12F;  // width of the broadest strands of hair

// |x / a|^p + |(y - y0) / b|^p with its own b and p below y0: the outline is where it is 1.
struct Outline {
  Eigen::ArrayXf above_x;  // cols: the term in x where y > y0
  Eigen::ArrayXf below_x;  // cols: the term in x elsewhere
  Eigen::ArrayXf y;        // rows

  Outline(const Canvas& canvas, float half_width, float up, float down, float upper, float lower)
      : above_x((canvas.x / half_width).abs().pow(upper)),
        below_x((canvas.x / half_width).abs().pow(lower)),
        y(canvas.rows()) {
    for (Index r = 0; r < canvas.rows(); ++r) {
      const float d = canvas.y(r) - kHeadMiddle;
      y(r) = d > 0 ? std::pow(d / up, upper) : std::pow(-d / down, lower);
    }
  }
  float at(Index r, Index c, float y_here) const {
    return (y_here > kHeadMiddle ? above_x(c) : below_x(c)) + y(r);
  }
};

struct Layer {
  float height = 0.0F;
  float slope_x = 0.0F;
  float slope_y = 0.0F;
  float albedo = 0.0F;
  float gloss = 0.0F;
  float backdrop = 0.0F;

  void cover(const Layer& over, float opacity) {
    // A cell on an edge stays with what is in front: halfway down it would shadow itself.
    if (opacity > 0.0F) height = over.height;
    blend(slope_x, over.slope_x, opacity);
    blend(slope_y, over.slope_y, opacity);
    blend(albedo, over.albedo, opacity);
    blend(gloss, over.gloss, opacity);
    blend(backdrop, over.backdrop, opacity);
  }
};

class HeadComposer {
 public:
  HeadComposer(const SyntheticPerson& person, const Surroundings& surroundings,
               const Canvas& canvas)
      : person_(person),
        surroundings_(surroundings),
        canvas_(canvas),
        head_(canvas, kHeadHalfWidth, kHeadTop - kHeadMiddle, kHeadMiddle - kChin, 2.5F,
              static_cast<float>(person.head.jaw)),
        hair_(canvas, kHeadHalfWidth * volume(), (kHeadTop - kHeadMiddle) * volume() + 0.05F,
              long_hair() ? 3.2F : (kHeadMiddle - kChin) * volume(), 2.5F,
              long_hair() ? 3.0F : static_cast<float>(person.head.jaw)) {
    pattern_ = value_noise(surroundings.key, 0.7F * canvas.x, 0.7F * canvas.y);
    const HairTraits& hair = person.hair;
    hairline_ =
        static_cast<float>(hair.line) + static_cast<float>(hair.parting) * canvas.x -
        static_cast<float>(hair.temples) * canvas.x.abs().pow(static_cast<float>(hair.exponent));
  }

  // True where nothing covers the face: most cells of a crop.
  bool bare(Index r, Index c) const {
    const float y = canvas_.y(r);
    return 0.45F * (1.0F - head_.at(r, c, y)) > std::max(0.02F, canvas_.pitch) &&
           hairline_(c) - y > std::max(0.08F, canvas_.pitch);
  }
  Layer compose(Index r, Index c, const Layer& face) const;

 private:
  float volume() const { return static_cast<float>(person_.hair.volume); }
  bool long_hair() const { return person_.hair.length < -0.5 && person_.hair.line < 2.0; }
  float edge(float d) const { return coverage(d, std::max(0.02F, canvas_.pitch)); }
  Layer background(Index r, Index c) const;
  Layer hair(float x, float y, float height) const;
  // `height` is that of the face, continued beyond its outline.
  void add_neck(Layer& layer, float x, float y, float height) const;
  void add_ear(Layer& layer, float x, float y, float height) const;

  const SyntheticPerson& person_;
  const Surroundings& surroundings_;
  const Canvas& canvas_;
  Outline head_;
  Outline hair_;
  Eigen::ArrayXf hairline_;  // cols
  Plane pattern_;            // of the background
};

Layer HeadComposer::background(Index r, Index c) const {
  Layer layer;
  layer.height = -4.0F;
  layer.backdrop = std::clamp(static_cast<float>(surroundings_.background) +
                                  static_cast<float>(surroundings_.gradient) * canvas_.x(c) +
                                  0.08F * pattern_(r, c),
                              0.02F, 0.95F);
  return layer;
}

Layer HeadComposer::hair(float x, float y, float height) const {
  Layer layer;
  layer.slope_x = -0.8F * x;
  layer.slope_y = -0.45F * (y - 0.3F);
  layer.height = height;
  layer.albedo = static_cast<float>(person_.hair.shade);
  layer.gloss = 0.06F;
  // Strands run away from the crown; from far away they cannot be told apart.
  if (kStrand < 2.5F * canvas_.pitch) return layer;
  const float along = std::hypot(x, 0.5F * (y - 1.2F));
  const float around = std::atan2(x, 2.2F - y + 1e-3F);
  for (const float wave : {kStrand, 0.33F * kStrand, 0.12F * kStrand}) {
    if (wave < 2.5F * canvas_.pitch) break;
    layer.albedo *=
        1.0F + 0.15F * value_noise(person_.key + 3, around / (0.6F * wave), along / (4.0F * wave));
  }
  return layer;
}

void HeadComposer::add_neck(Layer& layer, float x, float y, float height) const {
  const float ax = std::abs(x);
  const float half = 0.70F + 0.25F * std::max(0.0F, -y - 2.4F);
  Layer neck;
  neck.height = height - 0.3F;
  neck.slope_x = -1.1F * x / half;
  neck.slope_y = 0.25F;
  neck.albedo = static_cast<float>(person_.skin.tone) *
                (0.5F + 0.35F * std::clamp((-y - 1.7F) / 0.8F, 0.0F, 1.0F));
  neck.gloss = 0.03F;
  layer.cover(neck, edge(half - ax) * edge(-0.9F - y));
  Layer clothes;
  const float shoulder = -2.45F - 0.28F * (ax - 0.6F) * (ax > 0.6F ? 1.0F : -2.0F);
  clothes.height = neck.height + 0.02F;
  clothes.slope_x = -0.35F * x;
  clothes.slope_y = 0.5F;
  clothes.albedo = static_cast<float>(surroundings_.clothes) *
                   (1.0F + 0.2F * value_noise(surroundings_.key + 5, 2.0F * x, 1.2F * y));
  layer.cover(clothes, edge((ax > 0.6F ? shoulder : shoulder - 0.25F * (0.6F - ax)) - y));
}

void HeadComposer::add_ear(Layer& layer, float x, float y, float height) const {
  const float dx = (std::abs(x) - kHeadHalfWidth - 0.02F) / 0.13F;
  const float dy = (y + 0.22F) / (0.36F);
  const float f = dx * dx + dy * dy;
  if (f > 1.5F) return;
  Layer ear;
  ear.height = height + 0.02F;
  ear.slope_x = std::copysign(-0.5F * dx, x);
  ear.slope_y = -0.3F * dy;
  ear.albedo = static_cast<float>(person_.skin.tone) * (0.55F + 0.40F * f);
  ear.gloss = 0.03F;
  layer.cover(ear, edge(0.1F * (1.0F - f)));
}

Layer HeadComposer::compose(Index r, Index c, const Layer& face) const {
  const float x = canvas_.x(c);
  const float y = canvas_.y(r);
  const float on_head = edge(0.45F * (1.0F - head_.at(r, c, y)));
  const float on_hair = edge(0.45F * (1.0F - hair_.at(r, c, y)));
  // Short hair leaves the ear free.
  const float ends = static_cast<float>(person_.hair.length) +
                     (long_hair() ? 0.0F : 0.3F * coverage(std::abs(x) - 1.0F, 0.15F));
  const float above_ends = coverage(y - ends, std::max(0.15F, canvas_.pitch));
  const bool bald = person_.hair.line > 2.0;
  const float front =
      bald ? 0.0F
           : on_hair * above_ends * coverage(y - hairline_(c), std::max(0.08F, canvas_.pitch));
  if (on_head >= 1.0F && front <= 0.0F) return face;
  Layer layer = background(r, c);
  if (on_head < 1.0F) {
    if (long_hair()) layer.cover(hair(x, y, face.height - 0.15F), on_hair * above_ends);
    add_neck(layer, x, y, face.height);
    add_ear(layer, x, y, face.height);
    layer.cover(face, on_head);
  } else {
    layer = face;
  }
  if (front > 0.0F) layer.cover(hair(x, y, face.height + 0.04F * front), front);
  return layer;
}

}  // namespace

void compose_head(const SyntheticPerson& person, const Surroundings& surroundings,
                  const Canvas& canvas, FaceSurface& surface) {
  const HeadComposer composer(person, surroundings, canvas);
  surface.backdrop.setZero(canvas.rows(), canvas.cols());
  for (Index c = 0; c < canvas.cols(); ++c) {
    for (Index r = 0; r < canvas.rows(); ++r) {
      if (composer.bare(r, c)) continue;
      const Layer face = {surface.height(r, c), surface.slope_x(r, c), surface.slope_y(r, c),
                          surface.albedo(r, c), surface.gloss(r, c),   0.0F};
      const Layer layer = composer.compose(r, c, face);
      surface.height(r, c) = layer.height;
      surface.slope_x(r, c) = layer.slope_x;
      surface.slope_y(r, c) = layer.slope_y;
      surface.albedo(r, c) = layer.albedo;
      surface.gloss(r, c) = layer.gloss;
      surface.backdrop(r, c) = layer.backdrop;
    }
  }
}

}  // namespace longshot
