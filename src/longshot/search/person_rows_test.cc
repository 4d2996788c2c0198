// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/person_rows.h"

#include <numeric>

#include <gtest/gtest.h>

#include "longshot/core/random.h"

namespace longshot {
namespace {

// Person n has n % 5 + 1 numbers, all of them n, and the shape n.
using NumberRows = PersonRows<int>;

void replace(NumberRows& rows, Index first, Index last, const std::vector<int>& others) {
  rows.replace(
      first, last, static_cast<Index>(others.size()),
      [&](Index i) { return Index{others[static_cast<std::size_t>(i)] % 5 + 1}; },
      [&](Index i, float* values) {
        const int person = others[static_cast<std::size_t>(i)];
        std::fill_n(values, person % 5 + 1, static_cast<float>(person));
        return person;
      });
}

void expect_people(const NumberRows& rows, const std::vector<int>& people) {
  ASSERT_EQ(rows.people(), static_cast<Index>(people.size()));
  Index bytes = 0;
  for (std::size_t i = 0; i < people.size(); ++i) {
    const auto at = static_cast<Index>(i);
    ASSERT_EQ(rows.shape(at), people[i]);
    for (int k = 0; k <= people[i] % 5; ++k) {
      ASSERT_EQ(rows.of(at)[k], static_cast<float>(people[i]));
    }
    bytes += 4 * (people[i] % 5 + 1);
  }
  EXPECT_EQ(rows.bytes(), bytes);
}

std::vector<int> numbers(int first, int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), first);
  return list;
}

TEST(PersonRows, AnyChangeLeavesTheOthersAsTheyWere) {
  NumberRows rows;
  std::vector<int> people = numbers(0, 1500);
  replace(rows, 0, 0, people);
  Random random(1);
  int next = 1500;
  for (int step = 0; step < 200; ++step) {
    const auto first = static_cast<Index>(random.below(static_cast<Index>(people.size()) + 1));
    const Index last = std::min(rows.people(), first + random.below(4) * random.below(150));
    const std::vector<int> others = numbers(next, static_cast<int>(random.below(3)) * step);
    next += static_cast<int>(others.size());
    replace(rows, first, last, others);
    const auto place = people.erase(people.begin() + first, people.begin() + last);
    people.insert(place, others.begin(), others.end());
    expect_people(rows, people);
  }
}

TEST(PersonRows, ACopySharesAllButTheSegmentThatChanges) {
  NumberRows rows;
  replace(rows, 0, 0, numbers(0, 2000));
  NumberRows copy = rows;
  replace(copy, 1000, 1001, {});
  replace(copy, copy.people(), copy.people(), {5000});
  std::vector<int> people = numbers(0, 2000);
  expect_people(rows, people);
  people.erase(people.begin() + 1000);
  people.push_back(5000);
  expect_people(copy, people);
  Index shared = 0;
  for (Index i = 0; i < 2000; ++i) {
    if (i != 1000) shared += rows.of(i) == copy.of(i < 1000 ? i : i - 1) ? 1 : 0;
  }
  EXPECT_GE(shared, 2000 - 2 * 256);
  EXPECT_LT(shared, 2000);
}

TEST(PersonRows, PeopleAddedOneByOneLieTogether) {
  NumberRows rows;
  for (int i = 0; i < 300; ++i) replace(rows, i, i, {i});
  expect_people(rows, numbers(0, 300));
  Index neighbours = 0;
  for (Index i = 1; i < 300; ++i) {
    neighbours += rows.of(i) == rows.of(i - 1) + (i - 1) % 5 + 1 ? 1 : 0;
  }
  EXPECT_GE(neighbours, 297);
}

// Everybody in a range exactly once, and next to each other within a run.
TEST(PersonRows, RunsCoverARange) {
  NumberRows rows;
  replace(rows, 0, 0, numbers(0, 1000));
  Index next = 100;
  rows.for_each_run(100, 900, [&](Index begin, Index end, const float* values) {
    EXPECT_EQ(begin, next);
    for (Index i = begin; i < end; ++i) {
      EXPECT_EQ(values, rows.of(i));
      values += i % 5 + 1;
    }
    next = end;
  });
  EXPECT_EQ(next, 900);
  rows.for_each_run(5, 5, [](Index, Index, const float*) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace longshot
