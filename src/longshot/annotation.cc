// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "longshot/clip/clip_marker.h"
#include "longshot/comparison.h"
#include "longshot/core/private_file.h"
#include "longshot/core/utf8.h"
#include "longshot/dataset/csv.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery_implementation.h"
#include "longshot/image/align.h"
#include "longshot/image/color_file.h"
#include "longshot/image/drawing.h"
#include "longshot/pipeline/gallery_setup.h"
#include "longshot/pipeline/training_faces.h"
#include "longshot/track_sheet.h"
#include "longshot/track_value.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNearestShown = 3;

// What is asked for: the pictures, the clips and the answers about both.
struct Annotating {
  const std::vector<v0::Picture>& pictures;
  const std::vector<v0::ClipTracks>& clips;
  const v0::IdentifyOptions& options;
  const v0::ClipOptions& clip;
  const GalleryStore* photos;  // null if the gallery holds none
};

// Not too long for a file system, and not cut within a character.
std::string short_stem(const std::string& source) {
  constexpr std::size_t kLongest = 100;  // bytes
  const std::string stem = fs::path(source).stem().string();
  std::size_t end = 0;
  while (end < stem.size()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(stem.substr(end)));
    if (end + length > kLongest) break;
    end += length;
  }
  return stem.substr(0, end);
}

// The files of the folder, and the legend of what stands on them.
class AnnotationFolder {
 public:
  AnnotationFolder(fs::path folder, v0::Annotated& result)
      : folder_(std::move(folder)), result_(result) {}

  // The next of the sources gets another number.
  void next_source() { ++source_; }
  fs::path path_for(const std::string& source, std::string_view ending) const {
    return folder_ / fmt::format("{:04}_{}{}", source_, short_stem(source), ending);
  }
  void write(const fs::path& path, const ColorImage& picture) {
    write_private_file(path, encode_image(picture, ".png"));
    result_.files.push_back(path.string());
  }
  void add(const fs::path& path) { result_.files.push_back(path.string()); }
  // The file shows that answer, under that number.
  void note(const fs::path& path, std::ptrdiff_t number, std::size_t answer) {
    v0::Answer& shown = result_.answers.answers[answer];
    shown.annotated.push_back(path.string());
    const bool named = !shown.candidates.empty();
    legend_ +=
        fmt::format("{},{},{},{},{},{},{}\n", table_cell(path.filename().string()), number,
                    table_cell(shown.name), shown.track > 0 ? fmt::format("{}", shown.track) : "",
                    !shown.error.empty() ? "no answer" : (shown.known ? "known" : "unknown"),
                    named ? table_cell(shown.candidates[0].person) : "",
                    named ? fmt::format("{:.4f}", shown.candidates[0].score) : "");
  }
  void write_legend() {
    const fs::path path = folder_ / "legend.csv";
    write_private_file(path, legend_);
    result_.files.push_back(path.string());
  }

 private:
  fs::path folder_;
  v0::Annotated& result_;
  Index source_ = 0;
  std::string legend_ = "file,number,source,track,decision,nearest,score\n";
};

// Where the face is; the whole picture if it is the face.
Box face_box(const v0::Picture& picture, const v0::Answer& answer, Size size) {
  const auto inner_box = [](const v0::Box& box) {
    return Box{box.x, box.y, box.width, box.height};
  };
  if (answer.face) return inner_box(answer.face->box);
  if (picture.box && !picture.aligned) return inner_box(*picture.box);
  if (picture.eyes && !picture.aligned) return box_of_eyes(door::inner(*picture.eyes));
  return {0.0, 0.0, static_cast<double>(size.cols), static_cast<double>(size.rows)};
}

void annotate_still(const v0::Picture& picture, const std::vector<std::size_t>& about,
                    const v0::Answers& answers, AnnotationFolder& folder) {
  Image image;
  try {
    image = door::image_of(picture);
  } catch (const Error&) {
    return;  // its answer says why
  }
  std::vector<FaceMark> marks;
  for (std::size_t k = 0; k < about.size(); ++k) {
    const v0::Answer& answer = answers.answers[about[k]];
    marks.push_back({face_box(picture, answer, size_of(image)), static_cast<Index>(k) + 1,
                     door::said_of(answer), door::colour_of(answer)});
  }
  const fs::path path = folder.path_for(picture.name, ".png");
  folder.write(path, marked(image, marks, times_to_read(size_of(image), marks)));
  for (std::size_t k = 0; k < about.size(); ++k) {
    folder.note(path, static_cast<std::ptrdiff_t>(k) + 1, about[k]);
  }
}

