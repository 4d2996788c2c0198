// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <new>

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <zlib.h>

#include "longshot/error.h"

namespace longshot::server {
namespace {

constexpr std::string_view kHexadecimal = "0123456789abcdef";

int hexadecimal_value(char digit) {
  const std::size_t at = kHexadecimal.find(lower_case({&digit, 1})[0]);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// The length of the UTF-8 sequence at the front; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  // Overlong forms, surrogates, and beyond U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::string hexadecimal(std::size_t number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), kHexadecimal[number % 16]);
    number /= 16;
  } while (number > 0);
  return digits;
}

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += kHexadecimal[value / 16];
    digits += kHexadecimal[value % 16];
  }
  return digits;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hexadecimal_value(text[i + 1]);
      const int low = hexadecimal_value(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (!is_clean_text(decoded)) return std::nullopt;
  return decoded;
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char letter : text) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '-' || letter == '_' ||
                       letter == '.' || letter == '~';
    if (plain) {
      encoded += letter;
    } else {
      encoded += '%' + hexadecimal(std::string_view(&letter, 1));
    }
  }
  return encoded;
}

std::map<std::string, std::string> parsed_query(std::string_view text) {
  std::map<std::string, std::string> query;
  for (const std::string_view part : split(text, '&')) {
    const std::size_t at = part.find('=');
    const auto name = percent_decoded(part.substr(0, at), true);
    const auto value =
        at == std::string_view::npos ? std::string() : percent_decoded(part.substr(at + 1), true);
    if (name && value && !name->empty()) query.emplace(*name, *value);
  }
  return query;
}

bool is_clean_text(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 1 && (first < 0x20 || first == 0x7F)) return false;
    if (length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::optional<std::string> from_base64(std::string_view text) {
  static const std::array<std::int8_t, 256> values = [] {
    std::array<std::int8_t, 256> table{};
    table.fill(-1);
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
      table[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
    }
    return table;
  }();
  if (text.size() % 4 != 0) return std::nullopt;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char digit : text) {
    const std::int8_t value = values[static_cast<unsigned char>(digit)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> count) & 0xFF);
    }
  }
  return bytes;
}

std::string to_base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::string sha256(std::string_view bytes) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()),
                 &length, EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  digest.resize(length);
  return digest;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;  // the largest window, and a header of gzip
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);  // has room for all of it
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string random_hexadecimal(std::size_t bytes) {
  std::string random(bytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(random.data()), static_cast<int>(bytes)) != 1) {
    throw Error(ErrorKind::unsupported, "The system gives no random numbers.");
  }
  return hexadecimal(std::string_view(random));
}

std::string utc_now() {
  return utc_text(std::time(nullptr));
}

std::string utc_text(std::time_t time) {
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), length};
}

}  // namespace longshot::server
