// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/open_index.h"

#include <algorithm>
#include <utility>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// An index up to this size is read once and kept.
constexpr Index kKeptBytes = Index{2} << 30;

// People [first, last) of an older index, by position, make way for others.
struct Change {
  std::size_t first = 0;
  std::size_t last = 0;
  std::vector<PhotosMark> others;
};

std::vector<Change> changes_between(const std::vector<PhotosMark>& before,
                                    const std::vector<PhotosMark>& now) {
  std::vector<Change> changes;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < now.size()) {
    if (i < before.size() && j < now.size() && before[i] == now[j]) {
      ++i;
      ++j;
      continue;
    }
    if (changes.empty() || changes.back().last != i) changes.push_back({i, i, {}});
    const bool gone = j == now.size() || (i < before.size() && before[i].person <= now[j].person);
    const bool come = i == before.size() || (j < now.size() && now[j].person <= before[i].person);
    if (come) changes.back().others.push_back(now[j++]);
    if (gone) changes.back().last = ++i;
  }
  return changes;
}

template <typename List, typename Others>
void replace(List& list, const Change& change, const Others& others) {
  const auto place = list.erase(list.begin() + static_cast<std::ptrdiff_t>(change.first),
                                list.begin() + static_cast<std::ptrdiff_t>(change.last));
  list.insert(place, others.begin(), others.end());
}

// Nothing where the method cannot, or templates came or went without a change of photos.
std::shared_ptr<OpenIndex> changed(const GalleryStore& gallery, const GalleryModel& model,
                                   const OpenIndex& before, const std::vector<PhotosMark>& now) {
  if (!before.block.searcher) return nullptr;
  std::unique_ptr<Searcher> searcher = before.block.searcher->copy();
  if (!searcher) return nullptr;
  auto index = std::make_shared<OpenIndex>(before);
  const std::vector<Change> changes = changes_between(before.marks, now);
  // From the last, so that the positions of those before it still hold.
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    std::vector<std::vector<float>> templates;
    std::vector<PhotosMark> marks;
    std::vector<PersonId> people;
    for (const PhotosMark& mark : change->others) {
      std::optional<std::vector<float>> values = gallery.find_template(model.key, mark.person);
      if (!values) continue;
      templates.push_back(std::move(*values));
      marks.push_back(mark);
      people.push_back(mark.person);
    }
    searcher->replace(static_cast<Index>(change->first), static_cast<Index>(change->last),
                      std::vector<StoredTemplate>(templates.begin(), templates.end()));
    replace(index->marks, *change, marks);
    replace(index->block.people, *change, people);
  }
  if (searcher->people() != gallery.template_count(model.key)) return nullptr;
  index->block.searcher = std::move(searcher);
  return index;
}

std::vector<PhotosMark> marks_of(const std::vector<PersonId>& people,
                                 const std::vector<PhotosMark>& all) {
  std::vector<PhotosMark> marks;
  marks.reserve(people.size());
  auto mark = all.begin();
  for (const PersonId person : people) {
    mark = std::find_if(mark, all.end(), [&](const PhotosMark& m) { return m.person >= person; });
    const bool known = mark != all.end() && mark->person == person;
    marks.push_back(known ? *mark : PhotosMark{person, 0, 0});
  }
  return marks;
}

}  // namespace

std::shared_ptr<const OpenIndex> open_index(const GalleryStore& gallery, const GalleryModel& model,
                                            const std::shared_ptr<const OpenIndex>& before) {
  const std::int64_t revision = gallery.revision();
  if (before && before->revision == revision) return before;
  const std::optional<std::int64_t> number = gallery.find_index(model.key);
  if (gallery.template_count(model.key) == 0 && gallery.person_count() > 0) {
    throw Error("The index \"{}\" was removed from {} meanwhile; try again.", model.key,
                gallery.path().string());
  }
  const std::vector<PhotosMark> marks = gallery.photos_marks();
  std::shared_ptr<OpenIndex> index;
  if (before && before->number == number) index = changed(gallery, model, *before, marks);
  if (!index) {
    index = std::make_shared<OpenIndex>();
    index->number = number.value_or(0);
    if (index_bytes(gallery, model) <= kKeptBytes) {
      index->block = read_index(gallery, model);
      index->marks = marks_of(index->block.people, marks);
    }
  }
  index->revision = revision;
  return index;
}

}  // namespace longshot
