// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "longshot/core/error.h"
#include "longshot/core/private_file.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_index.h"

#include "commands.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PeopleArguments {
  std::string gallery;
  std::string json;
  std::string name;
  std::string new_name;
  PhotoId photo = 0;  // 0: the whole person
};

// The text for people, the document for programs.
struct Answer {
  std::string text;
  Json document;
};

Error no_such_person(const PeopleArguments& arguments) {
  return Error("There is no person named \"{}\" in {}.", arguments.name, arguments.gallery);
}

Answer list_people(const PeopleArguments& arguments) {
  const GalleryStore gallery(arguments.gallery, GalleryStore::Access::kRead);
  Answer answer;
  answer.document["people"] = Json::array();
  answer.text = fmt::format("{:<22}{:>6}  {}\n", "enrolled", "photos", "name");
  for (const Person& person : gallery.people()) {
    answer.document["people"].push_back(
        {{"name", person.name}, {"photos", person.photos}, {"enrolled_at", person.enrolled_at}});
    answer.text += fmt::format("{:<22}{:>6}  {}\n", person.enrolled_at, person.photos, person.name);
  }
  return answer;
}

Json photo_document(const Photo& photo) {
  Json document = {{"id", photo.id},         {"added_at", photo.added_at},
                   {"source", photo.source}, {"size", fmt::format("{}x{}", photo.rows, photo.cols)},
                   {"eyes", nullptr},        {"quality", photo.quality}};
  if (photo.eyes) document["eyes"] = *photo.eyes;
  return document;
}

std::string photo_line(const Photo& photo) {
  std::string line = fmt::format("{:<6}{:<22}{:>8}  {}", photo.id, photo.added_at,
                                 fmt::format("{}x{}", photo.rows, photo.cols), shown(photo.source));
  for (const auto& [name, figure] : photo.quality) line += fmt::format("  {} {:.3g}", name, figure);
  return line + "\n";
}

Answer show_person(const PeopleArguments& arguments) {
  const GalleryStore gallery(arguments.gallery, GalleryStore::Access::kRead);
  const GallerySnapshot snapshot(gallery);
  const std::optional<Person> person = gallery.find_person(arguments.name);
  if (!person) throw no_such_person(arguments);
  Answer answer;
  answer.document = {
      {"name", person->name}, {"enrolled_at", person->enrolled_at}, {"photos", Json::array()}};
  answer.text = fmt::format("{}, enrolled {}\n", person->name, person->enrolled_at);
  for (const Photo& photo : gallery.photos(person->id)) {
    answer.document["photos"].push_back(photo_document(photo));
    answer.text += photo_line(photo);
  }
  return answer;
}

Answer rename_person(const PeopleArguments& arguments) {
  GalleryStore gallery(arguments.gallery, GalleryStore::Access::kWrite);
  gallery.rename_person(arguments.name, arguments.new_name);
  return {fmt::format("{} is now {}.\n", arguments.name, arguments.new_name),
          {{"renamed", arguments.name}, {"name", arguments.new_name}}};
}

Answer remove_person(const PeopleArguments& arguments) {
  GalleryStore gallery(arguments.gallery, GalleryStore::Access::kWrite);
  if (arguments.photo == 0) {
    if (!gallery.remove_person(arguments.name)) throw no_such_person(arguments);
  } else if (!remove_photo(gallery, arguments.name, arguments.photo)) {
    throw Error("{} has no photo with the id {}.", arguments.name, arguments.photo);
  }
  if (gallery.erasure_pending()) {
    spdlog::warn(
        "Another program still reads the gallery as it was; what is removed is erased from the "
        "disk when that ends.");
  }
  if (arguments.photo == 0) {
    return {fmt::format("{} is removed.\n", arguments.name), {{"removed", arguments.name}}};
  }
  return {fmt::format("A photo of {} is removed.\n", arguments.name),
          {{"removed", arguments.name}, {"photo", arguments.photo}}};
}

void deliver(const Answer& answer, const std::string& json) {
  // The paths of photos need not be UTF-8.
  const auto dump = [&] {
    return answer.document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  };
  if (json == "-") return print_result(dump());
  if (!json.empty()) write_private_file(json, dump());
  print_result(answer.text);
}

using Run = Answer (*)(const PeopleArguments&);

}  // namespace

Action add_people(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<PeopleArguments>();
  PeopleArguments& a = *arguments;
  CLI::App* command =
      add_command(app, "people", "List, show, rename and remove the people of a gallery.",
                  "longshot people remove \"Ada Lovelace\" --gallery people.gallery");
  command->require_subcommand(1);
  command->add_option("--gallery", a.gallery, "The gallery")->required();
  command->add_option("--json", a.json, "Write the answer as JSON to FILE, or to stdout")
      ->expected(0, 1)
      ->default_str("-");
  const auto add_part = [&](const std::string& name, const std::string& what,
                            const std::string& example) {
    CLI::App* part = add_command(*command, name, what, fmt::format("longshot people {}", example));
    part->fallthrough();
    return part;
  };
  std::vector<std::pair<CLI::App*, Run>> parts;
  parts.emplace_back(
      add_part("list", "Everyone, in order of enrolment.", "list --gallery people.gallery"),
      list_people);
  parts.emplace_back(add_part("show", "One person and their photos.",
                              "show \"Ada Lovelace\" --gallery people.gallery"),
                     show_person);
  parts.emplace_back(add_part("rename", "Give a person another name.",
                              "rename Ada \"Ada Lovelace\" --gallery people.gallery"),
                     rename_person);
  parts.emplace_back(add_part("remove", "Erase a person with all photos and templates.",
                              "remove \"Ada Lovelace\" --gallery people.gallery"),
                     remove_person);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[i].first->add_option("name", a.name, "The person")->required();
  }
  parts[2].first->add_option("new_name", a.new_name, "The new name")->required();
  parts[3]
      .first->add_option("--photo", a.photo, "Only the photo of this id, which \"show\" tells")
      ->check(CLI::PositiveNumber);
  return [arguments, parts] {
    const auto chosen =
        std::ranges::find_if(parts, [](const auto& part) { return part.first->parsed(); });
    const Answer answer = chosen->second(*arguments);
    if (chosen->second == rename_person || chosen->second == remove_person) {
      return after_change([&] { deliver(answer, arguments->json); });
    }
    deliver(answer, arguments->json);
    return kDone;
  };
}

}  // namespace longshot::cli
