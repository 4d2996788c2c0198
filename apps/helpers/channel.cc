// SPDX-License-Identifier: Apache-2.0
#include "channel.h"

#include <cerrno>
#include <cstdlib>

#include <unistd.h>

#include "longshot/core/confined_process.h"

namespace longshot::helper {
namespace {

bool read_all(char* to, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(ConfinedProcess::kSocket, to, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

void send(std::uint32_t kind, std::string_view head, std::string_view bytes) {
  const MessageHead message{MessageHead::kMagic, kind, head.size() + bytes.size()};
  for (std::string_view part : {bytes_of(message), head, bytes}) {
    while (!part.empty()) {
      const ssize_t written = ::write(ConfinedProcess::kSocket, part.data(), part.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) std::_Exit(EXIT_FAILURE);
      part.remove_prefix(static_cast<std::size_t>(written));
    }
  }
}

std::optional<Message> receive() {
  MessageHead head;
  if (!read_all(reinterpret_cast<char*>(&head), sizeof(head))) return std::nullopt;
  Message message{head.kind, std::string(head.bytes, '\0')};
  if (!read_all(message.bytes.data(), message.bytes.size())) return std::nullopt;
  return message;
}

}  // namespace longshot::helper
