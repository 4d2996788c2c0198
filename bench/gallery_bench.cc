// SPDX-License-Identifier: Apache-2.0
// How fast an index of a gallery that exists is opened and searched, in seconds by the clock and of
// the processors, with a checksum of the answers. Built from two commits, it compares them over the
// same people, on a machine that does other work too:
//   longshot_gallery_bench GALLERY [KEY of the index, "longshot 7x6" otherwise]
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "longshot/core/error.h"
#include "longshot/core/stopwatch.h"
#include "longshot/gallery/block_checksum.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_model.h"
#include "longshot/speed/machine_speed.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

constexpr Index kBatch = 960;
constexpr Index kTop = 5;
constexpr int kRounds = 5;
constexpr int kSingleProbes = 31;

struct Cost {
  std::vector<double> clock;
  std::vector<double> processor;

  void measure(const std::function<void()>& work) {
    const double before = processor_seconds();
    const Stopwatch watch;
    work();
    clock.push_back(watch.seconds());
    processor.push_back(processor_seconds() - before);
  }
  // Medians, in milliseconds.
  void print(const char* what, double parts) const {
    const auto median = [&](std::vector<double> values) {
      std::ranges::sort(values);
      return 1000.0 * values[values.size() / 2] / parts;
    };
    fmt::print("{:16} {:10.3f} ms   processors {:10.3f} ms\n", what, median(clock),
               median(processor));
  }
};

std::uint64_t checksum_of(const Matches& matches, std::uint64_t seed) {
  const std::span people(matches.people.data(), static_cast<std::size_t>(matches.people.size()));
  const std::span distances(matches.distances.data(), people.size());
  return block_checksum(std::as_bytes(distances), block_checksum(std::as_bytes(people), seed));
}

void run(const std::string& path, const std::string& key) {
  const GalleryStore gallery(path, GalleryStore::Access::kRead);
  const std::optional<GalleryModel> model = find_model(gallery, key);
  if (!model) throw Error("There is no model \"{}\" in {}.", key, path);
  IndexBlock block;
  Cost open;
  for (int i = 0; i < kRounds; ++i) {
    open.measure([&] { block = read_index(gallery, *model); });
  }
  const Matrix probes = model->extender->degrade(take_photos(1, 0, kBatch, {}, 1));
  Matches found;
  Cost batch;
  for (int i = 0; i < kRounds; ++i) {
    batch.measure([&] { found = block.searcher->search(probes, kTop); });
  }
  std::uint64_t checksum = checksum_of(found, 0);
  Cost single;
  for (Index j = 0; j < kSingleProbes; ++j) {
    forget_processor_caches();
    single.measure([&] { found = block.searcher->search(probes.col(j), kTop); });
    checksum = checksum_of(found, checksum);
  }
  fmt::print("{} people, {} bytes each in memory; matrix products {:.0f} GFLOPS\n",
             block.people.size(), block.searcher->bytes() / std::ssize(block.people),
             sgemm_gflops());
  open.print("open", 1.0);
  batch.print("a probe of many", static_cast<double>(kBatch));
  single.print("one probe", 1.0);
  fmt::print("answers {:016x}\n", checksum);
}

}  // namespace
}  // namespace longshot

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "longshot_gallery_bench GALLERY [KEY]\n");
    return 2;
  }
  try {
    longshot::run(argv[1], argc > 2 ? argv[2] : "longshot 7x6");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
