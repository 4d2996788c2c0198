// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "longshot/camera.h"
#include "longshot/results.h"

namespace longshot::v0 {

// What a person made of a candidate.
struct Mark {
  std::string person;   // the candidate
  std::string verdict;  // such as "lead", "excluded", "inconclusive"
  std::string note;
};

// Why an answer is as it is, for a person to judge.
struct Evidence {
  Answer answer;
  // Of the first candidates, in their order: the probe beside what a photo of each predicts. Empty
  // where there is no answer, or the gallery holds no photos.
  std::vector<Comparison> comparisons;
  // Name and SHA-256 (hexadecimal) of the files behind the answer.
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> steps;  // what was done, in order, one sentence each
  std::vector<Mark> marks;         // evidence() leaves them to the caller
};

struct EvidenceText {
  std::string gallery;  // its name
  std::string command;  // how it was asked
  std::string method;
  std::ptrdiff_t left_out = 0;  // answers that are not on the page
  // Name and value of what else it takes to ask again.
  std::vector<std::pair<std::string, std::string>> settings = {};
};

// What Gallery::annotate() wrote.
struct Annotated {
  Answers answers;                    // as they were given, with the files that show each
  std::vector<std::string> files;     // all of them
  std::vector<Rejection> rejections;  // what could not be drawn, or not to its end, and why
};

// Makes the folder for Gallery::annotate(), for its owner alone. Throws Error if it is a file,
// holds something already (already_there), or cannot be written to.
LONGSHOT_API void make_annotation_folder(const std::filesystem::path& folder);

// One page of HTML that stands for itself: no script, nothing is loaded. It holds faces and names.
LONGSHOT_API std::string to_html(const std::vector<Evidence>& evidence,
                                 const std::vector<Camera>& cameras, const EvidenceText& text);

}  // namespace longshot::v0
