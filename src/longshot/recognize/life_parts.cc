// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/life_parts.h"

#include "longshot/core/parallel.h"
#include "longshot/recognize/plda.h"

namespace longshot {
namespace {

// Beside the network: of gradients, and of a face network (docs/results.md, "With a face network").
constexpr double kGradientShare = 0.3;
constexpr double kFaceNetworkShare = 1.5;
// Of all, where the probes are known to be of the gallery's day, or of another (docs/results.md,
// "Which day").
constexpr double kSameDayWeight = 0.4;
constexpr double kOtherDayWeight = 2.5;

}  // namespace

double life_weight_on(Days days) {
  switch (days) {
    case Days::kSame:
      return kSameDayWeight;
    case Days::kOther:
      return kOtherDayWeight;
    case Days::kAsked:
      return 0.0;
    case Days::kUnknown:
      break;
  }
  return 1.0;
}

std::vector<LifePart> life_parts(const FaceGeometry& geometry, double weight) {
  std::vector<LifePart> parts = {
      {kLifeParts[0], LifeSpace(geometry, network_table()), weight},
      {kLifeParts[1], LifeSpace(geometry, gradient_table()), kGradientShare * weight}};
  if (has_face_network_for(geometry.low)) {
    parts.push_back(
        {kLifeParts[2], LifeSpace(geometry, face_network_table()), kFaceNetworkShare * weight});
  }
  return parts;
}

Matrix life_evidence(const FaceGeometry& geometry, const std::vector<const PersonImages*>& people,
                     const Matrix& probes) {
  Matrix sum = Matrix::Zero(static_cast<Index>(people.size()), probes.cols());
  for (const LifePart& part : life_parts(geometry, 1.0)) {
    std::vector<Vector> coefficients(people.size());
    parallel_for(static_cast<Index>(people.size()), [&](Index i) {
      const auto k = static_cast<std::size_t>(i);
      coefficients[k] = plda_person(part.space.between(), part.space.coordinates(*people[k]));
    });
    PldaPeople known(part.space.between().size());
    for (const Vector& person : coefficients) known.add(person);
    sum += part.weight * known.log_ratios(part.space.coordinates(probes));
  }
  return sum;
}

}  // namespace longshot
