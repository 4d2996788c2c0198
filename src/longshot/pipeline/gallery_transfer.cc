// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_transfer.h"

#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/private_file.h"
#include "longshot/dataset/manifest.h"
#include "longshot/dataset/sample_reader.h"
#include "longshot/gallery/new_path.h"
#include "longshot/image/image_io.h"
#include "longshot/pipeline/enroller.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_setup.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr Index kPeoplePerRound = 500;

std::string dataset_document(const FaceFrame& frame) {
  const nlohmann::ordered_json document = {
      {"aligned", true},
      {"eyes", {frame.eyes.left.x, frame.eyes.left.y, frame.eyes.right.x, frame.eyes.right.y}},
      {"aspect", frame.aspect}};
  return document.dump() + "\n";
}

template <typename Visit>
void for_each_person(const GalleryStore& gallery, const Visit& visit) {
  IdRange range;
  while (true) {
    const std::vector<Person> people = gallery.people(range, kPeoplePerRound);
    if (people.empty()) return;
    for (const Person& person : people) visit(person);
    range.first = people.back().id + 1;
  }
}

void copy_setup(const GalleryStore& from, GalleryStore& to) {
  const GallerySetup setup = setup_of(from);
  const std::optional<GallerySetup> there = find_setup(to);
  if (!there) return write_setup(to, setup);
  if (there->high != setup.high || there->frame != setup.frame || there->op != setup.op ||
      there->profile != setup.profile) {
    throw Error("The faces of {} are {}, cut out otherwise than the {} of {}.",
                from.path().string(), to_string(setup.high), to_string(there->high),
                to.path().string());
  }
}

std::vector<std::string> complete_indexes(const GalleryStore& gallery) {
  std::vector<std::string> keys = gallery.index_keys();
  std::erase_if(keys, [&](const std::string& key) {
    return gallery.template_count(key) != gallery.person_count() || !gallery.index_data(key) ||
           !gallery.model(key);
  });
  return keys;
}

// What the indexes need beside their templates.
void copy_models(const GalleryStore& from, const std::vector<std::string>& keys, GalleryStore& to) {
  // The training people first: what was learnt without them would be forgotten.
  if (const auto training = find_training(from)) set_training(to, *training);
  for (const std::string& key : keys) {
    to.put_model(key, from.model(key).value());
    to.set_index_data(key, from.index_data(key).value());
  }
}

void check_same_models(const GalleryStore& from, const GalleryStore& to) {
  bool same = holds_templates_only(to) && from.index_keys().size() == to.index_keys().size();
  for (const std::string& key : from.index_keys()) same = same && from.model(key) == to.model(key);
  if (same) return;
  throw Error(
      "{} holds templates without photos, which only a new gallery can take, or one with "
      "the same models.",
      from.path().string());
}

// People and templates. Who is there already stays as they are.
TransferReport copy_templates(const GalleryStore& from, const std::vector<std::string>& keys,
                              GalleryStore& to, Progress& progress) {
  TransferReport report;
  ProgressScope scope(progress, "Copying templates", from.person_count());
  for_each_person(from, [&](const Person& person) {
    scope.advance();
    if (to.find_person(person.name)) {
      report.rejections.push_back({person.name, "Somebody has that name already."});
      return;
    }
    const PersonId id = to.add_person(person.name);
    for (const std::string& key : keys) {
      to.put_template(key, id, from.find_template(key, person.id).value());
    }
    ++report.people;
  });
  return report;
}

// Adds the photos of one person; true if there are new ones.
bool copy_photos(const GalleryStore& from, const Person& person, GalleryStore& to,
                 TransferReport& report) {
  std::optional<Person> there = to.find_person(person.name);
  const Index before = report.photos;
  if (person.photos == 0) report.rejections.push_back({person.name, "There is no photo."});
  for (const Photo& photo : from.photos(person.id)) {
    if (const auto owner = to.find_photo_owner(photo.content_hash)) {
      report.rejections.push_back(
          {person.name, fmt::format("A photo is already there, of {}.", owner->name)});
      continue;
    }
    if (!there) {
      to.add_person(person.name);
      there = to.find_person(person.name);
      ++report.people;
    }
    to.add_photo(there->id, photo);
    ++report.photos;
  }
  return report.photos > before;
}

