// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace longshot {

// The length of the UTF-8 sequence at the front of a text that is not empty (RFC 3629, section 4),
// 0 if there is none: overlong forms, surrogates and values above U+10FFFF are none.
std::size_t utf8_length(std::string_view text);

// The character at the front, of which utf8_length() said that it is one.
char32_t utf8_front(std::string_view text);

bool is_utf8(std::string_view text);

// Of ASCII and of ISO 6429's second set (U+0080 to U+009F), which terminals obey too.
bool is_control(char32_t character);

}  // namespace longshot
