// SPDX-License-Identifier: Apache-2.0
// identify GALLERY PROBE PHOTO...: whose photo shows the person of the probe?
#include <fstream>
#include <iostream>

#include <longshot/longshot.h>

// Pixels as your program has them; here a file of bare grey levels, row by row.
longshot::Picture crop(const char* path, longshot::Size size) {
  std::vector<char> levels(size.rows * size.cols);
  std::ifstream(path, std::ios::binary).read(levels.data(), levels.size());
  return longshot::Picture::crop(reinterpret_cast<std::uint8_t*>(levels.data()), size, path);
}

int main(int argc, char** argv) try {
  longshot::Gallery gallery = longshot::Gallery::open_or_create(argc > 3 ? argv[1] : "");
  for (int i = 3; i < argc; ++i) gallery.enroll({crop(argv[i], {48, 40})});
  const longshot::Answers result = gallery.identify({crop(argv[2], {12, 10})});
  std::cout << result.answers[0].candidates[0].person << '\n';
} catch (const longshot::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
