// SPDX-License-Identifier: Apache-2.0
// identify GALLERY CROPS COUNT ROWS COLS: for each line that it reads, asks once and writes the
// seconds that this took, by the clock and of all cores; CROPS is a file of bare grey levels. The
// other half of identify.py.
#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <longshot/longshot.h>

int main(int argc, char** argv) try {
  if (argc != 6) return 2;
  std::ifstream file(argv[2], std::ios::binary);
  const std::vector<std::uint8_t> pixels((std::istreambuf_iterator<char>(file)), {});
  const longshot::Size size{std::stol(argv[4]), std::stol(argv[5])};
  longshot::Gallery gallery = longshot::Gallery::open(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t worked = std::clock();
    std::vector<longshot::Picture> probes;
    for (long i = 0; i < std::stol(argv[3]); ++i) {
      probes.push_back(longshot::Picture::grey(pixels.data() + i * size.rows * size.cols, size));
    }
    const longshot::Answers result = gallery.identify(probes);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const double work = static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC;
    if (result.answers.size() != probes.size()) return 1;
    std::cout << taken.count() << ' ' << work << std::endl;
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