// Of the frames that are looked at, from the first face of the clip to the last.
double rate_of(const v0::ClipTracks& clip, std::ptrdiff_t every) {
  std::map<std::ptrdiff_t, double> times;
  for (const v0::Track& track : clip.tracks) {
    for (const v0::TrackFace& face : track.faces) times[face.frame] = face.time;
  }
  const auto step = static_cast<double>(std::max<std::ptrdiff_t>(1, every));
  if (times.size() < 2) return kFolderRate / step;
  const auto frames = static_cast<double>(times.rbegin()->first - times.begin()->first);
  const double seconds = times.rbegin()->second - times.begin()->second;
  return seconds > 0.0 ? frames / seconds / step : kFolderRate / step;
}

// What is to be drawn on each frame.
std::multimap<Index, FaceMark> marks_of(const v0::ClipTracks& clip,
                                        const std::vector<std::optional<std::size_t>>& about,
                                        const v0::Answers& answers) {
  std::multimap<Index, FaceMark> marks;
  for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
    const v0::Track& track = clip.tracks[t];
    const v0::Answer none;
    const v0::Answer& answer = about[t] ? answers.answers[*about[t]] : none;
    for (const v0::TrackFace& one : track.faces) {
      const v0::Box& box = one.face.box;
      marks.emplace(one.frame, FaceMark{{box.x, box.y, box.width, box.height},
                                        track.number,
                                        door::said_of(answer),
                                        door::colour_of(answer)});
    }
  }
  return marks;
}

// The first candidates beside the crop that weighs most.
std::vector<v0::Comparison> nearest_people(const Annotating& asked, const v0::Track& track,
                                           const v0::Answer& answer, const v0::Answers& answers) {
  std::vector<v0::Comparison> nearest;
  if (!asked.photos || !answer.error.empty() || track.faces.empty()) return nearest;
  const std::vector<TrackedFace>& faces = track.value->track.faces;
  const auto best = std::ranges::max_element(faces, {}, &TrackedFace::weight);
  const Image crop = door::crop_of_track(*best);
  const std::vector<std::uint8_t> pixels = grey_levels(crop.transpose().reshaped());
  const v0::Picture probe = v0::Picture::crop(pixels.data(), {crop.rows(), crop.cols()});
  v0::CompareOptions comparing;
  comparing.size = answer.size;
  comparing.camera = door::camera_for(answer.size, answers, asked.options);
  for (const v0::Candidate& candidate : answer.candidates) {
    if (nearest.size() == kNearestShown) break;
    const auto person = asked.photos->find_person(candidate.person);
    if (!person) break;  // removed since
    nearest.push_back(
        door::compared(*asked.photos, asked.photos->photos(person->id), probe, comparing));
  }
  return nearest;
}

void annotate_sheet(const Annotating& asked, const v0::Track& track, std::size_t about,
                    const v0::Answers& answers, AnnotationFolder& folder) {
  const v0::Answer& answer = answers.answers[about];
  const fs::path path = folder.path_for(track.source, fmt::format("_track{:03}.png", track.number));
  folder.write(path,
               door::track_sheet(track, answer, nearest_people(asked, track, answer, answers)));
  folder.note(path, track.number, about);
}

void annotate_clip(const Annotating& asked, const v0::ClipTracks& clip, v0::Annotated& result,
                   AnnotationFolder& folder, Progress& progress) {
  const std::string& source = clip.tracks.front().source;
  std::vector<std::optional<std::size_t>> about;
  for (const v0::Track& track : clip.tracks) {
    const auto answer = std::ranges::find_if(result.answers.answers, [&](const v0::Answer& one) {
      return one.track == track.number && one.name == track.source;
    });
    const auto place = answer - result.answers.answers.begin();
    about.push_back(answer == result.answers.answers.end()
                        ? std::nullopt
                        : std::optional(static_cast<std::size_t>(place)));
  }
  const auto marks = marks_of(clip, about, result.answers);
  const fs::path path = folder.path_for(source, ".avi");
  const std::unique_ptr<ClipReader> reader = open_clip(source, door::inner(asked.clip));
  const MarkedClip written = mark_clip(
      *reader, path, rate_of(clip, asked.clip.every),
      [&](const ClipFrame& frame) {
        std::vector<FaceMark> own;
        const auto [begin, end] = marks.equal_range(frame.number);
        for (auto mark = begin; mark != end; ++mark) own.push_back(mark->second);
        return own;
      },
      clip.frames, progress);
  folder.add(path);
  if (!written.cut_short.empty()) {
    result.rejections.push_back({path.string(), written.cut_short});
  }
  for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
    if (about[t]) folder.note(path, clip.tracks[t].number, *about[t]);
  }
  ProgressScope scope(progress, "Drawing the tracks of " + path.filename().string(),
                      static_cast<Index>(clip.tracks.size()));
  for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
    if (about[t]) annotate_sheet(asked, clip.tracks[t], *about[t], result.answers, folder);
    scope.advance();
  }
}

