// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/ar.h"

#include <algorithm>

#include <fmt/format.h>

#include "longshot/dataset/dataset_json.h"
#include "longshot/dataset/file_name.h"
#include "longshot/dataset/folder_listing.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr int kDepth = 2;        // session/subject
constexpr int kPerSession = 13;  // images

// What the folders above an image say about it.
struct Place {
  int session = 0;  // 1 or 2; 0 where no folder says it
  std::string subject;
};

// "M-001" -> "m-001".
std::optional<std::string> parse_subject(std::string_view text) {
  const std::string lower = lower_case(text);
  const bool well_formed = lower.size() == 5 && (lower[0] == 'm' || lower[0] == 'w') &&
                           lower[1] == '-' && whole_number(std::string_view(lower).substr(2));
  return well_formed ? std::optional(lower) : std::nullopt;
}

// "Session_2" -> 2.
std::optional<int> parse_session(std::string_view text) {
  std::string name = lower_case(text);
  std::erase_if(name, [](char letter) { return letter == '_' || letter == '-' || letter == ' '; });
  for (const int session : {1, 2}) {
    if (name == fmt::format("session{}", session) || name == fmt::format("s{}", session)) {
      return session;
    }
  }
  return std::nullopt;
}

struct ArName {
  std::string subject;
  int number = 0;  // 1 to 26
};

std::optional<ArName> parse_ar_name(const fs::path& image, const std::string& subject_above) {
  const std::string stem = image.stem().string();
  std::optional<std::string> subject = parse_subject(std::string_view(stem).substr(0, 5));
  std::string_view digits;
  if (subject && stem.size() > 6 && stem[5] == '-') {
    digits = std::string_view(stem).substr(6);
  } else if (!subject_above.empty()) {
    subject = subject_above;
    digits = stem;
  }
  const std::optional<int> number =
      digits.size() <= 2 ? whole_number(digits) : std::optional<int>();
  if (!number || *number < 1 || *number > 2 * kPerSession) return std::nullopt;
  return ArName{*subject, *number};
}

void add_image(const fs::path& image, const Place& place, Dataset& dataset) {
  const std::optional<ArName> name = parse_ar_name(image, place.subject);
  if (!name) {
    dataset.rejections.push_back({image.string(), "It is not named like m-001-01 to w-060-26."});
    return;
  }
  const int session_of_number = name->number <= kPerSession ? 1 : 2;
  if (place.session == 1 && session_of_number == 2) {
    dataset.rejections.push_back(
        {image.string(), "Its number is of session 2, its folder says session 1."});
    return;
  }
  if (!place.subject.empty() && place.subject != name->subject) {
    dataset.rejections.push_back(
        {image.string(), fmt::format("It lies in the folder of {}.", place.subject)});
    return;
  }
  Sample sample;
  sample.path = image;
  sample.subject = name->subject;
  sample.session = fmt::format("{}", std::max(place.session, session_of_number));
  sample.condition = fmt::format("{}", (name->number - 1) % kPerSession + 1);
  dataset.samples.push_back(std::move(sample));
}

void read_folder(const fs::path& folder, const Place& place, int depth, Dataset& dataset) {
  const FolderListing listing = list_folder(folder);
  append(dataset.rejections, listing.rejections);
  for (const fs::path& image : listing.images) add_image(image, place, dataset);
  if (depth == 0) return;
  for (const fs::path& deeper : listing.folders) {
    const std::string name = deeper.filename().string();
    read_folder(
        deeper,
        {parse_session(name).value_or(place.session), parse_subject(name).value_or(place.subject)},
        depth - 1, dataset);
  }
}

bool holds_ar_names(const fs::path& folder, int depth) {
  const FolderListing listing = list_folder(folder);
  return std::any_of(listing.images.begin(), listing.images.end(),
                     [](const fs::path& image) { return parse_ar_name(image, "").has_value(); }) ||
         (depth > 0 &&
          std::any_of(listing.folders.begin(), listing.folders.end(),
                      [&](const fs::path& deeper) { return holds_ar_names(deeper, depth - 1); }));
}

// What the name of the root itself says: it may be one session's or one subject's folder.
Place place_of(const fs::path& root) {
  fs::path whole = fs::absolute(root).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  const std::string name = whole.filename().string();
  return {parse_session(name).value_or(0), parse_subject(name).value_or("")};
}

}  // namespace

Dataset read_ar(const fs::path& root) {
  Dataset dataset;
  dataset.aligned = aligned_frame(root);
  read_folder(root, place_of(root), kDepth, dataset);
  return dataset;
}

bool is_ar(const fs::path& root) {
  return holds_ar_names(root, kDepth);
}

}  // namespace longshot
