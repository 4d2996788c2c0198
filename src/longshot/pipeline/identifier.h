// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/clip/face_track.h"
#include "longshot/core/progress.h"
#include "longshot/face/face_intake.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/open_gallery.h"

namespace longshot {

struct IdentifyOptions {
  std::string method = kDefaultMethod;   // as in method_names()
  std::optional<Size> size;              // of the probes; nothing: what their pixels fill
  Index top = 5;                         // candidates of each probe, >= 1
  double fpir = 0.01;                    // accepted rate of strangers taken for somebody, 0 to 1
  bool fuse_folders = false;             // the images of a folder show one person
  WhichFaces faces = WhichFaces::kMain;  // of an image, where nothing says where its face is
  std::optional<Camera> camera;          // that took the probes; nothing: none is known
  // Where none is stated, learns it from the probes of each call and size, if they teach one.
  bool learn_camera = false;
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system

  void check() const;
};

struct Candidate {
  std::string person;
  double score = 0.0;  // probability of being right, if strangers are as frequent as others
  // The distance, 0 for a perfect match and 1 for the mean of people who are not enrolled.
  double residual = 0.0;
};

struct Identification {
  std::string path;  // of the probe, or of the folder
  Size size;         // at which the gallery was searched
  bool known = false;
  std::vector<Candidate> candidates;  // most alike first
  double threshold = 0.0;             // score from which the first candidate is known at that rate
  double margin = 0.0;  // powers of ten of its likelihood ratio above the threshold; known: > 0
  double fpir = 0.0;    // accepted rate of strangers taken for somebody
  Index people = 0;     // with whom it was compared
  // Of all people, the share with whom it was compared. Below 1 nobody can be said to be unknown.
  double coverage = 1.0;
  std::string error;              // why there is no answer; empty if there is one
  Index frames = 1;               // images behind the answer
  std::optional<FoundFace> face;  // of a single image, where it was looked for
  // Of the frames of a folder, those that could not be used.
  std::vector<Rejection> rejections;
  // Frames that were used although something is amiss.
  std::vector<Rejection> warnings;
};

struct Identifications {
  std::vector<Identification> answers;
  // The one that was stated, or what was learnt at each size; none unless options say so.
  std::vector<Camera> cameras;
};

// Identifies probes. It may be kept for many calls, of any number of threads at once: what was
// opened for a size is used again.
class Identifier {
 public:
  // Throws Error for options that cannot be and a gallery without people.
  Identifier(std::shared_ptr<AskedGallery> gallery, const IdentifyOptions& options,
             Progress& progress = no_progress());
  // Opens the gallery once more, for itself alone.
  Identifier(const GalleryStore& gallery, const IdentifyOptions& options,
             Progress& progress = no_progress());

  // One answer per input, or per folder of inputs, in their order. A bad probe is an error in its
  // place. Nobody is named whose removal had returned before.
  Identifications identify(const std::vector<Input>& inputs) const;
  // One answer per track, from all its faces by their weights.
  Identifications identify_tracks(const std::vector<FaceTrack>& tracks) const;

 private:
  // A probe, or all frames of one person.
  struct Track {
    std::vector<Image> frames;    // each at its own size
    std::vector<double> weights;  // of the frames; empty: all the same
    std::optional<Size> size;     // at which to search
  };

  // The tracks that are searched at one size.
  struct SizedTracks {
    std::vector<std::size_t> chosen;  // which ones
    ProbeTracks tracks;
    Matrix probes;  // N_L x n
  };

  std::vector<Identification> answers_for(const std::vector<Input>& inputs,
                                          std::vector<std::vector<std::size_t>>& groups) const;
  std::vector<Input> every_face(const std::vector<Input>& images) const;
  Track cut_out(const FaceTrack& track, Identification& answer) const;
  void choose_size(Track& track, Identification& answer) const;
  void identify_all(const std::vector<Track>& tracks, Identifications& result) const;
  static SizedTracks tracks_of_size(Size size, const std::vector<Track>& tracks);
  void answer_track(const std::vector<PersonDistance>& people, double background,
                    const Calibration& calibration, const std::vector<Person>& named,
                    const std::string& gallery_name, Identification& answer) const;
  void identify_size(Size size, const std::vector<Track>& tracks, Identifications& result) const;

  std::shared_ptr<AskedGallery> gallery_;
  IdentifyOptions options_;
  Progress& progress_;
  std::unique_ptr<FaceIntake> intake_;  // for several threads at once
  std::vector<Size> ladder_;
};

}  // namespace longshot
