// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/crowd.h"

#include <algorithm>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {

std::vector<Index> spread(Index count, Index most) {
  const Index taken = std::min(count, most);
  std::vector<Index> chosen;
  for (Index k = 0; k < taken; ++k) chosen.push_back(k * count / taken);
  return chosen;
}

SearcherCrowd::SearcherCrowd(const Searcher& searcher, const Matrix& photos)
    : searcher_(searcher), photos_(photos) {
  if (photos_.cols() != searcher_.people()) {
    throw Error("There are photos of {} people, but {} are enrolled.", photos_.cols(),
                searcher_.people());
  }
}

Matrix SearcherCrowd::photos(const std::vector<Index>& people) const {
  return photos_(Eigen::all, people);
}

Matrix SearcherCrowd::distances(const MatrixRef& probes, const std::vector<Index>& people) const {
  return searcher_.distances(probes)(people, Eigen::all);
}

Matches SearcherCrowd::nearest(const MatrixRef& probes, Index top) const {
  return searcher_.search(probes, top);
}

std::unique_ptr<Searcher> enrol_photos(const Recognizer& recognizer, const Extender& extender,
                                       const MatrixRef& photos_high) {
  std::vector<Template> people(static_cast<std::size_t>(photos_high.cols()));
  parallel_for(photos_high.cols(), [&](Index i) {
    people[static_cast<std::size_t>(i)] = recognizer.enrol(extender.extend(photos_high.col(i)));
  });
  std::unique_ptr<Searcher> searcher = recognizer.make_searcher();
  searcher->add_all(people);
  return searcher;
}

}  // namespace longshot
