// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/random.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

namespace longshot {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  // Mixing the stream through its own generator keeps (1, 2) and (2, 1) apart.
  std::uint64_t stream_state = stream;
  std::uint64_t mixed = seed ^ splitmix64(stream_state);
  for (std::uint64_t& word : state_) word = splitmix64(mixed);
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

double Random::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

Index Random::below(Index count) {
  assert(count > 0);
  const auto range = static_cast<std::uint64_t>(count);
  const std::uint64_t limit = range * (UINT64_MAX / range);
  std::uint64_t value = bits();
  while (value >= limit) value = bits();
  return static_cast<Index>(value % range);
}

double Random::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  // Marsaglia's polar method gives two at a time.
  double u = 0.0;
  double v = 0.0;
  double square = 0.0;
  do {
    u = 2.0 * uniform() - 1.0;
    v = 2.0 * uniform() - 1.0;
    square = u * u + v * v;
  } while (square >= 1.0 || square == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(square) / square);
  spare_normal_ = v * scale;
  has_spare_normal_ = true;
  return u * scale;
}

std::vector<Index> Random::permutation(Index count) {
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
  }
  return order;
}

}  // namespace longshot
