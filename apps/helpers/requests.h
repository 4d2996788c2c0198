// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace longshot::helper {

// Calls `serve` for every request, in a process of its own that has read nothing else and ends with
// it, until the other end of the socket is closed. Ends as such a process does, unless that is
// well. To be called with one thread.
void serve_each(const std::function<void()>& serve);

}  // namespace longshot::helper
