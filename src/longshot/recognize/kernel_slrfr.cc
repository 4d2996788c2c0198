// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/kernel_slrfr.h"

#include <utility>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/recognize/block_searcher.h"
#include "longshot/recognize/matrix_searcher.h"
#include "longshot/recognize/tune.h"
#include "longshot/search/kernel_block.h"
#include "longshot/sparse/subspace.h"

namespace longshot {
namespace {

// Stand-ins for a user without training people: the median squared distance between unit-norm
// images of different synthetic people, which hardly depends on the resolution.
constexpr double kUsualMedian = 0.1;

// RBF kernels with all atoms, the default.
class RbfSearcher final : public BlockSearcher<KernelBlock, KernelRows> {
 public:
  RbfSearcher(const FeatureSpace& space, double c)
      : BlockSearcher(space, KernelBlock(space.dimensions(), c)) {}

  std::unique_ptr<Searcher> copy() const override { return std::make_unique<RbfSearcher>(*this); }

 private:
  KernelRows read(StoredTemplate stored) const override {
    StoredParts parts(stored, 3);
    const MatrixView samples = parts.next("samples", space().dimensions());
    const MatrixView projection = parts.next("projection", samples.cols);
    const MatrixView sums = parts.next("sums", 2, 1);
    if (projection.cols < 1) refuse_template();
    return {samples, projection, sums.values[0], sums.values[1]};
  }
};

// Any kernel, and probes coded with some of the atoms only.
class KernelSearcher final : public MatrixSearcher {
 public:
  KernelSearcher(FeatureSpace space, const Kernel& kernel, Index test_sparsity)
      : MatrixSearcher(part_names(test_sparsity)),
        space_(std::move(space)),
        kernel_(kernel),
        test_sparsity_(test_sparsity) {}

  Index people() const override { return static_cast<Index>(people_.size()); }

  Matrix distances(const MatrixRef& probes) const override {
    check_probes(probes, space_.pixels(), people());
    if (probes.cols() == 0) return Matrix(people(), 0);
    const Matrix features = space_.features(probes);
    const Vector energies = kernel_diagonal(kernel_, features);
    Matrix result(people(), probes.cols());
    parallel_for(people(), [&](Index i) {
      const Template& person = people_[static_cast<std::size_t>(i)];
      const Matrix cross = kernel_cross(kernel_, person.part("samples"), features);
      result.row(i) =
          (test_sparsity_ == 0
               ? kernel_squared_residuals(person.part("projection"), cross, energies)
               : komp_squared_residuals(person.part("coefficients"), person.part("atoms' gram"),
                                        cross, energies, test_sparsity_))
              .transpose();
    });
    for (Index j = 0; j < result.cols(); ++j) {
      if (features.col(j).isZero(0.0) || !(energies(j) > 0.0)) {
        result.col(j).setOnes();
      } else {
        result.col(j) /= energies(j);
      }
    }
    return result;
  }

 private:
  static std::vector<std::string> part_names(Index test_sparsity) {
    if (test_sparsity == 0) return {"samples", "projection"};
    return {"samples", "coefficients", "atoms' gram"};
  }
  void check(const Template& person) const override {
    if (person.part("samples").rows() != space_.dimensions()) refuse_template();
  }
  void add_checked(const Template& person) override { people_.push_back(person); }

