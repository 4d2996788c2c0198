// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "longshot/key.h"

#include "commands.h"
#include "key_options.h"

namespace longshot::cli {
namespace {

struct SealArguments {
  std::string file;
  std::string out;
  KeyArguments key;
};

std::string path_of(const std::string& argument, const char* standard) {
  return argument == "-" ? standard : argument;
}

int run_seal(const SealArguments& a) {
  seal_file(path_of(a.file, "/dev/stdin"), path_of(a.out, "/dev/stdout"),
            a.key.passphrase ? read_new_key(a.key) : read_key(a.key));
  return kDone;
}

int run_unseal(const SealArguments& a) {
  unseal_file(path_of(a.file, "/dev/stdin"), path_of(a.out, "/dev/stdout"), read_key(a.key));
  return kDone;
}

std::shared_ptr<SealArguments> add_arguments(CLI::App& command) {
  auto arguments = std::make_shared<SealArguments>();
  command.add_option("file", arguments->file, "The file; - for standard input")->required();
  command.add_option("--out", arguments->out, "File to write; - for standard output")->required();
  add_key_options(command, arguments->key);
  return arguments;
}

}  // namespace

Action add_seal(CLI::App& app, Context& /*context*/) {
  CLI::App* command =
      add_command(app, "seal", "Encrypt a model, a camera, a report or any other file with a key.",
                  "longshot seal gate.camera --key-file people.key --out gate.sealed");
  return [arguments = add_arguments(*command)] { return run_seal(*arguments); };
}

Action add_unseal(CLI::App& app, Context& /*context*/) {
  CLI::App* command = add_command(app, "unseal", "Write a sealed file as it was.",
                                  "longshot unseal gate.sealed --key-file people.key --out "
                                  "gate.camera");
  return [arguments = add_arguments(*command)] { return run_unseal(*arguments); };
}

}  // namespace longshot::cli
