// SPDX-License-Identifier: Apache-2.0
// longshot-stills: decodes pictures for the library in processes that can do nothing else. Not for
// users: the library starts it and talks to it.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <new>
#include <optional>
#include <string>

#include <libheif/heif.h>
#include <opencv2/core.hpp>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/image/image_header.h"
#include "longshot/image/still_messages.h"

#include "channel.h"
#include "confinement.h"
#include "requests.h"

namespace longshot::helper {
namespace {

// Of stacks and tables of the decoders, which the budget of an image does not count.
constexpr std::int64_t kMoreMemory = std::int64_t{64} << 20;

struct Picture {
  StillRequest request;
  std::string_view name;
  std::string_view bytes;
};

Picture picture_in(std::string_view message) {
  Picture picture{value_of<StillRequest>(message), {}, {}};
  message.remove_prefix(sizeof(StillRequest));
  picture.name = message.substr(0, static_cast<std::size_t>(picture.request.name_bytes));
  picture.bytes = message.substr(picture.name.size());
  return picture;
}

void send_size(const Picture& picture) {
  const std::optional<ImageHeader> header = read_image_header(picture.bytes);
  if (!header) throw Error("Cannot read {}: its image header is damaged.", picture.name);
  send(kStillAbout,
       bytes_of(StillAbout{picture.request.secret, header->size.rows, header->size.cols, 0}));
}

void send_pixels(const Picture& picture) {
  const DecodedPhoto photo = decode_still(picture.bytes, picture.name, picture.request.limits);
  const Image& image = photo.image;
  send(kStillAbout, bytes_of(StillAbout{picture.request.secret, image.rows(), image.cols(),
                                        photo.damaged ? 1 : 0}));
  for (Index at = 0; at < image.size(); at += kMostStillPixels) {
    const Index count = std::min<Index>(image.size() - at, kMostStillPixels);
    send(kStillPixels, bytes_of(picture.request.secret),
         {reinterpret_cast<const char*>(image.data() + at),
          sizeof(double) * static_cast<std::size_t>(count)});
  }
}

void answer(std::uint32_t wanted, const Picture& picture) {
  std::string problem;
  try {
    return wanted == kStillSizeWanted ? send_size(picture) : send_pixels(picture);
  } catch (const std::bad_alloc&) {
    problem = fmt::format("Cannot read {}: decoding it takes more memory than the limit of {} MB.",
                          picture.name, picture.request.limits.max_memory >> 20);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  send(kStillProblem, bytes_of(picture.request.secret), problem);
}

// Bytes of addresses that this process has taken.
std::int64_t mapped_bytes() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * ::sysconf(_SC_PAGESIZE);
}

// Confines itself before it looks at a byte.
void decode_one(std::int64_t mapped, std::int64_t max_memory) {
  const std::optional<Message> asked = receive();
  if (!asked) return;
  const Picture picture = picture_in(asked->bytes);
  const StillRequest& request = picture.request;
  limit_time(request.cpu_seconds);
  limit_self(std::min(max_memory, mapped + static_cast<std::int64_t>(asked->bytes.size()) +
                                      request.limits.max_memory + kMoreMemory));
  forbid_world();
  forbid_input();
  answer(asked->kind, picture);
}

void run(std::int64_t max_memory) {
  limit_self(max_memory);
  // Loads what is loaded when it is first used: later nothing is opened.
  cv::setNumThreads(1);
  heif_init(nullptr);
  serve_each([mapped = mapped_bytes(), max_memory] { decode_one(mapped, max_memory); });
}

}  // namespace
}  // namespace longshot::helper

int main(int count, char** arguments) {
  if (count != 3) return EXIT_FAILURE;
  longshot::helper::run(std::strtoll(arguments[2], nullptr, 10));
  return EXIT_SUCCESS;
}
