// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/model_io.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

constexpr std::size_t kModelMagicBytes = std::string_view("LSMODEL").size();

void read_any_model(std::string_view bytes) {
  const Model read = decode_model(with_checksum(bytes, kModelMagicBytes), "model");
  decode_model(encode_model(read), "model");
}

const Registered model("model", read_any_model);

}  // namespace
}  // namespace longshot::fuzz
