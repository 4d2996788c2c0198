// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "longshot/core/message.h"

namespace longshot::helper {

// The helper's end of the socket. Whoever started it is trusted; when they go, so does the helper.
void send(std::uint32_t kind, std::string_view head, std::string_view bytes = {});
// Nothing once the other end is closed.
std::optional<Message> receive();

}  // namespace longshot::helper
