// SPDX-License-Identifier: Apache-2.0
// identify GALLERY PROBE PHOTO...: whose photo shows the person of the probe?
#include <fstream>
#include <iostream>
#include <iterator>

#include <longshot/longshot.h>

// Pixels as your program has them; here a file of bare grey levels, row by row.
longshot::Picture crop(const char* path, longshot::Size size) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> pixels((std::istreambuf_iterator<char>(file)), {});
  pixels.resize(size.rows * size.cols);
  longshot::Picture picture = longshot::Picture::grey(pixels.data(), size);
  picture.aligned = true;  // a face crop: nothing has to be found
  picture.person = path;
  return picture;
}

int main(int argc, char** argv) try {
  longshot::Gallery gallery = longshot::Gallery::open_or_create(argc > 3 ? argv[1] : "");
  std::vector<longshot::Picture> photos;
  for (int i = 3; i < argc; ++i) photos.push_back(crop(argv[i], {48, 40}));
  gallery.enroll(photos);
  const longshot::Answers result = gallery.identify({crop(argv[2], {12, 10})});
  std::cout << result.answers[0].candidates[0].person << '\n';
} catch (const longshot::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
