// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "longshot/camera/person_images.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

// The enrolled people as the decision sees them: those of a gallery, or of an experiment. A person
// goes by a number >= 0 of the crowd's own choice.
class Crowd {
 public:
  virtual ~Crowd() = default;

  virtual Index people() const = 0;
  // At most `count` of them, spread evenly over all; the same every time.
  virtual std::vector<Index> some(Index count) const = 0;
  // The first photo of each, N_H x n.
  virtual Matrix photos(const std::vector<Index>& people) const = 0;
  // people x probes.
  virtual Matrix distances(const MatrixRef& probes, const std::vector<Index>& people) const = 0;
  // The `top` nearest people of each probe, or all if there are fewer.
  virtual Matches nearest(const MatrixRef& probes, Index top) const = 0;
};

// `most` of the numbers 0 .. count - 1, or all if there are fewer, spread evenly.
std::vector<Index> spread(Index count, Index most);

// People in memory, numbered from 0: the searcher's, with a photo of each (N_H x people).
class SearcherCrowd final : public Crowd {
 public:
  // Keeps references.
  SearcherCrowd(const Searcher& searcher, const Matrix& photos);

  Index people() const override { return searcher_.people(); }
  std::vector<Index> some(Index count) const override { return spread(people(), count); }
  Matrix photos(const std::vector<Index>& people) const override;
  Matrix distances(const MatrixRef& probes, const std::vector<Index>& people) const override;
  Matches nearest(const MatrixRef& probes, Index top) const override;

 private:
  const Searcher& searcher_;
  const Matrix& photos_;
};

// The people on these photos (N_H x n, one each), enrolled and laid out for searching.
std::unique_ptr<Searcher> enrol_photos(const Recognizer& recognizer, const Extender& extender,
                                       const MatrixRef& photos_high);

}  // namespace longshot
