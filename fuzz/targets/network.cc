// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_network.h"
#include "longshot/feature/life_table.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

// Weights, and the tables of what its features mean.
void read_any_network(std::string_view bytes) {
  if (bytes.starts_with("LSLIFE")) {
    decode_life_table(bytes);
    return;
  }
  const ConvolutionNetwork network(bytes);
  if (network.dimensions() < 1) std::terminate();
}

const Registered network("network", read_any_network);

}  // namespace
}  // namespace longshot::fuzz
