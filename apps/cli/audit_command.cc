// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <fmt/format.h>

#include "longshot/gallery.h"

#include "commands.h"
#include "key_options.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

struct AuditArguments {
  std::string gallery;
  KeyArguments key;
  AuditQuery query;
  std::string input;
  std::string json;
};

// The gallery of a log that is named instead of it.
std::string gallery_of(const std::string& path) {
  constexpr std::string_view kEnding = ".audit";
  const bool log = path.size() > kEnding.size() && path.ends_with(kEnding);
  return log ? path.substr(0, path.size() - kEnding.size()) : path;
}

Gallery open_gallery(const AuditArguments& arguments) {
  return Gallery::open(gallery_of(arguments.gallery), Access::read, read_key(arguments.key));
}

int verify_log(const AuditArguments& arguments) {
  const AuditVerdict verdict = open_gallery(arguments).verify_audit();
  std::string text = verdict.whole ? fmt::format("whole: {} lines", verdict.lines)
                                   : fmt::format("NOT WHOLE. {}", verdict.finding);
  if (verdict.whole && verdict.unconfirmed > 0) {
    text += fmt::format("; {} bytes after them are of an act that was not finished",
                        verdict.unconfirmed);
  }
  deliver(text + "\n", to_json(verdict), arguments.json);
  return verdict.whole ? kDone : kNothingDone;
}

std::string line_of(const AuditEntry& entry) {
  std::string line = fmt::format("{:<6} {}  {}  {}  revision {}", entry.number, entry.time,
                                 shown(entry.actor), shown(entry.act), entry.revision);
  for (const std::string& person : entry.people) line += "  " + shown(person);
  for (const auto& [name, figure] : entry.details) {
    line += fmt::format("  {} {}", shown(name), shown(figure));
  }
  if (!entry.inputs.empty()) line += fmt::format("  {} inputs", entry.inputs.size());
  if (entry.unconfirmed > 0) {
    line += fmt::format("  ({} lines before were not confirmed)", entry.unconfirmed);
  }
  return line + "\n";
}

int show_log(AuditArguments arguments) {
  const Gallery gallery = open_gallery(arguments);
  if (!arguments.input.empty()) {
    arguments.query.input = gallery.input_hash(Picture::file(arguments.input));
    if (arguments.query.input.empty()) {
      throw Error(ErrorKind::not_found, fmt::format("Cannot read {}.", arguments.input));
    }
  }
  const AuditPage page = gallery.audit(arguments.query);
  std::string text;
  for (const AuditEntry& entry : page.entries) text += line_of(entry);
  deliver(text, to_json(page), arguments.json);
  return kDone;
}

}  // namespace

Action add_audit(CLI::App& app, Context& /*context*/) {
  auto arguments = std::make_shared<AuditArguments>();
  AuditArguments& a = *arguments;
  CLI::App* group = add_command(app, "audit", "Show and verify who did what with a gallery.",
                                "longshot audit verify people.gallery");
  group->require_subcommand(1);
  add_json_option(*group, a.json, "the answer");
  const auto add = [&](const std::string& name, const std::string& what) {
    CLI::App* part =
        add_command(*group, name, what, fmt::format("longshot audit {} people.gallery", name));
    part->add_option("gallery", a.gallery, "The gallery file, or its log")->required();
    add_key_options(*part, a.key);
    part->fallthrough();
    return part;
  };
  const CLI::App* verified = add("verify", "Say whether no line was changed, moved or lost.");
  CLI::App* show = add("show", "The lines of the log, the newest first.");
  show->add_option("--last", a.query.limit, "How many lines")
      ->capture_default_str()
      ->check(CLI::Range(std::ptrdiff_t{1}, std::ptrdiff_t{100000}));
  show->add_option("--before", a.query.before, "Only lines before this number")
      ->check(CLI::PositiveNumber);
  show->add_option("--actor", a.query.actor, "Only what this user did");
  show->add_option("--act", a.query.act, "Only this act, such as identify");
  show->add_option("--person", a.query.person, "Only what was done with this person");
  show->add_option("--camera", a.query.camera,
                   "Only answers that rest on this camera: the name of its file, or auto");
  show->add_option("--input", a.input, "Only what was done with this picture file");
  return [arguments, verified] {
    return verified->parsed() ? verify_log(*arguments) : show_log(*arguments);
  };
}

}  // namespace longshot::cli
