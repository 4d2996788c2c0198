// SPDX-License-Identifier: Apache-2.0
#include "sealing_command.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "longshot/key.h"

#include "key_options.h"

namespace longshot::cli {
namespace {

struct SealingArguments {
  std::string gallery;
  KeyArguments key;
  KeyArguments new_key;
  bool full = false;
};

int tell_change(const std::string& text) {
  return after_change([&] { print_result(text); });
}

int encrypt(const SealingArguments& arguments) {
  encrypt_gallery(arguments.gallery,
                  arguments.key.passphrase ? read_new_key(arguments.key) : read_key(arguments.key));
  return tell_change(fmt::format("{} is encrypted; without its key nobody can read it again\n",
                                 arguments.gallery));
}

int decrypt(const SealingArguments& arguments) {
  decrypt_gallery(arguments.gallery, read_key(arguments.key));
  return tell_change(
      fmt::format("{} is no longer encrypted; who has the file can read it\n", arguments.gallery));
}

int rekey(const SealingArguments& arguments) {
  const v0::Key key = read_key(arguments.key);
  rekey_gallery(arguments.gallery, key, read_new_key(arguments.new_key), arguments.full);
  return tell_change(fmt::format("{} has another key\n", arguments.gallery));
}

}  // namespace

std::vector<std::pair<CLI::App*, Action>> add_sealing_parts(CLI::App& group) {
  auto arguments = std::make_shared<SealingArguments>();
  std::vector<std::pair<CLI::App*, Action>> parts;
  const auto add = [&](const std::string& name, const std::string& what, const std::string& example,
                       int (*run)(const SealingArguments&)) {
    CLI::App* part = add_command(group, name, what, "longshot gallery " + example);
    part->add_option("gallery", arguments->gallery, "The gallery file, or the folder of shards")
        ->required();
    add_key_options(*part, arguments->key);
    parts.emplace_back(part, [arguments, run] { return run(*arguments); });
    return part;
  };
  add("encrypt", "Encrypt the file with a key.", "encrypt people.gallery --key-file people.key",
      encrypt);
  add("decrypt", "Write the file without encryption again.",
      "decrypt people.gallery --key-file people.key", decrypt);
  CLI::App* rekeyed = add("rekey", "Open the file with another key from now on.",
                          "rekey people.gallery --key-file old.key --new-key-file new.key", rekey);
  add_key_options(*rekeyed, arguments->new_key, "new-");
  rekeyed->add_flag("--full", arguments->full,
                    "Write the whole file anew, so that an old copy and its key open it no longer");
  return parts;
}

}  // namespace longshot::cli
