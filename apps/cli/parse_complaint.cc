// SPDX-License-Identifier: Apache-2.0
#include "parse_complaint.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace longshot::cli {
namespace {

// How many letters have to be left out, put in, replaced or swapped with their neighbour
// (Damerau's distance, each pair of letters swapped at most once).
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  std::iota(edits[0].begin(), edits[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    edits[i][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  return edits[a.size()][b.size()];
}

// The one that may have been meant, or "".
std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t fewest = 2 + word.size() / 4;
  for (const std::string& name : names) {
    const std::size_t edits = edits_between(word, name);
    if (edits < fewest) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest;
}

std::string with_nearest(std::string sentence, const std::string& nearest) {
  if (!nearest.empty()) sentence += fmt::format("; did you mean {}?", nearest);
  return sentence;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* level = &app; level != nullptr; level = level->get_parent()) {
    for (const CLI::Option* option : level->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    if (!level->get_fallthrough()) break;
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

// The program, the command, and the part of the command that were understood.
std::string name_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name()
                                     : name_of(*app.get_parent()) + " " + app.get_name();
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word.starts_with("-");
}

// What was not understood at this level, or further down; "" if everything was.
std::string unknown_word(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  const std::vector<std::string> commands = command_names(app);
  const auto command = std::ranges::find_if_not(words, is_option);
  if (!commands.empty() && app.get_subcommands().empty() && command != words.end()) {
    return with_nearest(fmt::format("{} has no command {}", name_of(app), *command),
                        nearest_name(*command, commands));
  }
  if (const auto option = std::ranges::find_if(words, is_option); option != words.end()) {
    const std::string name = option->substr(0, option->find('='));
    return with_nearest(fmt::format("{} has no option {}", name_of(app), name),
                        nearest_name(name, option_names(app)));
  }
  for (const CLI::App* below : app.get_subcommands()) {
    if (std::string found = unknown_word(*below); !found.empty()) return found;
  }
  return "";
}

}  // namespace

std::string parse_complaint(const CLI::App& app, const CLI::ParseError& error) {
  std::string sentence = unknown_word(app);
  if (sentence.empty()) sentence = error.what();
  if (!sentence.ends_with('?')) sentence += '.';
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return fmt::format("{} Try: {} {}--help", sentence, app.get_name(),
                     chosen.empty() ? "" : chosen[0]->get_name() + " ");
}

}  // namespace longshot::cli
