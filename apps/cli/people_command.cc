// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "longshot/gallery.h"

#include "commands.h"
#include "key_options.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PeopleArguments {
  std::string gallery;
  KeyArguments key;
  std::string json;
  std::string name;
  std::string new_name;
  std::int64_t photo = 0;  // 0: the whole person
};

// For people and for programs.
struct Reply {
  std::string text;
  std::string document;
};

std::string text_of(const Json& document) {
  // Names need not be UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Reply list_people(const PeopleArguments& arguments) {
  const Gallery gallery = Gallery::open(arguments.gallery, Access::read, read_key(arguments.key));
  const std::vector<Person> people = gallery.people();
  std::string text = fmt::format("{:<22}{:>6}  {}\n", "enrolled", "photos", "name");
  for (const Person& person : people) {
    text += fmt::format("{:<22}{:>6}  {}\n", person.enrolled_at, person.photos, person.name);
  }
  return {text, to_json(people)};
}

std::string photo_line(const Photo& photo) {
  std::string line = fmt::format("{:<6}{:<22}{:>8}  {}", photo.id, photo.added_at,
                                 to_string(photo.size), shown(photo.source));
  for (const auto& [name, figure] : photo.quality) line += fmt::format("  {} {:.3g}", name, figure);
  return line + "\n";
}

Reply show_person(const PeopleArguments& arguments) {
  const Gallery gallery = Gallery::open(arguments.gallery, Access::read, read_key(arguments.key));
  const Person person = gallery.person(arguments.name);
  const std::vector<Photo> photos = gallery.photos(arguments.name);
  std::string text = fmt::format("{}, enrolled {}\n", person.name, person.enrolled_at);
  for (const Photo& photo : photos) text += photo_line(photo);
  return {text, to_json(person, photos)};
}

void warn_of_pending_erasure(const Gallery& gallery) {
  if (!gallery.erasure_pending()) return;
  spdlog::warn(
      "Another program still reads the gallery as it was; what is removed is erased from the "
      "disk when that ends.");
}

Reply rename_person(const PeopleArguments& arguments) {
  Gallery gallery = Gallery::open(arguments.gallery, Access::write, read_key(arguments.key));
  gallery.rename(arguments.name, arguments.new_name);
  return {fmt::format("{} is now {}.\n", arguments.name, arguments.new_name),
          text_of({{"renamed", arguments.name}, {"name", arguments.new_name}})};
}

Reply merge_people(const PeopleArguments& arguments) {
  Gallery gallery = Gallery::open(arguments.gallery, Access::write, read_key(arguments.key));
  gallery.merge(arguments.name, arguments.new_name);
  warn_of_pending_erasure(gallery);
  const Person person = gallery.person(arguments.new_name);
  return {fmt::format("{} is one person with {} now, of {} photos.\n", arguments.name, person.name,
                      person.photos),
          text_of({{"merged", arguments.name}, {"name", person.name}, {"photos", person.photos}})};
}

Reply remove_person(const PeopleArguments& arguments) {
  Gallery gallery = Gallery::open(arguments.gallery, Access::write, read_key(arguments.key));
  if (arguments.photo == 0) {
    gallery.remove(arguments.name);
  } else {
    gallery.remove_photo(arguments.name, arguments.photo);
  }
  warn_of_pending_erasure(gallery);
  if (arguments.photo == 0) {
    return {fmt::format("{} is removed.\n", arguments.name),
            text_of({{"removed", arguments.name}})};
  }
  return {fmt::format("A photo of {} is removed.\n", arguments.name),
          text_of({{"removed", arguments.name}, {"photo", arguments.photo}})};
}

using Run = Reply (*)(const PeopleArguments&);

bool changes_people(Run run) {
  return run == rename_person || run == merge_people || run == remove_person;
}

}  // namespace

Action add_people(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<PeopleArguments>();
  PeopleArguments& a = *arguments;
  CLI::App* command =
      add_command(app, "people", "List, show, rename, merge and remove the people of a gallery.",
                  "longshot people remove \"Ada Lovelace\" --gallery people.gallery");
  command->require_subcommand(1);
  command->add_option("--gallery", a.gallery, "The gallery")->required();
  add_key_options(*command, a.key);
  add_json_option(*command, a.json, "the answer");
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
                              "rename anna \"Anna Karenina\" --gallery people.gallery"),
                     rename_person);
  parts.emplace_back(add_part("remove", "Erase a person with all photos and templates.",
                              "remove \"Ada Lovelace\" --gallery people.gallery"),
                     remove_person);
  parts.emplace_back(add_part("merge", "Two names, one person: all photos go to the second.",
                              "merge \"A. Lovelace\" \"Ada Lovelace\" --gallery people.gallery"),
                     merge_people);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[i].first->add_option("name", a.name, "The person")->required();
  }
  parts[2].first->add_option("new_name", a.new_name, "The new name")->required();
  parts[4].first->add_option("into", a.new_name, "The name that stays")->required();
  parts[3]
      .first->add_option("--photo", a.photo, "Only the photo of this id, which \"show\" tells")
      ->check([](const std::string& id) {
        const bool digits = std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
        return digits && id.find_first_not_of('0') != std::string::npos
                   ? std::string()
                   : id + " is no id of a photo; \"show\" tells them";
      });
  return [arguments, parts] {
    const auto chosen =
        std::ranges::find_if(parts, [](const auto& part) { return part.first->parsed(); });
    const Reply reply = chosen->second(*arguments);
    const auto tell = [&] { deliver(reply.text, reply.document, arguments->json); };
    if (changes_people(chosen->second)) return after_change(tell);
    tell();
    return kDone;
  };
}

}  // namespace longshot::cli
