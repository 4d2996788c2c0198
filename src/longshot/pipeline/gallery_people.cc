// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_people.h"

#include <algorithm>

#include "longshot/core/error.h"
#include "longshot/pipeline/gallery_index.h"

namespace longshot {

std::vector<Person> FilePeople::first_from(const std::vector<PersonId>& ids) const {
  std::vector<Person> found;
  for (const PersonId id : ids) {
    for (Person& person : gallery_.people({id}, 1)) found.push_back(std::move(person));
  }
  return found;
}

std::vector<Person> FilePeople::with_ids(const std::vector<PersonId>& ids) const {
  std::vector<Person> found;
  for (const PersonId id : ids) {
    if (std::optional<Person> person = gallery_.person(id)) found.push_back(*std::move(person));
  }
  std::ranges::sort(found, {}, &Person::id);
  return found;
}

Matrix FilePeople::first_faces(const std::vector<PersonId>& ids, Size high) const {
  Matrix faces(high.pixels(), static_cast<Index>(ids.size()));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Matrix photos = photos_of(gallery_, ids[i], high);
    if (photos.cols() == 0) {
      throw Error("Somebody in {} has no photo, or was removed meanwhile.", name());
    }
    faces.col(static_cast<Index>(i)) = photos.col(0);
  }
  return faces;
}

std::vector<PersonId> some_people(const GalleryPeople& people, Index count) {
  const PersonId last = people.last_id();
  std::vector<PersonId> from;
  for (Index k = 0; k < count; ++k) from.push_back(1 + last * k / count);
  std::vector<Person> chosen = people.first_from(from);
  const auto same = [](const Person& a, const Person& b) { return a.id == b.id; };
  chosen.erase(std::unique(chosen.begin(), chosen.end(), same), chosen.end());
  // So that what is learnt from them does not depend on who was enrolled first.
  std::ranges::sort(chosen, {}, &Person::name);
  std::vector<PersonId> ids;
  for (const Person& person : chosen) ids.push_back(person.id);
  return ids;
}

}  // namespace longshot
