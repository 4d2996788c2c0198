// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/image/image.h"

namespace longshot {

// The enrolled people as one thread sees them: of one file, or of all shards of a folder. Ids mean
// the same in both.
class GalleryPeople {
 public:
  virtual ~GalleryPeople() = default;

  virtual std::string name() const = 0;            // of the file or folder
  virtual const GalleryStore& common() const = 0;  // holds settings, training people and models
  virtual Index count() const = 0;
  virtual PersonId last_id() const = 0;  // 0 without people
  // In order of id, at most `limit`.
  virtual std::vector<Person> people(IdRange range, Index limit) const = 0;
  // For each id the first person from there on, passing over ids where there is none.
  virtual std::vector<Person> first_from(const std::vector<PersonId>& ids) const = 0;
  // In order of id, passing over ids that nobody has.
  virtual std::vector<Person> with_ids(const std::vector<PersonId>& ids) const = 0;
  virtual std::optional<Person> find(const std::string& name) const = 0;
  // The first photo of each, N_H x n. Throws Error where one has none or one of another size.
  virtual Matrix first_faces(const std::vector<PersonId>& ids, Size high) const = 0;
  // Of all people, the share that can be searched: 1 unless shards are missing.
  virtual double coverage() const { return 1.0; }
};

// Of one file, which must outlive it.
class FilePeople final : public GalleryPeople {
 public:
  explicit FilePeople(const GalleryStore& gallery) : gallery_(gallery) {}

  std::string name() const override { return gallery_.path().string(); }
  const GalleryStore& common() const override { return gallery_; }
  Index count() const override { return gallery_.person_count(); }
  PersonId last_id() const override { return gallery_.last_person_id(); }
  std::vector<Person> people(IdRange range, Index limit) const override {
    return gallery_.people(range, limit);
  }
  std::vector<Person> first_from(const std::vector<PersonId>& ids) const override;
  std::vector<Person> with_ids(const std::vector<PersonId>& ids) const override;
  std::optional<Person> find(const std::string& name) const override {
    return gallery_.find_person(name);
  }
  Matrix first_faces(const std::vector<PersonId>& ids, Size high) const override;

 private:
  const GalleryStore& gallery_;
};

// At most `count` of the enrolled people, spread evenly over them, in the order of their names.
std::vector<PersonId> some_people(const GalleryPeople& people, Index count);
inline std::vector<PersonId> some_people(const GalleryStore& gallery, Index count) {
  return some_people(FilePeople(gallery), count);
}

}  // namespace longshot
