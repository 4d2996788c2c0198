// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_person.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

// What several traits have in common, so that a face hangs together.
struct Temper {
  bool male = false;
  double age = 0.0;  // 0 young, 1 old
};

// Cut off, because a nose of four standard deviations is a monster's.
double around(Random& random, double mean, double deviation) {
  return mean + deviation * std::clamp(random.normal(), -2.3, 2.3);
}

bool chance(Random& random, double probability) {
  return random.uniform() < probability;
}

HeadTraits make_head(Random& random, const Temper& temper) {
  HeadTraits head;
  head.width = around(random, temper.male ? 1.04 : 0.98, 0.10);
  head.forehead = around(random, 1.0, 0.06);
  head.nose_length = around(random, 1.0, 0.07);
  head.philtrum = around(random, temper.male ? 1.04 : 0.96, 0.12);
  head.chin = around(random, temper.male ? 1.03 : 0.97, 0.08);
  head.jaw = around(random, temper.male ? 2.2 : 2.0, 0.15);
  return head;
}

NoseTraits make_nose(Random& random, const Temper& temper) {
  NoseTraits nose;
  nose.width = around(random, temper.male ? 1.05 : 0.95, 0.14);
  nose.tip = around(random, 0.0, 0.05);
  nose.bridge = around(random, temper.male ? 0.02 : -0.01, 0.045);
  return nose;
}

EyeTraits make_eyes(Random& random, const Temper& temper) {
  EyeTraits eyes;
  eyes.half_width = around(random, 0.228, 0.013);
  eyes.upper = around(random, 0.082 - 0.012 * temper.age, 0.013);
  eyes.lower = around(random, 0.060, 0.010);
  eyes.tilt = around(random, 0.014, 0.011);
  eyes.iris = chance(random, 0.3) ? random.uniform(0.20, 0.36) : random.uniform(0.06, 0.16);
  eyes.sclera = around(random, 0.50, 0.05);
  eyes.lash = around(random, temper.male ? 0.45 : 0.75, 0.12);
  eyes.bag = std::max(0.0, around(random, 0.03 + 0.10 * temper.age, 0.05));
  return eyes;
}

BrowTraits make_brows(Random& random, const Temper& temper) {
  BrowTraits brows;
  brows.height = around(random, temper.male ? 0.285 : 0.325, 0.035);
  brows.thickness = around(random, temper.male ? 0.052 : 0.038, 0.010);
  brows.arch = around(random, temper.male ? 0.05 : 0.075, 0.022);
  brows.slope = around(random, 0.0, 0.02);
  brows.inner = around(random, 0.19, 0.035);
  brows.outer = around(random, 0.87, 0.035);
  brows.darkness = std::clamp(around(random, temper.male ? 0.72 : 0.62, 0.18), 0.15, 0.95);
  brows.skew = around(random, 0.0, 0.010);
  return brows;
}

MouthTraits make_mouth(Random& random, const Temper& temper) {
  MouthTraits mouth;
  mouth.half_width = around(random, 0.405, 0.035);
  mouth.upper = around(random, (temper.male ? 0.068 : 0.082) - 0.02 * temper.age, 0.016);
  mouth.lower = around(random, (temper.male ? 0.098 : 0.115) - 0.02 * temper.age, 0.018);
  mouth.shade = around(random, temper.male ? 0.70 : 0.58, 0.07);
  mouth.skew = around(random, 0.0, 0.008);
  return mouth;
}

HairTraits make_hair(Random& random, const Temper& temper, double tone) {
  HairTraits hair;
  const double fair = random.uniform();
  hair.shade = 0.04 + (tone > 0.42 ? 0.30 * fair * fair : 0.05 * fair);
  if (temper.age > 0.6 && chance(random, 0.6)) hair.shade += random.uniform(0.1, 0.3);
  const bool fringe = chance(random, temper.male ? 0.15 : 0.35);
  hair.line = fringe ? around(random, 0.72, 0.10) : around(random, 1.10, 0.11);
  if (temper.male) hair.line += 0.25 * temper.age * random.uniform();
  hair.temples = around(random, 1.15, 0.20);
  hair.exponent = std::clamp(around(random, fringe ? 6.0 : 3.6, 0.8), 2.0, 8.0);
  hair.parting = around(random, 0.0, 0.08);
  hair.volume = temper.male ? random.uniform(1.02, 1.10) : random.uniform(1.06, 1.18);
  hair.length = chance(random, temper.male ? 0.05 : 0.7) ? random.uniform(-3.0, -1.3)
                                                         : random.uniform(-0.35, -0.05);
  if (temper.male && chance(random, 0.06 + 0.12 * temper.age)) hair.line = 3.0;
  return hair;
}

BeardTraits make_beard(Random& random, const Temper& temper, double hair_shade) {
  BeardTraits beard;
  const double kind = random.uniform();
  const double opacity = random.uniform();
  const double edge = around(random, -0.74, 0.07);
  if (!temper.male) return beard;
  beard.edge = edge;
  beard.shade = std::clamp(around(random, hair_shade, 0.02), 0.03, 0.5);
  if (kind < 0.12) {
    beard.beard = 0.55 + 0.35 * opacity;
    beard.moustache = beard.beard;
  } else if (kind < 0.20) {
    beard.moustache = 0.5 + 0.4 * opacity;
  } else {
    beard.beard = 0.30 * opacity;
    beard.moustache = beard.beard;
  }
  return beard;
}

