// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/normal_map_io.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

constexpr std::size_t kNormalMagicBytes = std::string_view("LSNORMAL").size();

void read_any_normal_map(std::string_view bytes) {
  decode_normal_map(bytes, "normals");
}
void read_framed(std::string_view bytes) {
  try {
    read_any_normal_map(with_checksum(bytes, kNormalMagicBytes));
  } catch (const Error&) {
    read_any_normal_map(bytes);
  }
}

const Registered normal_map("normal_map", read_framed);

}  // namespace
}  // namespace longshot::fuzz
