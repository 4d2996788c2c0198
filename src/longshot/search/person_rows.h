// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/core/parallel.h"

namespace longshot {

// Numbers of all people in single precision, one person after the other, and of what shape those of
// each person are. They lie in segments of some hundred people that never change once they are
// made: copies share them, and changing one person makes one segment anew.
template <typename Shape>
class PersonRows {
 public:
  Index people() const { return static_cast<Index>(entries_.size()); }
  const Shape& shape(Index person) const { return entries_[at(person)].shape; }
  const float* of(Index person) const { return entries_[at(person)].values; }
  Index bytes() const {
    Index bytes = 0;
    for (const Segment& segment : segments_) bytes += segment.bytes;
    return bytes;
  }

  // Calls body(begin, end, values) for ranges that cover people [first, last), whose numbers follow
  // each other.
  template <typename Body>
  void for_each_run(Index first, Index last, const Body& body) const {
    while (first < last) {
      Index end = first + 1;
      while (end < last && of(end) == of(end - 1) + entries_[at(end - 1)].count) ++end;
      body(first, end, of(first));
      first = end;
    }
  }

  // People [first, last) make way for `count` others: the i-th has values(i) numbers, which
  // pack(i, where) writes and says the shape of. Both are called by several threads at once.
  void replace(Index first, Index last, Index count, const std::function<Index(Index)>& values,
               const std::function<Shape(Index, float*)>& pack);

 private:
  struct Entry {
    const float* values = nullptr;
    Index count = 0;
    Shape shape;
  };
  struct Segment {
    std::shared_ptr<const float> values;
    Index people = 0;
    Index bytes = 0;
  };
  static constexpr Index kPeople = 256;  // of a segment at most
  static constexpr std::align_val_t kCacheLine{64};

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  static std::shared_ptr<float> room(Index count) {
    const auto bytes = at(std::max<Index>(count, 1)) * sizeof(float);
    return {static_cast<float*>(::operator new(bytes, kCacheLine)),
            [](float* values) { ::operator delete(values, kCacheLine); }};
  }

  std::vector<Entry> entries_;
  std::vector<Segment> segments_;  // which cover the people in their order
};

template <typename Shape>
void PersonRows<Shape>::replace(Index first, Index last, Index count,
                                const std::function<Index(Index)>& values,
                                const std::function<Shape(Index, float*)>& pack) {
  assert(0 <= first && first <= last && last <= people());
  if (first == last && count == 0) return;
  // Segments [from, to), of people [begin, end), are made anew: all that are touched, or the one
  // before a place where people only come, if it has room.
  std::size_t from = 0;
  Index begin = 0;
  while (from < segments_.size() && (begin + segments_[from].people < first ||
                                     (begin + segments_[from].people == first &&
                                      (first < last || segments_[from].people == kPeople)))) {
    begin += segments_[from++].people;
  }
  std::size_t to = from;
  Index end = begin;
  while (to < segments_.size() && end < last) end += segments_[to++].people;

  const Index before = first - begin;
  const Index total = before + count + (end - last);
  std::vector<Entry> entries(at(total));
  const Index pieces = (total + kPeople - 1) / kPeople;
  std::vector<Segment> segments(at(pieces));
  parallel_for(pieces, [&](Index piece) {
    const Index stop = total * (piece + 1) / pieces;
    const Index start = total * piece / pieces;
    Index needed = 0;
    for (Index k = start; k < stop; ++k) {
      Entry& entry = entries[at(k)];
      const bool added = k >= before && k < before + count;
      if (!added) entry = entries_[at(k < before ? begin + k : k - before - count + last)];
      if (added) entry.count = values(k - before);
      needed += entry.count;
    }
    const std::shared_ptr<float> made = room(needed);
    float* next = made.get();
    for (Index k = start; k < stop; ++k) {
      Entry& entry = entries[at(k)];
      if (entry.values != nullptr) {
        std::copy_n(entry.values, entry.count, next);
      } else {
        entry.shape = pack(k - before, next);
      }
      entry.values = next;
      next += entry.count;
    }
    segments[at(piece)] = {made, stop - start, needed * static_cast<Index>(sizeof(float))};
  });
  const auto splice = [](auto& list, std::size_t left, std::size_t right, const auto& middle) {
    const auto place = list.erase(list.begin() + static_cast<std::ptrdiff_t>(left),
                                  list.begin() + static_cast<std::ptrdiff_t>(right));
    list.insert(place, middle.begin(), middle.end());
  };
  splice(entries_, at(begin), at(end), entries);
  splice(segments_, from, to, segments);
}

}  // namespace longshot
