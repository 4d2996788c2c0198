// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace longshot {

// SHA-256 (FIPS 180-4) of the bytes as 32 bytes: tells whether a photo is already enrolled.
std::string content_hash(std::string_view bytes);

}  // namespace longshot
