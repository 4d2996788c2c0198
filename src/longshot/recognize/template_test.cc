// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/template.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(TemplateValues, ComeBackInSinglePrecision) {
  const std::vector<std::string> names = {"first", "nothing", "number"};
  const Template person{{{names[0], Matrix::Random(3, 5)},
                         {names[1], Matrix(0, 4)},
                         {names[2], Matrix::Random(1, 1)}}};
  const Template back = template_of(template_values(person), names);
  ASSERT_EQ(back.parts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const Matrix& own = person.part(names[i]);
    ASSERT_EQ(back.part(names[i]).rows(), own.rows());
    ASSERT_EQ(back.part(names[i]).cols(), own.cols());
    EXPECT_EQ(back.part(names[i]), own.cast<float>().cast<double>());
  }
}

TEST(TemplateValues, DamageIsAnError) {
  std::vector<float> values =
      template_values({{{"a", Matrix::Ones(3, 5)}, {"b", Matrix::Ones(2, 2)}}});
  const std::vector<std::string> names = {"a", "b"};
  for (std::size_t size = 0; size < values.size(); ++size) {
    EXPECT_THROW(template_of(std::span(values).first(size), names), Error) << size;
  }
  for (const float bad : {-1.0F, 0.5F, 1e30F, 16777216.0F, 4.0F}) {
    for (std::size_t at = 0; at < 5; ++at) {
      std::vector<float> damaged = values;
      damaged[at] = bad;
      EXPECT_THROW(template_of(damaged, names), Error) << bad << " at " << at;
    }
  }
}

TEST(TemplateValues, PartsHaveNamesAndSizes) {
  const Template person{{{"basis", Matrix::Random(3, 5)}, {"mean", Matrix::Random(3, 1)}}};
  EXPECT_EQ(person.part("mean").cols(), 1);
  EXPECT_THROW(person.part("samples"), Error);
  const std::vector<float> values = template_values(person);
  EXPECT_THROW(StoredParts(values, 3), Error);
  StoredParts parts(values, 2);
  const MatrixView basis = parts.next("basis", 3);
  EXPECT_EQ(basis.values, values.data() + 5);  // where it lies
  EXPECT_EQ(basis.map(), person.part("basis").cast<float>());
  EXPECT_THROW(parts.next("mean", 3, 2), Error);
  EXPECT_EQ(parts.next("mean", 3, 1).map(), person.part("mean").cast<float>());
}

}  // namespace
}  // namespace longshot
