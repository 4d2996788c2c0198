// SPDX-License-Identifier: Apache-2.0
// Somebody else's program with vector instructions that the library was not built with: it brings
// a random picture down and compares the mean with that of its own Eigen.
#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

#include <Eigen/Dense>
#include <longshot/longshot.h>

int main() try {
  const Eigen::MatrixXd own = Eigen::MatrixXd::Random(48, 40);
  const Eigen::MatrixXd product = own * own.transpose();
  std::vector<std::uint8_t> pixels;
  double sum = 0.0;
  for (Eigen::Index row = 0; row < own.rows(); ++row) {
    for (Eigen::Index col = 0; col < own.cols(); ++col) {
      pixels.push_back(static_cast<std::uint8_t>(128.0 + 100.0 * own(row, col)));
      sum += pixels.back() / 255.0;
    }
  }
  const longshot::Picture picture = longshot::Picture::grey(pixels.data(), {48, 40});
  const longshot::Plane small = longshot::degrade(picture, {12, 10}, {"area"});
  double small_sum = 0.0;
  for (const float value : small.values) small_sum += value;
  const double error = std::abs(sum / 1920.0 - small_sum / 120.0);
  const longshot::Relit relit = longshot::relight([&] {
    longshot::Picture crop = picture;
    crop.aligned = true;
    return crop;
  }());
  const bool sound = error < 1e-4 && product.trace() > 0.0 && relit.images.size() == 9;
  std::cout << longshot::version() << (sound ? " is sound\n" : " is not sound\n");
  return sound ? 0 : 1;
} catch (const longshot::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
