// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace longshot::cli {

struct Completion {
  struct Word {
    std::string text;
    std::string meaning;
  };
  std::vector<Word> words;
  std::string files;  // files of this pattern will do as well, "*" any; empty: none
};

// What the last of the words may become; the others precede it on the command line, the program's
// name left out. It follows from the commands and their options as they are.
Completion complete(const CLI::App& app, const std::vector<std::string>& words);

// For the scripts of the shells: one word, tab and meaning a line; a line "files", tab and pattern.
std::string to_text(const Completion& completion);

// The texts among which an option chooses, as its help shows them in braces; empty if it is free.
std::vector<std::string> choices_of(const CLI::Option& option);

}  // namespace longshot::cli
