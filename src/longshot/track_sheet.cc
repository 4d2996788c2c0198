// SPDX-License-Identifier: Apache-2.0
#include "longshot/track_sheet.h"

#include <algorithm>
#include <filesystem>

#include "longshot/clip/joined_picture.h"
#include "longshot/image/degrade.h"
#include "longshot/track_value.h"

namespace longshot::door {
namespace {

constexpr Colour kInk = {0.0, 0.0, 0.0};
constexpr Colour kSoftInk = {0.4, 0.4, 0.4};
constexpr longshot::Size kFrameTile = {144, 120};
constexpr longshot::Size kLargeTile = {288, 240};
constexpr Index kTilesAcross = 8;
constexpr Index kTileGap = 8;
constexpr Index kSheetWidth = kTileGap + kTilesAcross * (kFrameTile.cols + kTileGap);
constexpr std::size_t kMostFrameTiles = 200;
constexpr Index kHeaderLines = 3;
constexpr Index kLargeRow = kLargeTile.rows + 2 * kTextHeight + 2 * kTileGap;
constexpr Index kFrameRow = kFrameTile.rows + kTextHeight + kTileGap;

// White paper on which pictures and lines are put.
class Paper {
 public:
  explicit Paper(Index rows) {
    const Image white = Image::Ones(rows, kSheetWidth);
    sheet_ = {white, white, white};
  }

  void paste(const Image& image, Index row, Index col) {
    for (Image* plane : {&sheet_.red, &sheet_.green, &sheet_.blue}) {
      plane->block(row, col, image.rows(), image.cols()) = image.cwiseMax(0.0).cwiseMin(1.0);
    }
  }
  void write(std::string_view text, Index row, Index col, Index width,
             const Colour& colour = kInk) {
    draw_text(sheet_, row, col, cut_to_width(drawable(text), width), colour);
  }
  // From edge to edge.
  void write_line(std::string_view text, Index row, const Colour& colour = kInk) {
    write(text, row, kTileGap, kSheetWidth - 2 * kTileGap, colour);
  }
  ColorImage take() { return std::move(sheet_); }

 private:
  ColorImage sheet_;
};

// Pixels as blocks: an enlarged face has no more of them than it had.
Image as_tile(const Image& image, longshot::Size size) {
  return longshot::degrade(image, size, {OperatorKind::kArea});
}

Index large_column(std::size_t place) {
  return kTileGap + static_cast<Index>(place) * (kLargeTile.cols + kTileGap);
}

void put_header(Paper& paper, const v0::Track& track, const v0::Answer& answer, std::size_t shown) {
  paper.write_line(
      fmt::format("{}, track {}: {}", std::filesystem::path(track.source).filename().string(),
                  track.number, said_of(answer)),
      kTileGap);
  const std::string frames = track.faces.empty()
                                 ? std::string()
                                 : fmt::format("frames {} to {}, {:.2f} to {:.2f} s, ",
                                               track.faces.front().frame, track.faces.back().frame,
                                               track.faces.front().time, track.faces.back().time);
  paper.write_line(fmt::format("{}{} of {} faces are shown below with frame, weight and quality",
                               frames, shown, track.faces.size()),
                   kTileGap + kTextHeight, kSoftInk);
  paper.write_line("A candidate is for a person to check, never proof.",
                   kTileGap + 2 * kTextHeight);
}

void put_candidates(Paper& paper, const v0::Answer& answer,
                    const std::vector<v0::Comparison>& nearest, Index row) {
  for (std::size_t k = 0; k < std::min<std::size_t>(3, answer.candidates.size()); ++k) {
    const Index col = large_column(k + 1);
    const bool pictured = k < nearest.size();
    if (pictured) paper.paste(as_tile(inner(nearest[k].through), kLargeTile), row, col);
    const v0::Candidate& candidate = answer.candidates[k];
    // The score stays where the name is long.
    const std::string score = fmt::format(" {:.2f}", candidate.score);
    const std::string name = cut_to_width(drawable(fmt::format("{}. {}", k + 1, candidate.person)),
                                          kLargeTile.cols - text_width(score));
    paper.write(name + score, row + kLargeTile.rows + kTileGap / 2, col, kLargeTile.cols);
    paper.write(pictured ? "as seen by this camera" : "no picture of them",
                row + kLargeTile.rows + kTileGap / 2 + kTextHeight, col, kLargeTile.cols, kSoftInk);
  }
}

void put_frames(Paper& paper, const FaceTrack& track, const std::vector<std::size_t>& used,
                Index row) {
  for (std::size_t k = 0; k < used.size(); ++k) {
    const TrackedFace& face = track.faces[used[k]];
    const Index place = static_cast<Index>(k);
    const Index top = row + place / kTilesAcross * kFrameRow;
    const Index col = kTileGap + place % kTilesAcross * (kFrameTile.cols + kTileGap);
    paper.paste(as_tile(crop_of_track(face), kFrameTile), top, col);
    paper.write(fmt::format("{} {:.2f} {:.2f}", face.frame, face.weight, face.face.quality),
                top + kFrameTile.rows, col, kFrameTile.cols);
  }
}

}  // namespace

std::string said_of(const v0::Answer& answer) {
  if (!answer.error.empty()) return "no answer";
  if (answer.candidates.empty()) return "unknown";
  const v0::Candidate& first = answer.candidates.front();
  return fmt::format("{} {:.2f}", answer.known ? first.person : "unknown", first.score);
}

Colour colour_of(const v0::Answer& answer) {
  if (!answer.error.empty()) return {1.0, 0.45, 0.4};
  return answer.known ? Colour{0.3, 1.0, 0.4} : Colour{1.0, 0.8, 0.2};
}

ColorImage track_sheet(const v0::Track& track, const v0::Answer& answer,
                       const std::vector<v0::Comparison>& nearest) {
  if (!track.value) throw Error("A track that was not found in a clip has no pictures.");
  const FaceTrack& faces = track.value->track;
  const std::vector<std::size_t> used = used_faces(faces, kMostFrameTiles);
  const Index large = 2 * kTileGap + kHeaderLines * kTextHeight;
  const Index small = large + kLargeRow;
  const Index rows = (static_cast<Index>(used.size()) + kTilesAcross - 1) / kTilesAcross;
  Paper paper(small + rows * kFrameRow + kTileGap);
  put_header(paper, track, answer, used.size());
  if (!used.empty()) {
    paper.paste(joined_picture(faces, kLargeTile), large, large_column(0));
    paper.write("joined picture:", large + kLargeTile.rows + kTileGap / 2, large_column(0),
                kLargeTile.cols);
    paper.write("not evidence of detail", large + kLargeTile.rows + kTileGap / 2 + kTextHeight,
                large_column(0), kLargeTile.cols);
  }
  put_candidates(paper, answer, nearest, large);
  put_frames(paper, faces, used, small);
  return paper.take();
}

}  // namespace longshot::door
