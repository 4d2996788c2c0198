// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "longshot/longshot.h"

#include "terminal_text.h"

namespace longshot::cli {
namespace {

constexpr std::string_view kAnyFile = "*";

// Where the words before the last one have led.
struct Place {
  const CLI::App* app = nullptr;
  const CLI::Option* open = nullptr;  // an option whose value may come next
  bool needs_value = false;           // and must
  bool only_positionals = false;      // after "--"
  std::size_t positionals = 0;        // given so far
  std::string gallery;                // of --gallery
};

// An option of the command, or of one that it lies in.
const CLI::Option* find_option(const CLI::App* app, const std::string& name) {
  for (; app != nullptr; app = app->get_parent()) {
    if (const CLI::Option* option = app->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

void open_option(Place& place, const CLI::Option* option) {
  const bool takes_values = option != nullptr && option->get_items_expected_max() > 0;
  place.open = takes_values ? option : nullptr;
  place.needs_value = takes_values && option->get_items_expected_min() > 0;
}

void give_value(Place& place, const std::string& value) {
  if (place.open->get_name() == "--gallery") place.gallery = value;
  if (place.open->get_items_expected_max() <= 1) place.open = nullptr;
  place.needs_value = false;
}

void follow(Place& place, const std::string& word) {
  const bool dashed = word.starts_with("-") && !place.only_positionals;
  if (word == "=") return;  // which bash makes a word of its own
  if (place.open != nullptr && (place.needs_value || !dashed)) return give_value(place, word);
  if (word == "--") {
    place.only_positionals = true;
  } else if (dashed) {
    const std::size_t equals = word.find('=');
    open_option(place, find_option(place.app, word.substr(0, equals)));
    if (place.open != nullptr && equals != std::string::npos) {
      give_value(place, word.substr(equals + 1));
      place.open = nullptr;
    }
  } else if (const CLI::App* command = find_command(*place.app, word)) {
    place.app = command;
    place.positionals = 0;
  } else {
    ++place.positionals;
  }
}

const CLI::Option* positional(const Place& place) {
  std::vector<const CLI::Option*> all =
      place.app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (all.empty()) return nullptr;
  if (place.positionals < all.size()) return all[place.positionals];
  return all.back()->get_items_expected_max() > 1 ? all.back() : nullptr;
}

// The one gallery of the working folder; "" if there are none or several.
std::string gallery_here() {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    if (entry.path().extension() != ".gallery") continue;
    if (!found.empty()) return "";
    found = entry.path().string();
  }
  return found;
}

// Of the gallery that was named, or of the one that is there.
std::vector<std::string> names_of_people(const std::string& named) {
  std::vector<std::string> names;
  try {
    const std::string gallery = named.empty() ? gallery_here() : named;
    if (gallery.empty()) return names;
    for (const Person& person : Gallery::open(gallery, Access::read).people()) {
      names.push_back(person.name);
    }
  } catch (const std::exception&) {
    // A folder or gallery that cannot be read has nobody to propose.
  }
  return names;
}

// What an option may be set to, and the pattern of files that it may name.
struct Values {
  std::vector<std::string> texts;
  std::string_view files;
};

Values values_of(const CLI::Option& option, const Place& place) {
  const std::string name = option.get_name();
  if (name == "--method" || name == "--methods") return {method_names(), ""};
  if (name == "--protocol") return {protocol_names(), ""};
  if (name == "--gallery" || name == "gallery") return {{}, "*.gallery"};
  if (name == "--camera") return {{"auto", "none"}, "*.camera"};
  if (name == "--model") return {{}, "*.model"};
  if (name == "--detector" || name == "--embedding") return {{}, "*.onnx"};
  if (name == "--person" || name == "name") return {names_of_people(place.gallery), ""};
  const std::vector<std::string> choices = choices_of(option);
  if (!choices.empty()) return {choices, ""};
  const std::string type = option.get_type_name();
  const bool number = type.starts_with("INT") || type.starts_with("UINT") ||
                      type.starts_with("FLOAT") || name == "new_name";
  return {{}, number ? "" : kAnyFile};
}

void propose_values(Completion& completion, const CLI::Option& option, const Place& place,
                    const std::string& beginning) {
  const Values values = values_of(option, place);
  completion.files = values.files;
  // Of a list, the last part.
  const std::size_t comma =
      option.get_delimiter() == ',' ? beginning.rfind(',') : std::string::npos;
  const std::string kept = comma == std::string::npos ? "" : beginning.substr(0, comma + 1);
  for (const std::string& text : values.texts) {
    if ((kept + text).starts_with(beginning)) completion.words.push_back({kept + text, ""});
  }
}

void propose_options(Completion& completion, const Place& place, const std::string& beginning) {
  for (const CLI::App* app = place.app; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      const std::string name = option->get_name();
      if (!option->nonpositional() || option->get_group().empty()) continue;
      if (!name.starts_with(beginning)) continue;
      completion.words.push_back({name, option->get_description()});
    }
    if (!app->get_fallthrough()) break;
  }
}

void propose_commands(Completion& completion, const Place& place, const std::string& beginning) {
  for (const CLI::App* command : place.app->get_subcommands({})) {
    if (command->get_group().empty() || !command->get_name().starts_with(beginning)) continue;
    completion.words.push_back({command->get_name(), command->get_description()});
  }
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // "TEXT:{none,folder}"
  const std::size_t from = type.find('{');
  const std::size_t to = type.find('}', from);
  std::vector<std::string> choices;
  if (from == std::string::npos || to == std::string::npos) return choices;
  for (std::string& part : CLI::detail::split(type.substr(from + 1, to - from - 1), ',')) {
    choices.push_back(part.substr(0, part.find("->")));  // a name and what it stands for
  }
  return choices;
}

Completion complete(const CLI::App& app, const std::vector<std::string>& words) {
  Place place;
  place.app = &app;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) follow(place, words[i]);
  const std::string last = words.empty() || words.back() == "=" ? "" : words.back();
  Completion completion;
  const bool dashed = last.starts_with("-") && !place.only_positionals;
  if (place.open != nullptr && (place.needs_value || !dashed)) {
    propose_values(completion, *place.open, place, last);
  } else if (dashed) {
    propose_options(completion, place, last);
  } else if (!place.app->get_subcommands({}).empty()) {
    propose_commands(completion, place, last);
  } else if (const CLI::Option* option = positional(place)) {
    propose_values(completion, *option, place, last);
  }
  return completion;
}

std::string to_text(const Completion& completion) {
  std::string text;
  for (const Completion::Word& word : completion.words) {
    text += fmt::format("{}\t{}\n", shown(word.text), first_line(word.meaning));
  }
  if (!completion.files.empty()) text += fmt::format("files\t{}\n", completion.files);
  return text;
}

}  // namespace longshot::cli
