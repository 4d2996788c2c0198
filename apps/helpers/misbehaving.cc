// SPDX-License-Identifier: Apache-2.0
// For tests: a helper that does what a decoder does that a hostile file has taken over.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "longshot/core/confined_process.h"
#include "longshot/image/still_messages.h"

#include "channel.h"
#include "confinement.h"
#include "requests.h"

namespace longshot::helper {
namespace {

// Answers with the error that the call made, or "done".
void report(bool succeeded) {
  send(1, succeeded ? "done" : std::strerror(errno));
}

void misbehave(const std::string& task) {
  if (task == "crash") std::abort();
  if (task == "babble") {
    const std::string noise(64, 'x');
    if (::write(ConfinedProcess::kSocket, noise.data(), noise.size()) < 0) std::abort();
  }
  if (task == "boast") {
    const MessageHead head = {MessageHead::kMagic, 1, std::uint64_t{1} << 60};
    if (::write(ConfinedProcess::kSocket, &head, sizeof(head)) < 0) std::abort();
  }
  if (task == "sleep") std::this_thread::sleep_for(std::chrono::hours(1));
  if (task == "spin") {
    for (volatile bool forever = true; forever;) {
    }
  }
  if (task == "eat") {
    const std::size_t much = std::size_t{8} << 30;
    report(::operator new(much, std::nothrow) != nullptr);
  }
  if (task == "open") report(::open("/etc/passwd", O_RDONLY) >= 0);
  if (task == "create") report(::open("/tmp/longshot", O_WRONLY | O_CREAT, 0600) >= 0);
  if (task == "network") report(::socket(AF_INET, SOCK_STREAM, 0) >= 0);
  if (task == "fork") report(::fork() >= 0);
  if (task == "inherited") report(::fcntl(ConfinedProcess::kFile + 1, F_GETFD) >= 0);
  if (task == "secret") send(1, std::getenv("LONGSHOT_SECRET") != nullptr ? "seen" : "unseen");
  if (task == "echo") {
    while (const auto message = receive()) send(message->kind + 1, message->bytes);
  }
  if (task == "file") {
    std::string bytes(5, '\0');
    if (::read(ConfinedProcess::kFile, bytes.data(), bytes.size()) < 0) std::abort();
    send(1, bytes);
  }
}

// Answers of a decoder of pictures that are none, or not to what was asked.
void send_still(const std::string& how, std::uint64_t secret) {
  StillAbout about = {secret, 4, 4, 0};
  if (how == "stranger") about.secret += 1;
  if (how == "negative") about.rows = -4;
  if (how == "endless") about.rows = about.cols = std::int64_t{1} << 40;
  if (how == "large") about.rows = about.cols = 9000;
  if (how == "strange") about.damaged = 7;
  send(kStillAbout, bytes_of(about));
  std::vector<double> pixels(how == "short" ? 15 : 16, how == "white" ? 1.0 : 0.5);
  if (how == "nan") pixels[3] = std::numeric_limits<double>::quiet_NaN();
  send(kStillPixels, bytes_of(secret),
       {reinterpret_cast<const char*>(pixels.data()), sizeof(double) * pixels.size()});
  // Beforehand to the next question.
  if (how == "forge") send(kStillAbout, bytes_of(about));
}

// In the place of longshot-stills: does what the name of the picture's file says.
void misbehave_as_asked() {
  const std::optional<Message> asked = receive();
  if (!asked) return;
  const auto request = value_of<StillRequest>(asked->bytes);
  const std::filesystem::path picture =
      asked->bytes.substr(sizeof(request), static_cast<std::size_t>(request.name_bytes));
  const std::string task = picture.stem();
  limit_time(request.cpu_seconds);
  forbid_world();
  forbid_input();
  if (task == "long-winded") {
    return send(kStillProblem, bytes_of(request.secret), std::string(100'000, 'a'));
  }
  misbehave(task);
  send_still(task, request.secret);
  if (task != "linger") return;
  while (const auto next = receive())
    send_still("white", value_of<StillRequest>(next->bytes).secret);
}

}  // namespace
}  // namespace longshot::helper

int main(int count, char** arguments) {
  if (count != 3) return EXIT_FAILURE;
  longshot::helper::limit_self(std::strtoll(arguments[2], nullptr, 10));
  if (std::string_view(arguments[1]) == "decode") {
    longshot::helper::serve_each(longshot::helper::misbehave_as_asked);
    return EXIT_SUCCESS;
  }
  longshot::helper::forbid_world();
  longshot::helper::forbid_opening();
  longshot::helper::misbehave(arguments[1]);
  return EXIT_SUCCESS;
}
