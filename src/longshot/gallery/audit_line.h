// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/gallery/secret.h"

namespace longshot {

// What one line of an audit log says (docs/formats.md). Names and inputs are in it as hashes only.
struct AuditRecord {
  std::int64_t number = 0;                     // of the line, from 1
  std::string time;                            // UTC, "2026-01-31T12:00:00Z"
  std::string actor;                           // who
  std::int64_t uid = 0;                        // the user of the process, for the operating system
  std::string act;                             // what
  std::int64_t revision = 0;                   // of the gallery, with the change if it is one
  std::vector<std::string> people;             // whom; hashes
  std::vector<std::string> inputs;             // from which bytes; hashes
  std::map<std::string, std::string> details;  // figures by name
  // Lines before this one that were written, but not confirmed by the gallery: their process was
  // killed before the act was done, or an older copy of the gallery was put back.
  std::int64_t unconfirmed = 0;
};

// A hash in the chain: of a line and of all lines before it.
using AuditChain = std::array<unsigned char, 32>;
std::string to_hex(const AuditChain& chain);
std::optional<AuditChain> chain_from_hex(std::string_view text);

// Hashes, links and seals with keys that all come from one, which lies in the gallery.
class AuditKeys {
 public:
  static std::string create();  // a new one, 64 hexadecimal digits
  // Throws Error for what create() cannot have made.
  explicit AuditKeys(std::string_view digits);

  // 32 hexadecimal digits that tell nothing about the name or the bytes to who has not the key.
  std::string person_hash(std::string_view name) const;
  class InputHash {
   public:
    explicit InputHash(const Secret& key);
    void add(const void* bytes, std::size_t count);
    std::string digits();  // once

   private:
    alignas(64) std::array<unsigned char, 384> state_;
  };
  InputHash input_hash() const { return InputHash(inputs_); }

  AuditChain link(const AuditChain& before, std::string_view text) const;
  std::string seal(std::int64_t number, std::string_view body) const;
  std::optional<std::string> open(std::int64_t number, std::string_view sealed) const;

 private:
  Secret people_;
  Secret inputs_;
  Secret chain_;
  Secret lines_;
};

// A line as it stands in the file: the chain, the number and the body, which is JSON or sealed.
struct AuditLine {
  AuditChain chain{};
  std::int64_t number = 0;
  std::string_view text;  // what is chained: the number and the body
  std::string_view body;

  // Of a line without its end; nothing if it is none.
  static std::optional<AuditLine> parse(std::string_view line);
};

// With its end. `before` becomes the chain of the line.
std::string format_line(const AuditRecord& record, const AuditKeys& keys, bool sealed,
                        AuditChain& before);
// Nothing if the body is not of ours, or sealed with another key.
std::optional<AuditRecord> read_record(const AuditLine& line, const AuditKeys& keys);

}  // namespace longshot
