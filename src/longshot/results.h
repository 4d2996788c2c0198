// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "longshot/camera.h"
#include "longshot/faces.h"
#include "longshot/picture.h"

namespace longshot::v0 {

struct Trained {
  std::ptrdiff_t people = 0;
  std::ptrdiff_t photos = 0;
  std::vector<Rejection> rejections;  // pictures that were left out
};

struct Enrolled {
  std::ptrdiff_t people = 0;          // new ones
  std::ptrdiff_t photos = 0;          // new ones
  std::vector<Rejection> rejections;  // pictures that were left out
  std::vector<Rejection> warnings;    // pictures that were enrolled although something is amiss
};

// What a gallery holds that was found to be whole.
struct Checked {
  std::ptrdiff_t people = 0;
  std::ptrdiff_t photos = 0;
  std::ptrdiff_t indexes = 0;
  std::int64_t bytes = 0;  // of the file
};

struct Compacted {
  std::int64_t bytes_before = 0;  // of the file
  std::int64_t bytes_after = 0;
  std::vector<std::string> forgotten;  // indexes that will be built anew: "longshot 12x10"
};

struct Transferred {
  std::ptrdiff_t people = 0;          // that were written; of an import: new ones
  std::ptrdiff_t photos = 0;          // likewise
  std::vector<Rejection> rejections;  // photos and people that were left out
};

struct Candidate {
  std::string person;
  double score = 0.0;  // probability of being right, if strangers are as frequent as others
  // The distance, 0 for a perfect match and 1 for the mean of people who are not enrolled.
  double residual = 0.0;
};

// How many times as probable what was seen is if it shows that person as if it shows somebody who
// is not enrolled: score / (1 - score), at most 10^9 either way.
LONGSHOT_API double likelihood_ratio(double score);

struct Answer {
  std::string name;  // of the probe, or of the folder
  Size size;         // at which the gallery was searched
  bool known = false;
  std::vector<Candidate> candidates;  // most alike first
  double threshold = 0.0;             // score from which the first candidate is known at that rate
  double margin = 0.0;  // powers of ten of its likelihood ratio above the threshold; known: > 0
  double fpir = 0.0;    // accepted rate of strangers taken for somebody
  std::ptrdiff_t people = 0;  // with whom it was compared
  // Of all people, the share with whom it was compared: 1 unless shards of a folder are missing.
  double coverage = 1.0;
  std::string error;          // why there is no answer; empty if there is one
  std::ptrdiff_t frames = 1;  // images behind the answer
  // Of a single image, where it had to be looked for; of a track, the one that weighs most.
  std::optional<FoundFace> face;
  std::ptrdiff_t frame = 0;            // of a clip, with that face
  double time = 0.0;                   // of the frame, seconds from the beginning of the clip
  std::ptrdiff_t track = 0;            // number in its clip, from 1; 0: the probe is no clip
  std::vector<Rejection> rejections;   // of the frames, those that could not be used
  std::vector<Rejection> warnings;     // frames that were used although something is amiss
  std::vector<std::string> annotated;  // files of Gallery::annotate() that show it
};

struct Answers {
  std::vector<Answer> answers;  // one per probe, or per folder of probes, in their order
  std::vector<Camera> cameras;  // what was stated, or learnt at each size
};

struct Verification {
  std::string person;
  bool match = false;
  double score = 0.0;         // probability of being that person, if as many claims are true as not
  double threshold = 0.0;     // score from which it is a match at that rate
  double margin = 0.0;        // powers of ten of its likelihood ratio above it; match: > 0
  double fmr = 0.0;           // accepted rate of false matches
  Size size;                  // at which they were compared
  std::ptrdiff_t frames = 0;  // images behind the answer
  std::vector<Rejection> rejections;
  std::vector<Rejection> warnings;  // pictures that were used although something is amiss
};

struct Person {
  std::string name;
  std::ptrdiff_t photos = 0;  // how many
  std::string enrolled_at;    // UTC, "2026-01-31T12:00:00Z"
};

// What is amiss with a photo, though it was enrolled.
struct Remark {
  std::string problem;  // "dark", "overexposed", "flat", "blurred", "small", "several faces"
  std::string reason;   // one sentence with the figure
};

struct Photo {
  std::int64_t id = 0;
  std::string added_at;  // UTC
  std::string source;    // path or other name of the picture
  Size size;             // of the aligned face that is kept
  std::optional<Eyes> eyes;
  std::map<std::string, double> quality;
  std::vector<Remark> remarks;
};

// Why the gallery answers as it does: the probe beside what a person's photo predicts. All but the
// photo and the relit face have the size at which they were compared.
struct Comparison {
  Plane photo;    // of the person, as it is kept
  Plane relit;    // the same in the probe's light
  Plane through;  // that through the camera, as bright as the probe
  Plane probe;
  Plane difference;        // probe - through
  double azimuth = 0.0;    // of the probe's light, degrees to the image's right
  double elevation = 0.0;  // up
};

// The answers as documents of UTF-8 that end with a line break; docs/interface.md names their
// parts.
LONGSHOT_API std::string to_json(const Answers& answers);
LONGSHOT_API std::string to_json(const Verification& verification);
LONGSHOT_API std::string to_json(const std::vector<Person>& people);
LONGSHOT_API std::string to_json(const Person& person, const std::vector<Photo>& photos);
// One line per candidate, or per probe without an answer, after a header.
LONGSHOT_API std::string to_csv(const Answers& answers);

}  // namespace longshot::v0
