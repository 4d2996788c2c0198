// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace longshot::server {

std::string lower_case(std::string_view text);    // of ASCII
std::string hexadecimal(std::size_t number);      // "1f"
std::string hexadecimal(std::string_view bytes);  // two digits each
std::string_view trimmed(std::string_view text);  // without spaces and tabs around it
std::vector<std::string_view> split(std::string_view text, char separator);

// "%C3%A4" and, in a query, "+". Nothing for what is not whole, no UTF-8, or holds controls.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space = false);
std::string percent_encoded(std::string_view text);
// "a=1&b=x"; what cannot be decoded is left out, of several values of a name the first is kept.
std::map<std::string, std::string> parsed_query(std::string_view text);

// Well-formed UTF-8 (RFC 3629) without control characters.
bool is_clean_text(std::string_view text);

// RFC 4648, section 4, with padding. Nothing for any other character or length.
std::optional<std::string> from_base64(std::string_view text);
std::string to_base64(std::string_view bytes);

std::string sha256(std::string_view bytes);  // 32 bytes
std::string gzip(std::string_view bytes);
std::string random_hexadecimal(std::size_t bytes);  // twice as many digits; throws Error
std::string utc_now();                              // "2026-01-31T12:00:00Z"
std::string utc_text(std::time_t time);

}  // namespace longshot::server
