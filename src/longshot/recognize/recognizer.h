// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "longshot/camera/camera.h"
#include "longshot/camera/person_images.h"
#include "longshot/core/matrix.h"
#include "longshot/core/privacy.h"
#include "longshot/recognize/model_state.h"
#include "longshot/recognize/template.h"
#include "longshot/search/matches.h"

namespace longshot {

// People who are not enrolled, from whom a method learns what faces have in common. Empty for a
// user who has none: then methods fall back on what is built in, or say that they cannot.
struct TrainingSet {
  Matrix photos_high;         // N_H x n
  std::vector<int> subjects;  // n: which person each photo shows
  // Photos that look like gallery photos (for example taken under the gallery's light); what is
  // tuned on the training people takes its galleries from these. Empty: any photo.
  std::vector<Index> gallery_like;
  std::shared_ptr<const Extender> extender;  // never null: says sizes, frame and how to relight
  // Photos of people about to be enrolled (N_H x g, one per person), for what a whole gallery can
  // teach without labels; may be empty. What is learnt stays as it is when people come or go, so a
  // method must not keep statistics of fewer than kFewestPeople of them.
  Matrix enrolled_high;

  Index size() const { return photos_high.cols(); }
  bool empty() const { return photos_high.cols() == 0; }
  // The photos at the low resolution, N_L x n.
  Matrix photos_low() const;
  // Throws Error unless sizes agree and all values are finite.
  void check() const;
};

// Of so many people to be enrolled, every which one is learnt from: at most 2000 in all.
inline Index enrolled_step(Index people) {
  constexpr Index kMost = 2000;
  return (people + kMost - 1) / kMost;
}

// What a method makes of probes before it compares them with anybody.
struct PreparedProbes {
  explicit PreparedProbes(Matrix probes) : images(std::move(probes)) {}
  virtual ~PreparedProbes() = default;

  Matrix images;  // N_L x n
};

// The enrolled people, laid out for searching.
class Searcher {
 public:
  virtual ~Searcher() = default;

  // Throws Error, and adds nobody, if one of the templates belongs to another model.
  virtual void add_all(std::span<const Template> people) = 0;
  void add(const Template& person) { add_all(std::span(&person, 1)); }
  // The same for people as the gallery keeps them, with all threads.
  void add_stored(StoredTemplates stored) { replace(people(), people(), stored); }

  // A copy that shares the people with this one, so that changing a few of them takes little time
  // and memory; null where a method must be given everybody anew.
  virtual std::unique_ptr<Searcher> copy() const { return nullptr; }
  // Those who are now at positions [first, last) make way for others. A searcher without copies
  // only adds people behind the last one.
  virtual void replace(Index first, Index last, StoredTemplates stored) = 0;
  // A copy for the crops of a camera, whose centre and days it takes into account; null where the
  // method does not ask for them.
  virtual std::unique_ptr<Searcher> centred(const Camera& /*camera*/) const { return nullptr; }

  virtual Index people() const = 0;
  // Bytes of memory that all people take; 0 where it is not known.
  virtual Index bytes() const { return 0; }
  // Bytes of memory that one probe is compared with; 0 where it is not known.
  virtual Index bytes_per_probe() const { return bytes(); }
  // people x probes, smaller is more alike; columns of `probes` (N_L x n) are low-resolution
  // images. An unusable probe (all black) is equally far from everyone. Throws Error on values that
  // are not finite, on a wrong size and on an empty gallery.
  virtual Matrix distances(const MatrixRef& probes) const = 0;
  // What nearest_people() gives of them, to the last bit or two of the distances, without holding
  // all of them at once where a method can.
  virtual Matches search(const MatrixRef& probes, Index top) const {
    return nearest_people(distances(probes), top);
  }

  // The same in two steps, for probes that several searchers of one model and camera compare.
  virtual std::unique_ptr<const PreparedProbes> prepare(const MatrixRef& probes) const {
    return std::make_unique<PreparedProbes>(probes);
  }
  virtual Matrix prepared_distances(const PreparedProbes& probes) const {
    return distances(probes.images);
  }
  virtual Matches search_prepared(const PreparedProbes& probes, Index top) const {
    return search(probes.images, top);
  }
};

// The same people, for probes of a camera if there is one.
std::shared_ptr<const Searcher> centred(std::shared_ptr<const Searcher> people,
                                        const std::optional<Camera>& camera);

// One way to recognise low-resolution faces. What is learnt is fixed after learn(); from then on a
// person is enrolled alone: adding or removing one never touches another.
class Recognizer {
 public:
  virtual ~Recognizer() = default;

  virtual std::string name() const = 0;
  // Whether the distance to one person depends on that person alone. Methods that code a probe over
  // all people at once say false.
  virtual bool has_independent_distances() const { return true; }
  // Whether distances depend on Camera::days.
  virtual bool tells_days_apart() const { return false; }
  virtual void learn(const TrainingSet& training) = 0;
  virtual Template enrol(const PersonImages& person) const = 0;
  virtual std::unique_ptr<Searcher> make_searcher() const = 0;

  // What was learnt, and back: the same scores to the last bit.
  virtual ModelState state() const = 0;
  virtual void restore(const ModelState& state) = 0;
};

// Checks that all searchers make at the entry of distances().
void check_probes(const MatrixRef& probes, Index pixels, Index people);

}  // namespace longshot
