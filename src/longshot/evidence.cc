// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "longshot/comparison.h"
#include "longshot/core/file.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery/content_hash.h"
#include "longshot/gallery_implementation.h"
#include "longshot/pipeline/gallery_setup.h"

namespace longshot {
namespace {

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

// Of the bytes as they were handed in; pixels in memory have no file.
std::optional<std::string> hash_of(const v0::Picture& picture) {
  const v0::Picture::Source& source = *picture.source();
  if (!source.bytes.empty()) return hexadecimal(content_hash(source.bytes));
  if (source.path.empty()) return std::nullopt;
  try {
    return hexadecimal(content_hash(read_file(source.path)));
  } catch (const Error&) {
    return std::nullopt;  // gone since it was read
  }
}

// The probes behind each answer.
std::vector<std::vector<const v0::Picture*>> probes_of(const std::vector<v0::Picture>& probes,
                                                       const v0::Answers& answers,
                                                       bool fuse_folders) {
  std::vector<std::vector<const v0::Picture*>> chosen(answers.answers.size());
  const auto about = door::answers_about(probes, answers.answers, fuse_folders);
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (about[i].empty()) throw Error("{} is in no answer.", probes[i].name);
    for (const std::size_t answer : about[i]) chosen[answer].push_back(&probes[i]);
  }
  return chosen;
}

std::string text_of(const v0::Eyes& eyes) {
  return fmt::format("({:.1f}, {:.1f}) and ({:.1f}, {:.1f})", eyes.left.x, eyes.left.y,
                     eyes.right.x, eyes.right.y);
}

// Where the face of a probe was, and who said so.
std::string face_step(const v0::Picture& probe, const v0::Answer& answer, bool fused) {
  std::string step = "took it as the face crop that it is";
  if (probe.eyes) {
    step = "cut out the face by the eyes given at " + text_of(*probe.eyes);
  } else if (probe.box) {
    step = fmt::format("cut out the face by the box given at ({:.1f}, {:.1f}), {:.1f} x {:.1f}",
                       probe.box->x, probe.box->y, probe.box->width, probe.box->height);
  } else if (answer.face) {
    step = "found a face with the eyes at " + text_of(answer.face->eyes);
  } else if (fused && !probe.aligned) {
    step = "looked for the face, or took a small image as the crop that it is";
  }
  return fmt::format("{}: {}.", probe.name, step);
}

std::string camera_step(const std::optional<v0::Camera>& camera) {
  std::string step = "Used no camera.";
  if (camera && camera->learnt()) {
    step = fmt::format("Used a camera learnt from {} crops.", camera->crops());
  }
  const std::ptrdiff_t faces = camera ? camera->figures().faces : 0;
  return faces > 0 ? step + fmt::format(" Centred on {} different faces.", faces) : step;
}

std::vector<std::string> steps_of(const v0::Answer& answer,
                                  const std::vector<const v0::Picture*>& frames,
                                  const std::optional<v0::Camera>& camera,
                                  const v0::IdentifyOptions& options) {
  if (!answer.error.empty()) return {};
  std::vector<std::string> steps;
  for (const v0::Picture* frame : frames) {
    steps.push_back(face_step(*frame, answer, options.fuse_folders));
  }
  steps.push_back(fmt::format("Searched at {}, {}.", to_string(answer.size),
                              options.size ? "as asked for" : "which the pixels fill"));
  steps.push_back(camera_step(camera));
  steps.push_back(fmt::format("Compared {} image{} with {} people by the method {}.", answer.frames,
                              answer.frames == 1 ? "" : "s", answer.people, options.method));
  steps.push_back(fmt::format(
      "Decided at a false-positive rate of {:g}: known from a score of {:.4f}, the first has "
      "{:.4f}.",
      answer.fpir, answer.threshold, answer.candidates.empty() ? 0.0 : answer.candidates[0].score));
  return steps;
}

// The first of the frames that shows a face stands for all. Of several faces in one it is the one
// that the answer is about.
std::optional<v0::Comparison> first_comparison(const GalleryStore& gallery,
                                               const std::vector<longshot::Photo>& photos,
                                               const std::vector<const v0::Picture*>& frames,
                                               const std::optional<v0::FoundFace>& face,
                                               const v0::CompareOptions& options) {
  for (const v0::Picture* frame : frames) {
    v0::Picture located = *frame;
    if (face && frames.size() == 1) located.eyes = face->eyes;
    try {
      return door::compared(gallery, photos, located, options);
    } catch (const Error&) {
      continue;  // a frame that the answer does not rest on either
    }
  }
  return std::nullopt;
}

}  // namespace

namespace v0 {

std::vector<Evidence> Gallery::evidence(const std::vector<Picture>& probes, const Answers& answers,
                                        const IdentifyOptions& options, std::ptrdiff_t pictured,
                                        const Progress& progress) {
  const auto work = [&](const GalleryStore& common, const auto& photos_of,
                        longshot::Progress& shown) {
    const auto frames = probes_of(probes, answers, options.fuse_folders);
    const bool photos = !holds_templates_only(common);
    std::vector<Evidence> evidence;
    ProgressScope scope(shown, "Comparing", static_cast<Index>(answers.answers.size()));
    for (std::size_t i = 0; i < answers.answers.size(); ++i) {
      Evidence one{answers.answers[i], {}, {}, {}, {}};
      for (const Picture* frame : frames[i]) {
        if (auto hash = hash_of(*frame)) one.files.emplace_back(frame->name, *std::move(hash));
      }
      CompareOptions comparing;
      comparing.size = one.answer.size;
      comparing.camera = door::camera_for(one.answer.size, answers, options);
      comparing.detector = options.detector;
      one.steps = steps_of(one.answer, frames[i], comparing.camera, options);
      for (const Candidate& candidate : one.answer.candidates) {
        if (!photos || std::ssize(one.comparisons) == pictured) break;
        const auto of_person = photos_of(candidate.person);
        if (!of_person) break;  // removed since
        auto comparison =
            first_comparison(common, *of_person, frames[i], one.answer.face, comparing);
        if (!comparison) break;
        one.comparisons.push_back(*std::move(comparison));
      }
      evidence.push_back(std::move(one));
      scope.advance();
    }
    return evidence;
  };
  return use().ask_photos(work, progress);
}

}  // namespace v0
}  // namespace longshot