void annotate_all(const Annotating& asked, v0::Annotated& result, AnnotationFolder& folder,
                  Progress& progress) {
  const auto about =
      door::answers_about(asked.pictures, result.answers.answers, asked.options.fuse_folders);
  {
    ProgressScope scope(progress, "Drawing stills", static_cast<Index>(asked.pictures.size()));
    for (std::size_t p = 0; p < asked.pictures.size(); ++p) {
      folder.next_source();
      annotate_still(asked.pictures[p], about[p], result.answers, folder);
      scope.advance();
    }
  }
  for (const v0::ClipTracks& clip : asked.clips) {
    folder.next_source();
    if (!clip.tracks.empty()) annotate_clip(asked, clip, result, folder, progress);
  }
}

// What was written before something went wrong, or the user asked to stop, is kept.
v0::Annotated annotated(const fs::path& path, const Annotating& asked, const v0::Answers& answers,
                        Progress& progress) {
  v0::Annotated result{answers, {}, {}};
  AnnotationFolder folder(path, result);
  const auto ended = [&](const std::string& why) {
    result.rejections.push_back(
        {path.string(),
         fmt::format("Not all pictures could be drawn, the answers are complete. {}", why)});
  };
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (const Cancelled& cancelled) {
      ended(cancelled.what());
    } catch (const Error& error) {
      ended(error.what());
    } catch (const fs::filesystem_error& error) {
      ended(fmt::format("{}: {}.", error.path1().string(), error.code().message()));
    }
  };
  attempt([&] { annotate_all(asked, result, folder, progress); });
  attempt([&] { folder.write_legend(); });
  return result;
}

}  // namespace

namespace v0 {

void make_annotation_folder(const std::filesystem::path& folder) {
  door::translated([&] {
    const fs::file_status there = fs::status(folder);
    if (!fs::exists(there)) {
      fs::create_directories(folder);
      fs::permissions(folder, fs::perms::owner_all);
    } else if (!fs::is_directory(there)) {
      throw Error(ErrorKind::already_there, "Cannot draw into {}: it is no folder.",
                  folder.string());
    } else if (!fs::is_empty(folder)) {
      throw Error(ErrorKind::already_there,
                  "Cannot draw into {}: it holds files already. Name a new or an empty folder.",
                  folder.string());
    }
    // Said before the work, not after it.
    const fs::path probe = folder / ".legend.csv";
    write_private_file(probe, "");
    fs::remove(probe);
  });
}

Annotated Gallery::annotate(const std::filesystem::path& folder,
                            const std::vector<Picture>& pictures,
                            const std::vector<ClipTracks>& clips, const Answers& answers,
                            const IdentifyOptions& options, const ClipOptions& clip,
                            const Progress& progress) {
  make_annotation_folder(folder);
  Implementation& own = use();
  const auto work = [&](const GalleryStore* photos, longshot::Progress& shown) {
    return annotated(folder, {pictures, clips, options, clip, photos}, answers, shown);
  };
  if (own.shards() != nullptr) {
    return own.ask([&](const auto&, longshot::Progress& shown) { return work(nullptr, shown); },
                   progress);
  }
  return own.ask_file(
      [&](const std::shared_ptr<OpenGallery>& gallery, longshot::Progress& shown) {
        const OpenGallery::Connection store = gallery->connect();
        return work(holds_templates_only(*store) ? nullptr : &*store, shown);
      },
      progress);
}

}  // namespace v0
}  // namespace longshot
