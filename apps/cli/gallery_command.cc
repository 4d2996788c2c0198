// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/gallery.h"

#include "commands.h"
#include "key_options.h"
#include "sealing_command.h"
#include "shards_command.h"
#include "terminal_progress.h"
#include "terminal_text.h"

namespace longshot::cli {
namespace {

using UpkeepJson = nlohmann::ordered_json;

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;

struct UpkeepArguments {
  std::string gallery;
  KeyArguments key;
  std::string out;
  std::string from;
  std::int64_t cache_mb = CompactOptions().cache_bytes / kMegabyte;
  bool templates = false;
  std::string setting;
  std::string value;
  std::string json;
};

// For people and for programs.
struct UpkeepReply {
  std::string text;
  UpkeepJson document;
  std::vector<Rejection> rejections = {};
};

std::string megabytes(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / static_cast<double>(kMegabyte));
}

UpkeepReply check_gallery(const UpkeepArguments& arguments, const Context& context) {
  const Gallery gallery = Gallery::open(arguments.gallery, Access::read, read_key(arguments.key));
  const Checked found = gallery.check(TerminalProgress(context.quiet).callback());
  return {fmt::format("{} is whole: {} people, {} photos, {} indexes, {}\n", arguments.gallery,
                      found.people, found.photos, found.indexes, megabytes(found.bytes)),
          {{"whole", true},
           {"people", found.people},
           {"photos", found.photos},
           {"indexes", found.indexes},
           {"bytes", found.bytes}}};
}

UpkeepReply compact_gallery(const UpkeepArguments& arguments, const Context& context) {
  Gallery gallery = Gallery::open(arguments.gallery, Access::write, read_key(arguments.key));
  CompactOptions options;
  options.cache_bytes = arguments.cache_mb * kMegabyte;
  const Compacted done = gallery.compact(options, TerminalProgress(context.quiet).callback());
  std::string text = fmt::format("{} has {} now, {} before\n", arguments.gallery,
                                 megabytes(done.bytes_after), megabytes(done.bytes_before));
  for (const std::string& key : done.forgotten) {
    text += fmt::format("  the index {} is built anew when it is next needed\n", key);
  }
  return {text,
          {{"bytes_before", done.bytes_before},
           {"bytes_after", done.bytes_after},
           {"forgotten", done.forgotten}}};
}

UpkeepReply back_up_gallery(const UpkeepArguments& arguments, const Context& context) {
  const Gallery gallery = Gallery::open(arguments.gallery, Access::read, read_key(arguments.key));
  gallery.backup(arguments.out, TerminalProgress(context.quiet).callback());
  return {fmt::format("{} is a copy of {}, and was read once\n", arguments.out, arguments.gallery),
          {{"backup", arguments.out}}};
}

UpkeepReply export_gallery(const UpkeepArguments& arguments, const Context& context) {
  const Gallery gallery = Gallery::open(arguments.gallery, Access::read, read_key(arguments.key));
  const Transferred done =
      gallery.export_to(arguments.out, arguments.templates ? Share::templates : Share::photos,
                        TerminalProgress(context.quiet).callback());
  const std::string what =
      arguments.templates ? "templates without photos" : fmt::format("{} photos", done.photos);
  return {fmt::format("{} holds {} people, {}: treat it like the photos themselves\n",
                      arguments.out, done.people, what),
          {{"exported", arguments.out}, {"people", done.people}, {"photos", done.photos}}};
}

UpkeepReply import_gallery(const UpkeepArguments& arguments, const Context& context) {
  Gallery gallery = Gallery::open_or_create(arguments.gallery, read_key(arguments.key));
  const Transferred done =
      gallery.import_from(arguments.from, TerminalProgress(context.quiet).callback());
  return {fmt::format("{} of {} imported; {} now holds {}, {}\n",
                      counted(done.photos, "photo", "photos"),
                      counted(done.people, "new person", "new people"), arguments.gallery,
                      counted(gallery.person_count(), "person", "people"),
                      counted(gallery.photo_count(), "photo", "photos")),
          {{"imported", arguments.from}, {"people", done.people}, {"photos", done.photos}},
          done.rejections};
}

UpkeepReply set_gallery(const UpkeepArguments& arguments, const Context& /*context*/) {
  Gallery gallery = Gallery::open(arguments.gallery, Access::write, read_key(arguments.key));
  gallery.set_audit(arguments.value == "on");
  return {fmt::format("{}: {} is {}\n", arguments.gallery, arguments.setting, arguments.value),
          {{arguments.setting, arguments.value}}};
}

using UpkeepRun = UpkeepReply (*)(const UpkeepArguments&, const Context&);

struct UpkeepPart {
  CLI::App* command = nullptr;
  UpkeepRun run = nullptr;
};

std::vector<UpkeepPart> add_parts(CLI::App& group, UpkeepArguments& a) {
  std::vector<UpkeepPart> parts;
  const auto add = [&](const std::string& name, const std::string& what, const std::string& example,
                       UpkeepRun run) {
    CLI::App* part = add_command(group, name, what, "longshot gallery " + example);
    part->add_option("gallery", a.gallery, "The gallery file")->required();
    add_key_options(*part, a.key);
    part->fallthrough();
    parts.push_back({part, run});
    return part;
  };
  add("check", "Read everything and compare it with its checksums.", "check people.gallery",
      check_gallery);
  add("compact", "Make the file small; its answers stay the same.",
      "compact people.gallery --cache 0", compact_gallery)
      ->add_option("--cache", a.cache_mb,
                   "Megabytes that indexes may take; those that go are built anew when needed")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 30));
  add("backup", "Copy the gallery as it is now, while others go on writing.",
      "backup people.gallery --out copy.gallery", back_up_gallery)
      ->add_option("--out", a.out, "The new file")
      ->required();
  CLI::App* exported = add("export", "Write names and faces to a folder that every command reads.",
                           "export people.gallery --out people", export_gallery);
  exported->add_option("--out", a.out, "The new folder, or with --templates the new file")
      ->required();
  exported->add_flag("--templates", a.templates,
                     "A gallery without photos instead, which answers the same");
  add("import", "Add the people of another gallery or of an exported folder.",
      "import people.gallery --from other.gallery", import_gallery)
      ->add_option("--from", a.from, "The gallery or the folder")
      ->required();
  CLI::App* set = add("set", "Change a setting that the gallery keeps.",
                      "set people.gallery audit on", set_gallery);
  set->add_option("setting", a.setting, "audit: log every act beside the gallery")
      ->required()
      ->check(CLI::IsMember({"audit"}));
  set->add_option("value", a.value, "on or off")->required()->check(CLI::IsMember({"on", "off"}));
  return parts;
}

}  // namespace

Action add_gallery(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<UpkeepArguments>();
  CLI::App* group = add_command(
      app, "gallery", "Check, compact, back up, export, import, encrypt and split a gallery.",
      "longshot gallery backup people.gallery --out copy.gallery");
  group->require_subcommand(1);
  add_json_option(*group, arguments->json, "the answer");
  const std::vector<UpkeepPart> parts = add_parts(*group, *arguments);
  std::vector<std::pair<CLI::App*, Action>> others = add_sealing_parts(*group);
  for (auto& part : add_shards_parts(*group, context)) others.push_back(std::move(part));
  return [arguments, parts, others, &context] {
    for (const auto& [command, run] : others) {
      if (command->parsed()) return run();
    }
    const auto chosen =
        std::ranges::find_if(parts, [](const UpkeepPart& part) { return part.command->parsed(); });
    const UpkeepReply reply = chosen->run(*arguments, context);
    const int told =
        after_change([&] { deliver(reply.text, reply.document.dump(2) + "\n", arguments->json); });
    return std::max(told, report_rejections(reply.rejections));
  };
}

}  // namespace longshot::cli