  FeatureSpace space_;
  Kernel kernel_;
  Index test_sparsity_;
  std::vector<Template> people_;
};

// The width in units of the training people's median distance.
double absolute_width(const Matrix& features, const std::vector<int>& subjects, double width) {
  return width *
         (features.cols() == 0 ? kUsualMedian : median_squared_distance(features, subjects));
}

// Between any two columns.
double mean_squared_distance(const Matrix& features) {
  const Vector mean = features.rowwise().mean();
  return 2.0 * (features.colwise() - mean).squaredNorm() / static_cast<double>(features.cols());
}

// Ordered by preference: fewer atoms, wider kernels first.
std::vector<KernelSlrfrOptions> candidates(const KernelSlrfrOptions& base) {
  std::vector<KernelSlrfrOptions> list;
  for (const Index atoms : {9, 12}) {
    for (const double low_width : {64.0, 32.0, 16.0, 8.0, 4.0}) {
      for (const double high_width : {32.0, 8.0}) {
        KernelSlrfrOptions candidate = base;
        candidate.tune = false;
        candidate.dictionary.atoms = atoms;
        candidate.low_width = low_width;
        candidate.high_width = high_width;
        list.push_back(candidate);
        if (!base.joint) break;
      }
    }
  }
  return list;
}

}  // namespace

void KernelSlrfrOptions::check() const {
  low.check();
  if (whitening) whitening->check();
  high.check();
  dictionary.check();
  if (!(low_width > 0.0)) throw Error("low_width must be positive, not {}.", low_width);
  if (!(high_width > 0.0)) throw Error("high_width must be positive, not {}.", high_width);
  if (test_sparsity < 0) throw Error("test_sparsity must be 0 or more, not {}.", test_sparsity);
}

KernelSlrfr::KernelSlrfr(const KernelSlrfrOptions& options)
    : options_(options), settings_(options) {
  options_.check();
}

void KernelSlrfr::learn(const TrainingSet& training) {
  training.check();
  settings_ = tuned<KernelSlrfr>(training, options_, candidates);
  const Matrix low = training.photos_low();
  low_space_ = settings_.whitening ? learn_whitened_space(training, *settings_.whitening)
                                   : FeatureSpace::learn(low, settings_.low);
  if (settings_.dictionary.atoms >= low_space_.dimensions()) {
    throw Error("{} atoms are too many for {} dimensions; use fewer atoms or a larger size.",
                settings_.dictionary.atoms, low_space_.dimensions());
  }
  low_kernel_ = {settings_.kernel, 1.0, settings_.degree};
  if (settings_.whitening && training.empty()) {
    const Matrix faces =
        low_space_.features(training.extender->degrade(representative_photos(training)));
    low_kernel_.c = settings_.low_width * mean_squared_distance(faces);
  } else {
    low_kernel_.c =
        absolute_width(low_space_.features(low), training.subjects, settings_.low_width);
  }
  if (!settings_.joint) return;
  const Matrix high = training.empty() ? Matrix(training.extender->geometry().high.pixels(), 0)
                                       : training.photos_high;
  high_space_ = FeatureSpace::learn(high, settings_.high);
  high_kernel_ = {
      settings_.kernel,
      absolute_width(high_space_.features(high), training.subjects, settings_.high_width),
      settings_.degree};
}

Template KernelSlrfr::enrol(const PersonImages& person) const {
  if (person.relit_low.cols() == 0) throw Error("There is no image to enrol.");
  const Matrix samples = low_space_.features(person.relit_low);
  const Matrix gram = kernel_gram(low_kernel_, samples);
  Matrix coefficients;
  if (settings_.joint) {
    const Matrix high_gram = kernel_gram(high_kernel_, high_space_.features(person.relit_high));
    coefficients = learn_joint_dictionary(high_gram, gram, settings_.dictionary).low;
  } else {
    coefficients = learn_kernel_dictionary(gram, settings_.dictionary).coefficients;
  }
  if (settings_.test_sparsity > 0) {
    return {{{"samples", samples},
             {"coefficients", coefficients},
             {"atoms' gram", coefficients.transpose() * gram * coefficients}}};
  }
  const Matrix projection = kernel_projection(coefficients, gram);
  if (low_kernel_.kind != KernelKind::kRbf) {
    return {{{"samples", samples}, {"projection", projection}}};
  }
  const KernelPerson own = make_kernel_person(samples, projection);
  return {{{"samples", own.samples},
           {"projection", own.projection},
           {"sums", Eigen::Vector2d(own.sum, own.rest)}}};
}

std::unique_ptr<Searcher> KernelSlrfr::make_searcher() const {
  if (settings_.test_sparsity == 0 && low_kernel_.kind == KernelKind::kRbf) {
    return std::make_unique<RbfSearcher>(low_space_, low_kernel_.c);
  }
  return std::make_unique<KernelSearcher>(low_space_, low_kernel_, settings_.test_sparsity);
}

ModelState KernelSlrfr::state() const {
  ModelState state;
  state.set_space("low", low_space_);
  state.set_number("low_c", low_kernel_.c);
  if (settings_.joint) {
    state.set_space("high", high_space_);
    state.set_number("high_c", high_kernel_.c);
    state.set_number("lambda", settings_.dictionary.lambda);
  }
  state.set_number("atoms", static_cast<double>(settings_.dictionary.atoms));
  state.set_number("sparsity", static_cast<double>(settings_.dictionary.sparsity));
  return state;
}

void KernelSlrfr::restore(const ModelState& state) {
  low_space_ = state.space("low");
  low_kernel_ = {settings_.kernel, state.number("low_c"), settings_.degree};
  low_kernel_.check();
  if (settings_.joint) {
    high_space_ = state.space("high");
    high_kernel_ = {settings_.kernel, state.number("high_c"), settings_.degree};
    high_kernel_.check();
    settings_.dictionary.lambda = state.number("lambda");
  }
  settings_.dictionary.atoms = state.count("atoms", 1, low_space_.dimensions() - 1);
  settings_.dictionary.sparsity = state.count("sparsity", 1, 1000);
  settings_.check();
}

}  // namespace longshot
