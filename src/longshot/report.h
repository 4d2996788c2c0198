// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "longshot/camera.h"
#include "longshot/results.h"

namespace longshot::v0 {

// Why an answer is as it is, for a person to judge.
struct Evidence {
  Answer answer;
  // Of the first candidates, in their order: the probe beside what a photo of each predicts. Empty
  // where there is no answer, or the gallery holds no photos.
  std::vector<Comparison> comparisons;
  // Name and SHA-256 (hexadecimal) of the files behind the answer.
  std::vector<std::pair<std::string, std::string>> files;
};

struct EvidenceText {
  std::string gallery;  // its name
  std::string command;  // how it was asked
  std::string method;
  std::ptrdiff_t left_out = 0;  // answers that are not on the page
};

// One page of HTML that stands for itself: no script, nothing is loaded. It holds faces and names.
LONGSHOT_API std::string to_html(const std::vector<Evidence>& evidence,
                                 const std::vector<Camera>& cameras, const EvidenceText& text);

}  // namespace longshot::v0