TransferReport import_gallery(GalleryStore& gallery, const GalleryStore& from, Progress& progress) {
  if (from.person_count() == 0) throw Error("Nobody is in {}.", from.path().string());
  copy_setup(from, gallery);
  if (holds_templates_only(from)) {
    if (gallery.person_count() == 0 && gallery.index_keys().empty()) {
      copy_models(from, from.index_keys(), gallery);
      mark_templates_only(gallery);
    }
    check_same_models(from, gallery);
    return copy_templates(from, from.index_keys(), gallery, progress);
  }
  require_photos(gallery);
  TransferReport report;
  const std::vector<GalleryModel> models = all_models(gallery);
  const Size high = setup_of(gallery).high;
  ProgressScope scope(progress, "Importing", from.person_count());
  std::vector<PersonPhotos> changed;
  const auto index_changed = [&] {
    extend_indexes(gallery, models, changed);
    changed.clear();
  };
  for_each_person(from, [&](const Person& person) {
    scope.advance();
    if (!copy_photos(from, person, gallery, report)) return;
    const PersonId id = gallery.find_person(person.name)->id;
    changed.push_back({id, photos_of(gallery, id, high)});
    if (std::ssize(changed) == kPeoplePerRound) index_changed();
  });
  index_changed();
  return report;
}

TransferReport import_folder(GalleryStore& gallery, const fs::path& folder, Progress& progress) {
  const Dataset dataset = load_dataset(folder);
  if (!dataset.aligned || dataset.samples.empty()) {
    throw Error("{} is not a folder that was exported: enrol its photos instead.", folder.string());
  }
  if (!find_setup(gallery)) {
    const Image first = SampleReader().read(dataset.samples.front());
    GallerySetup setup;
    setup.frame = *dataset.aligned;
    setup.high = size_of(first);
    write_setup(gallery, setup);
  }
  EnrolOptions options;
  options.force = true;
  const EnrolReport report =
      enrol(gallery, list_inputs({dataset}, Role::kUnspecified), options, progress);
  return {report.people, report.photos, report.rejections};
}

}  // namespace

GalleryStore open_source(const fs::path& path, const GalleryKey::Shared& key,
                         GalleryStore::Access access) {
  try {
    return {path, access};
  } catch (const Error&) {
    if (!key) throw;
    return {path, access, {.key = key}};
  }
}

bool is_gallery_source(const fs::path& path) {
  std::error_code error;
  return !fs::is_directory(path, error) && path.extension() != ".csv";
}

TransferReport export_photos(const GalleryStore& gallery, const fs::path& folder,
                             Progress& progress) {
  require_photos(gallery);
  const GallerySnapshot snapshot(gallery);
  const GallerySetup setup = setup_of(gallery);
  NewFolder made(folder);
  fs::create_directory(made.path() / "faces");
  TransferReport report;
  std::vector<Sample> samples;
  ProgressScope scope(progress, "Writing photos", gallery.person_count());
  for_each_person(gallery, [&](const Person& person) {
    for (const Photo& photo : gallery.photos(person.id)) {
      Sample sample;
      sample.path = made.path() / "faces" / fmt::format("{:08}.png", photo.id);
      sample.subject = person.name;
      const Image face = face_of(photo).reshaped(photo.rows, photo.cols);
      write_private_file(sample.path, encode_image(face, ".png"));
      samples.push_back(std::move(sample));
    }
    ++report.people;
    scope.advance();
  });
  report.photos = std::ssize(samples);
  write_private_file(made.path() / "dataset.json", dataset_document(setup.frame));
  write_manifest(made.path() / "manifest.csv", samples);
  made.rename_into_place();
  return report;
}

TransferReport export_templates(const GalleryStore& gallery, const fs::path& file,
                                Progress& progress) {
  const GallerySnapshot snapshot(gallery);
  const std::vector<std::string> keys = complete_indexes(gallery);
  if (keys.empty()) {
    throw Error("{} has no index yet, and so no templates: identify somebody first.",
                gallery.path().string());
  }
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error))) {
    throw Error(ErrorKind::already_there, "Cannot write {}: it is there already.", file.string());
  }
  // Without a commit nobody is in the file, and it goes again.
  GalleryStore out(file, GalleryStore::Access::kCreate, {.key = gallery.key()});
  const DiscardUnused discard(out);
  GalleryTransaction transaction(out);
  copy_setup(gallery, out);
  copy_models(gallery, keys, out);
  mark_templates_only(out);
  TransferReport report = copy_templates(gallery, keys, out, progress);
  transaction.commit();
  return report;
}

TransferReport import_people(GalleryStore& gallery, const fs::path& from, Progress& progress) {
  // One transaction: killed in between, nothing has changed.
  GalleryTransaction transaction(gallery);
  TransferReport report;
  if (!is_gallery_source(from)) {
    report = import_folder(gallery, from, progress);
  } else {
    const GalleryStore other = open_source(from, gallery.key(), GalleryStore::Access::kRead);
    const GallerySnapshot snapshot(other);
    report = import_gallery(gallery, other, progress);
  }
  transaction.commit();
  return report;
}

}  // namespace longshot
