// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/tile.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "longshot/search/random_values_test.h"

namespace longshot {
namespace {

std::vector<const TileKernels*> all_kernels() {
  std::vector<const TileKernels*> kernels = {&portable_tile_kernels()};
  if (avx2_tile_kernels() != nullptr) kernels.push_back(avx2_tile_kernels());
  return kernels;
}

std::vector<float> packed(const Matrix& rows) {
  std::vector<float> values(static_cast<std::size_t>(rows.size()));
  pack_panels(rows, values.data());
  return values;
}

struct Problem {
  Matrix rows;    // depth x rows
  Matrix probes;  // depth x kTileProbes
  std::vector<float> panels;
  std::vector<float> tile;

  Problem(Index row_count, Index depth)
      : rows(in_single_precision(random_values(depth, row_count, 1))),
        probes(in_single_precision(random_values(depth, kTileProbes, 2))),
        panels(packed(rows)) {
    for (Index t = 0; t < depth; ++t) {
      for (Index j = 0; j < kTileProbes; ++j) tile.push_back(static_cast<float>(probes(t, j)));
    }
  }
  Panels view() const { return {panels.data(), rows.cols(), rows.rows()}; }
};

TEST(Panels, HoldRowsCoordinateByCoordinate) {
  Matrix rows(2, 5);
  rows << 1, 2, 3, 4, 5,  //
      6, 7, 8, 9, 10;
  EXPECT_EQ(packed(rows), (std::vector<float>{1, 2, 3, 4, 6, 7, 8, 9, 5, 10}));
}

TEST(Panels, AreUnpackedAsTheyWere) {
  for (Index rows = 1; rows <= 9; ++rows) {
    const Problem problem(rows, 3);
    EXPECT_EQ(unpack_panels(problem.view()), problem.rows);
  }
}

TEST(TileKernels, EqualProductsInDoublePrecision) {
  for (const TileKernels* kernels : all_kernels()) {
    for (Index rows = 1; rows <= 9; ++rows) {
      for (Index depth = 1; depth <= 13; ++depth) {
        SCOPED_TRACE(fmt::format("{}: {} rows of depth {}", kernels->name, rows, depth));
        const Problem problem(rows, depth);
        const Matrix expected = problem.rows.transpose() * problem.probes;
        std::vector<float> out(static_cast<std::size_t>(rows * kTileProbes + 1), 77.0F);
        kernels->products(problem.view(), problem.tile.data(), out.data());
        for (Index r = 0; r < rows; ++r) {
          for (Index j = 0; j < kTileProbes; ++j) {
            EXPECT_NEAR(out[static_cast<std::size_t>(r * kTileProbes + j)], expected(r, j), 1e-5);
          }
        }
        EXPECT_EQ(out.back(), 77.0F);  // nothing was written beyond the end

        std::vector<float> largest(static_cast<std::size_t>(kTileProbes));
        kernels->largest_products(problem.view(), problem.tile.data(), largest.data());
        for (Index j = 0; j < kTileProbes; ++j) {
          EXPECT_NEAR(largest[static_cast<std::size_t>(j)], expected.col(j).maxCoeff(), 1e-5);
        }

        std::vector<float> sums(static_cast<std::size_t>(kTileProbes));
        kernels->sums_of_squares(problem.view(), problem.tile.data(), sums.data());
        for (Index j = 0; j < kTileProbes; ++j) {
          EXPECT_NEAR(sums[static_cast<std::size_t>(j)], expected.col(j).squaredNorm(), 2e-4);
        }

        std::vector<float> spread;
        for (Index t = 0; t < depth; ++t) {
          spread.insert(spread.end(), kPanelRows, static_cast<float>(problem.probes(t, 5)));
        }
        std::vector<float> one(static_cast<std::size_t>(rows + 1), 77.0F);
        kernels->row_products(problem.view(), spread.data(), one.data());
        for (Index r = 0; r < rows; ++r) {
          EXPECT_NEAR(one[static_cast<std::size_t>(r)], expected(r, 5), 1e-5);
        }
        EXPECT_EQ(one.back(), 77.0F);
      }
    }
  }
}

TEST(TileKernels, AddProductsOfRowsThatLieApart) {
  for (const TileKernels* kernels : all_kernels()) {
    for (Index rows = 1; rows <= 9; ++rows) {
      for (const Index depth : {1, 7, 31, 32, 33, 70}) {
        SCOPED_TRACE(fmt::format("{}: {} rows of depth {}", kernels->name, rows, depth));
        const Problem problem(rows, depth);
        const MatrixF apart =
            (Matrix(depth + 3, rows) << problem.rows, Matrix::Constant(3, rows, 9))
                .finished()
                .cast<float>();
        const PlainRows plain{apart.data(), rows, depth, depth + 3};
        const Matrix expected = problem.rows.transpose() * problem.probes;
        std::vector<float> out(static_cast<std::size_t>(rows * kTileProbes + 1), 2.0F);
        kernels->add_products(plain, problem.tile.data(), out.data());
        EXPECT_EQ(out.back(), 2.0F);
        const VectorF probe = problem.probes.col(5).cast<float>();
        std::vector<float> one(static_cast<std::size_t>(rows + 1), 2.0F);
        kernels->add_row_products(plain, probe.data(), one.data());
        EXPECT_EQ(one.back(), 2.0F);
        for (Index r = 0; r < rows; ++r) {
          for (Index j = 0; j < kTileProbes; ++j) {
            EXPECT_NEAR(out[static_cast<std::size_t>(r * kTileProbes + j)], 2.0 + expected(r, j),
                        1e-4);
          }
          EXPECT_NEAR(one[static_cast<std::size_t>(r)], 2.0 + expected(r, 5), 1e-4);
        }
      }
    }
  }
}

TEST(TileKernels, SumOverCodes) {
  for (const TileKernels* kernels : all_kernels()) {
    for (const Index count : {1, 12}) {
      const Problem problem(2, count);  // weights and others, and the codes
      const MatrixF factors = problem.rows.cast<float>();
      std::vector<float> out(static_cast<std::size_t>(3 * kTileProbes));
      kernels->code_sums(problem.tile.data(), count, factors.data(), factors.data() + count,
                         out.data());
      const Matrix squares = problem.probes.cwiseAbs2();
      Matrix expected(3, kTileProbes);
      expected << problem.rows.col(0).transpose() * squares, squares.colwise().sum(),
          problem.rows.col(1).transpose() * problem.probes;
      for (Index i = 0; i < 3 * kTileProbes; ++i) {
        EXPECT_NEAR(out[static_cast<std::size_t>(i)], expected(i / kTileProbes, i % kTileProbes),
                    1e-5)
            << kernels->name;
      }
    }
  }
}

TEST(TileKernels, ExponentialsAreRightToTheirLastDigits) {
  for (const TileKernels* kernels : all_kernels()) {
    std::vector<float> arguments;
    for (float x = kLeastExponent; x <= kMostExponent; x += 0.37F) arguments.push_back(x);
    std::vector<float> values = arguments;
    kernels->exponentials(values.data(), static_cast<Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = std::exp(static_cast<double>(arguments[i]));
      EXPECT_NEAR(values[i], expected, 3e-7 * expected) << kernels->name << " " << arguments[i];
    }
    std::vector<float> beyond = {-1e30F, 1e30F, kLeastExponent, kMostExponent, std::nanf("")};
    kernels->exponentials(beyond.data(), static_cast<Index>(beyond.size()));
    EXPECT_EQ(beyond[0], beyond[2]) << kernels->name;
    EXPECT_EQ(beyond[1], beyond[3]) << kernels->name;
    EXPECT_TRUE(std::isnan(beyond[4])) << kernels->name;
  }
}

TEST(TileKernels, ExponentialsKeepTheirDigitsNearZero) {
  for (const TileKernels* kernels : all_kernels()) {
    SCOPED_TRACE(kernels->name);
    std::vector<float> arguments;
    for (double x = -1e-30; x > -100.0; x *= 1.01) arguments.push_back(static_cast<float>(x));
    std::vector<float> values = arguments;
    kernels->exponentials_minus_one(values.data(), static_cast<Index>(values.size()), 0.5F);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = std::expm1(0.5 * static_cast<double>(arguments[i]));
      EXPECT_NEAR(values[i], expected, 3e-7 * std::abs(expected)) << arguments[i];
    }
  }
}

TEST(TileKernels, ExponentialsTakeRoundingAboveZeroForZero) {
  for (const TileKernels* kernels : all_kernels()) {
    std::vector<float> values = {1e-6F, 0.0F, 3.0F, -1e30F};
    kernels->exponentials_minus_one(values.data(), 4, 1.0F);
    EXPECT_EQ(values, (std::vector<float>{0.0F, 0.0F, 0.0F, -1.0F})) << kernels->name;
  }
}

TEST(TileKernels, TellWhichValuesAreBelowTheirLimits) {
  for (const TileKernels* kernels : all_kernels()) {
    std::vector<float> values(static_cast<std::size_t>(kTileProbes), 1.0F);
    std::vector<float> limits(static_cast<std::size_t>(kTileProbes), 1.0F);
    EXPECT_EQ(kernels->below(values.data(), limits.data()), 0U) << kernels->name;
    values[0] = 0.5F;
    limits[9] = 2.0F;
    limits[23] = 1.5F;
    values[4] = std::nanf("");
    EXPECT_EQ(kernels->below(values.data(), limits.data()), 1U | 1U << 9 | 1U << 23);
  }
}

}  // namespace
}  // namespace longshot
