// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace longshot {

// RFC 4648, section 4, with padding and without line breaks.
std::string base64(std::string_view bytes);

}  // namespace longshot
