// SPDX-License-Identifier: Apache-2.0
#include "manual.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "longshot/longshot.h"

#include "completion.h"

namespace longshot::cli {
namespace {

constexpr const char* kExitStatus = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
Done, but some inputs were rejected: each is named on standard error with its reason.
.TP
2
Nothing was done: wrong usage, or a file that cannot be used.
)";

// Text for troff: dashes stay dashes, and no line is taken for a request.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\n') {
      out += "\n.br\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// "longshot people remove"
std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

std::string page_name(const CLI::App& app) {
  std::string name = full_name(app);
  std::ranges::replace(name, ' ', '-');
  return name;
}

// What stands for the value of an option: its choices, or its type.
std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::vector<std::string> choices = choices_of(option);
  const std::string type = option.get_type_name();
  std::string value = type.substr(0, type.find_first_of(": "));
  if (!choices.empty()) value = fmt::format("{}", fmt::join(choices, "|"));
  if (option.get_items_expected_min() == 0) value = "[" + value + "]";
  return value;
}

std::string option_entry(const CLI::Option& option) {
  const bool positional = option.get_positional();
  const std::string name = option.get_name(positional, true);
  std::string entry = fmt::format(".TP\n\\f{}{}\\fR", positional ? 'I' : 'B', escaped(name));
  if (!positional && !value_of(option).empty()) {
    entry += fmt::format(" \\fI{}\\fR", escaped(value_of(option)));
  }
  entry += "\n" + escaped(option.get_description());
  const bool is_json = name == "--json";  // whose default is where its lack of a file leads
  if (option.get_required()) entry += " (required)";
  if (!option.get_default_str().empty() && !is_json) {
    entry += fmt::format(" (default: {})", escaped(option.get_default_str()));
  }
  return entry + "\n";
}

std::string option_entries(const CLI::App& app, bool positional) {
  std::string entries;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() != positional || option->get_group().empty()) continue;
    entries += option_entry(*option);
  }
  return entries;
}

std::string synopsis(const CLI::App& app) {
  std::string line = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", escaped(full_name(app)));
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const bool many = option->get_items_expected_max() > 1;
    line += fmt::format(" \\fI{}\\fR{}", escaped(option->get_name()), many ? "..." : "");
  }
  if (!app.get_subcommands({}).empty()) line += " \\fICOMMAND\\fR";
  return line + "\n";
}

std::string example(const CLI::App& app) {
  if (app.get_footer().empty()) return "";
  return fmt::format(".PP\n.nf\n.RS\n{}\n.RE\n.fi\n", escaped(app.get_footer()));
}

bool is_hidden(const CLI::App& app) {
  return app.get_group().empty();
}

// The commands of the program have pages of their own; those of a group are told in full here.
std::string commands(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (is_hidden(*command)) continue;
    if (app.get_parent() == nullptr) {
      text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", escaped(page_name(*command)),
                          escaped(command->get_description()));
      continue;
    }
    text +=
        fmt::format(".SS {}\n{}.PP\n{}\n{}{}{}", escaped(command->get_name()), synopsis(*command),
                    escaped(command->get_description()), option_entries(*command, true),
                    option_entries(*command, false), example(*command));
  }
  return text.empty() ? text : ".SH COMMANDS\n" + text;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  const bool program = app.get_parent() == nullptr;
  const std::string description = app.get_description();
  std::string what = description.substr(0, description.find('\n'));
  while (what.ends_with('.')) what.pop_back();
  std::string page = fmt::format(
      ".TH {} 1 \"\" \"longshot {}\" \"longshot\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
      escaped(upper(page_name(app))), version(), escaped(page_name(app)), escaped(what),
      synopsis(app));
  page += fmt::format(".SH DESCRIPTION\n{}\n", escaped(description));
  if (!app.get_footer().empty()) page += ".SH EXAMPLE\n" + example(app);
  const std::string positionals = option_entries(app, true);
  if (!positionals.empty()) page += ".SH ARGUMENTS\n" + positionals;
  page += ".SH OPTIONS\n" + option_entries(app, false) + commands(app) + kExitStatus;
  if (!program) page += ".SH SEE ALSO\n.BR longshot (1)\n";
  return page;
}

void write_manual(const CLI::App& app, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_file(folder / (page_name(app) + ".1"), manual_page(app));
  for (const CLI::App* command : app.get_subcommands({})) {
    if (is_hidden(*command)) continue;
    write_file(folder / (page_name(*command) + ".1"), manual_page(*command));
  }
}

}  // namespace longshot::cli
