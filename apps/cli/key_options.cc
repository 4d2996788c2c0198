// SPDX-License-Identifier: Apache-2.0
#include "key_options.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include "longshot/error.h"

#include "process.h"

namespace longshot::cli {
namespace {

constexpr const char* kDescriptorVariable = "LONGSHOT_KEY_FD";

// Text that is gone when the object is.
class HiddenText {
 public:
  HiddenText() { text_.reserve(kMost); }  // and never moves
  ~HiddenText() { ::explicit_bzero(text_.data(), text_.capacity()); }
  HiddenText(const HiddenText&) = delete;
  HiddenText& operator=(const HiddenText&) = delete;

  void add(char c) {
    if (text_.size() < kMost) text_ += c;
  }
  std::string_view view() const { return text_; }

 private:
  static constexpr std::size_t kMost = 1100;  // more than a passphrase may have
  std::string text_;
};

// The terminal itself, whatever the program's input is, without showing what is typed.
class SilentTerminal {
 public:
  SilentTerminal() : descriptor_(::open("/dev/tty", O_RDWR | O_CLOEXEC)) {
    if (descriptor_ < 0 || ::tcgetattr(descriptor_, &before_) != 0) {
      throw Error(ErrorKind::bad_input,
                  "There is no terminal to ask for the passphrase: use a key file.");
    }
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(descriptor_, TCSAFLUSH, &silent);
  }
  ~SilentTerminal() {
    ::tcsetattr(descriptor_, TCSAFLUSH, &before_);
    ::close(descriptor_);
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;

  void ask(std::string_view question, HiddenText& answer) const {
    say(question);
    for (char c = 0; ::read(descriptor_, &c, 1) == 1 && c != '\n';) answer.add(c);
    say("\n");
  }

 private:
  void say(std::string_view text) const {
    [[maybe_unused]] const ssize_t told = ::write(descriptor_, text.data(), text.size());
  }

  int descriptor_;
  termios before_{};
};

std::string whose_key(const std::string& prefix) {
  return prefix.empty() ? "of an encrypted gallery" : "that is to open it";
}

int descriptor_number(std::string_view text) {
  int number = -1;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || number < 0) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{} must be the number of an open file.", kDescriptorVariable));
  }
  return number;
}

}  // namespace

CLI::Option* add_key_file(CLI::App& command, KeyArguments& key, const std::string& prefix) {
  return command.add_option(
      fmt::format("--{}key-file", prefix), key.file,
      fmt::format("File with the key {}, 32 bytes or more", whose_key(prefix)));
}

void add_key_options(CLI::App& command, KeyArguments& key, const std::string& prefix) {
  CLI::Option* file = add_key_file(command, key, prefix);
  command
      .add_flag(fmt::format("--{}passphrase", prefix), key.passphrase,
                fmt::format("Ask for the passphrase {}", whose_key(prefix)))
      ->excludes(file);
}

v0::Key read_key(const KeyArguments& key) {
  const char* descriptor = std::getenv(kDescriptorVariable);
  if (!key.file.empty() || key.passphrase || descriptor != nullptr) keep_memory_private();
  if (!key.file.empty()) return v0::Key::from_file(key.file);
  if (key.passphrase) {
    HiddenText answer;
    SilentTerminal().ask("Passphrase: ", answer);
    return v0::Key::from_passphrase(answer.view());
  }
  return descriptor == nullptr ? v0::Key()
                               : v0::Key::from_descriptor(descriptor_number(descriptor));
}

v0::Key read_new_key(const KeyArguments& key) {
  keep_memory_private();
  if (!key.file.empty()) return v0::Key::from_file(key.file);
  if (!key.passphrase) {
    throw Error(ErrorKind::bad_input, "Name the key that is to open the gallery.");
  }
  HiddenText first;
  HiddenText second;
  const SilentTerminal terminal;
  terminal.ask("New passphrase: ", first);
  terminal.ask("Once more: ", second);
  if (first.view() != second.view()) {
    throw Error(ErrorKind::bad_input, "The two passphrases differ.");
  }
  return v0::Key::from_passphrase(first.view());
}

}  // namespace longshot::cli
