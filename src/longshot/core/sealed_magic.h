// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace longshot {

// What a file begins with that was sealed as a whole (gallery/sealed_file.h).
inline constexpr std::string_view kSealedFileMagic("longshot locked\0", 16);

// For readers of other files: throws Error if the bytes are those of a sealed one.
void refuse_sealed(std::string_view bytes, std::string_view name);

}  // namespace longshot
