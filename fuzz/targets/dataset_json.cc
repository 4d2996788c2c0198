// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/dataset_json.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

void read_any_dataset(std::string_view bytes) {
  read_dataset_json(file_of(bytes, "dataset/dataset.json"));
}

const Registered dataset_json("dataset_json", read_any_dataset);

}  // namespace
}  // namespace longshot::fuzz
