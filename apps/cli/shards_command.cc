// SPDX-License-Identifier: Apache-2.0
#include "shards_command.h"

#include <cstddef>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "longshot/shards.h"

#include "key_options.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

struct ShardsArguments {
  std::string from;
  std::string out;
  std::ptrdiff_t shards = 0;
  KeyArguments key;
};

int tell_shards(const std::string& text) {
  return after_change([&] { print_result(text); });
}

int split(const ShardsArguments& arguments, const Context& context) {
  const Sharded made =
      split_gallery(arguments.from, arguments.out, arguments.shards, read_key(arguments.key),
                    TerminalProgress(context.quiet).callback());
  return tell_shards(fmt::format("{} holds {} people, {} photos, in {} shards\n", arguments.out,
                                 made.people, made.photos, made.shards));
}

int merge(const ShardsArguments& arguments, const Context& context) {
  const Sharded made = merge_shards(arguments.from, arguments.out, read_key(arguments.key),
                                    TerminalProgress(context.quiet).callback());
  return tell_shards(fmt::format("{} holds {} people, {} photos, of {} shards\n", arguments.out,
                                 made.people, made.photos, made.shards));
}

int tell_moved(const ShardsArguments& arguments, const Sharded& made) {
  return tell_shards(fmt::format("{} has {} shards, {} people; {} have moved\n", arguments.from,
                                 made.shards, made.people, made.moved));
}

int add_one(const ShardsArguments& arguments, const Context& context) {
  return tell_moved(arguments, add_shard(arguments.from, read_key(arguments.key),
                                         TerminalProgress(context.quiet).callback()));
}

int rebalance(const ShardsArguments& arguments, const Context& context) {
  return tell_moved(arguments, rebalance_shards(arguments.from, read_key(arguments.key),
                                                TerminalProgress(context.quiet).callback()));
}

}  // namespace

std::vector<std::pair<CLI::App*, Action>> add_shards_parts(CLI::App& group, Context& context) {
  auto arguments = std::make_shared<ShardsArguments>();
  std::vector<std::pair<CLI::App*, Action>> parts;
  const auto add = [&](const std::string& name, const std::string& what, const std::string& example,
                       const std::string& from,
                       int (*run)(const ShardsArguments&, const Context&)) {
    CLI::App* part = add_command(group, name, what, "longshot gallery " + example);
    part->add_option("gallery", arguments->from, from)->required();
    add_key_options(*part, arguments->key);
    parts.emplace_back(part, [arguments, run, &context] { return run(*arguments, context); });
    return part;
  };
  CLI::App* divided =
      add("split", "Cut a gallery into shards, which several machines can search.",
          "split people.gallery --shards 4 --out people.shards", "The gallery file", split);
  divided->add_option("--shards", arguments->shards, "How many")
      ->required()
      ->check(CLI::Range(std::ptrdiff_t{1}, std::ptrdiff_t{65536}));
  divided->add_option("--out", arguments->out, "The new folder")->required();
  const std::string folder = "The folder of shards";
  add("merge", "Write the people of all shards to one file again.",
      "merge people.shards --out merged.gallery", folder, merge)
      ->add_option("--out", arguments->out, "The new file")
      ->required();
  add("add-shard", "Add one shard, and move its share of the people there.",
      "add-shard people.shards", folder, add_one);
  add("rebalance", "Move everybody to the shard that they belong to.", "rebalance people.shards",
      folder, rebalance);
  return parts;
}

}  // namespace longshot::cli