std::vector<Mole> make_moles(Random& random) {
  std::vector<Mole> moles;
  const auto scatter = [&](Index count, double largest, double darkest) {
    for (Index i = 0; i < count; ++i) {
      const double x = random.uniform(-0.95, 0.95);
      const double y = random.uniform(-1.5, 0.7);
      const double radius = largest * random.uniform(0.4, 1.0);
      moles.push_back({x, y, radius, darkest * random.uniform(0.4, 1.0)});
    }
  };
  scatter(random.below(4), 0.035, 0.7);
  if (chance(random, 0.15)) scatter(30 + random.below(40), 0.025, 0.25);  // freckles
  return moles;
}

SkinTraits make_skin(Random& random, const Temper& temper, double tone) {
  SkinTraits skin;
  skin.tone = tone;
  skin.gloss = random.uniform(0.03, 0.16);
  skin.wrinkle = std::clamp(around(random, 0.15 + 0.7 * temper.age, 0.15), 0.0, 1.0);
  skin.mottle = random.uniform(0.02, 0.05 + 0.04 * temper.age);
  for (int i = 0; i < 12; ++i) {
    const double amplitude = around(random, 0.0, 0.085);
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.6, 0.8);
    const double sigma = random.uniform(0.12, 0.45);
    skin.patches.push_back({amplitude, x, y, sigma, sigma * random.uniform(0.7, 1.4)});
  }
  const double flush = around(random, -0.05, 0.05);
  const double socket = around(random, -0.08 - 0.05 * temper.age, 0.05);
  for (const double side : {-1.0, 1.0}) {
    skin.patches.push_back({flush, side * 0.62, -0.55, 0.22, 0.20});
    skin.patches.push_back({socket, side * 0.42, 0.02, 0.26, 0.13});
  }
  skin.moles = make_moles(random);
  return skin;
}

void add_pair(std::vector<Bump>& relief, Random& random, double amplitude, const Bump& at) {
  // The two halves of a face agree up to a tenth or so.
  for (const double side : {-1.0, 1.0}) {
    const double one = amplitude + 0.15 * std::abs(amplitude) * random.normal();
    relief.push_back({one, side * at.x, at.y, at.sigma_x, at.sigma_y});
  }
}

std::vector<Bump> make_relief(Random& random, const Temper& temper) {
  std::vector<Bump> relief;
  const double male = temper.male ? 1.0 : 0.0;
  add_pair(relief, random, around(random, -0.01, 0.030), {0, 0.45, 0.02, 0.20, 0.13});  // socket
  add_pair(relief, random, around(random, 0.025 * male, 0.020), {0, 0.38, 0.26, 0.24, 0.08});
  add_pair(relief, random, around(random, 0.0, 0.040), {0, 0.72, -0.42, 0.22, 0.20});  // cheekbone
  add_pair(relief, random, around(random, 0.0, 0.040), {0, 0.60, -0.95, 0.22, 0.26});  // cheek
  add_pair(relief, random, around(random, 0.0, 0.040), {0, 0.62, 0.60, 0.30, 0.26});   // temple
  add_pair(relief, random, around(random, 0.01 * male, 0.035), {0, 0.55, -1.45, 0.22, 0.18});
  relief.push_back({around(random, 0.0, 0.045), 0.0, -1.55, 0.22, 0.16});  // chin
  relief.push_back({around(random, 0.0, 0.035), 0.0, -1.10, 0.30, 0.20});  // mouth
  relief.push_back({around(random, 0.0, 0.040), 0.0, 0.60, 0.45, 0.25});   // forehead
  for (int i = 0; i < 6; ++i) {
    const double amplitude = around(random, 0.0, 0.012);
    const double x = random.uniform(-0.9, 0.9);
    const double y = random.uniform(-1.5, 0.7);
    const double sigma = random.uniform(0.15, 0.35);
    relief.push_back({amplitude, x, y, sigma, sigma});
  }
  return relief;
}

}  // namespace

SyntheticPerson make_person(std::uint64_t seed, Index index) {
  if (index < 0) throw Error("The number of a synthetic person must be 0 or more, not {}.", index);
  Random random(seed, static_cast<std::uint64_t>(index));
  SyntheticPerson person;
  person.key = random.bits();
  Temper temper;
  temper.male = chance(random, 0.5);
  const double years = random.uniform();
  temper.age = years * years;
  const double tone = std::clamp(around(random, 0.50, 0.11), 0.24, 0.70);
  person.head = make_head(random, temper);
  person.nose = make_nose(random, temper);
  person.eyes = make_eyes(random, temper);
  person.brows = make_brows(random, temper);
  person.mouth = make_mouth(random, temper);
  person.hair = make_hair(random, temper, tone);
  person.beard = make_beard(random, temper, person.hair.shade);
  person.skin = make_skin(random, temper, tone);
  person.relief = make_relief(random, temper);
  return person;
}

}  // namespace longshot
