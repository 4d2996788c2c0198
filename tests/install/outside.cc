// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "longshot/image/degrade.h"

// A program of somebody else: brings a white picture down and checks that it stays white.
int main() {
  const longshot::Image small = longshot::degrade(longshot::Image::Ones(48, 40), {7, 6});
  std::printf("%td x %td, smallest value %.3f\n", small.rows(), small.cols(), small.minCoeff());
  return small.minCoeff() > 0.999 ? 0 : 1;
}
