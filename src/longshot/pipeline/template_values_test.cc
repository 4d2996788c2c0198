// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/template_values.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(TemplateValues, ComeBackInSinglePrecision) {
  const Template person{{Matrix::Random(3, 5), Matrix(0, 4), Matrix::Random(1, 1)}};
  const Template back = template_of(template_values(person));
  ASSERT_EQ(back.parts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(back.parts[i].rows(), person.parts[i].rows());
    ASSERT_EQ(back.parts[i].cols(), person.parts[i].cols());
    EXPECT_EQ(back.parts[i], person.parts[i].cast<float>().cast<double>());
  }
}

TEST(TemplateValues, DamageIsAnError) {
  std::vector<float> values = template_values({{Matrix::Ones(3, 5), Matrix::Ones(2, 2)}});
  for (std::size_t size = 0; size < values.size(); ++size) {
    EXPECT_THROW(template_of(std::span(values).first(size)), Error) << size;
  }
  for (const float bad : {-1.0F, 0.5F, 1e30F, 16777216.0F, 4.0F}) {
    for (std::size_t at = 0; at < 5; ++at) {
      std::vector<float> damaged = values;
      damaged[at] = bad;
      EXPECT_THROW(template_of(damaged), Error) << bad << " at " << at;
    }
  }
}

}  // namespace
}  // namespace longshot
