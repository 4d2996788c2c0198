// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "longshot/export.h"

namespace longshot::v0 {

// The audit log of a gallery that asks for one (Gallery::set_audit): who did what with it and when,
// in lines that are chained by hashes. It holds neither pixels nor keys, and people and inputs only
// as hashes with a key that the gallery keeps.

// What calls of the library by this thread are logged as while `work` runs: who, for instance the
// name of a token. Otherwise it is the user of the process. Throws Error unless the name is 1 to
// 255 bytes of UTF-8 without control characters.
LONGSHOT_API void run_as(const std::string& actor, const std::function<void()>& work);

struct AuditEntry {
  std::int64_t number = 0;  // of the line, from 1
  std::string time;         // UTC, "2026-01-31T12:00:00Z"
  std::string actor;        // the user, or who run_as() said
  std::int64_t uid = 0;     // the user's number for the operating system
  // "enroll", "identify", "verify", "compare", "camera", "rename", "merge", "remove", "import",
  // "export", "backup", "compact", "encrypt", "decrypt", "rekey", "audit on", "audit off", or what
  // Gallery::record() said
  std::string act;
  std::int64_t revision = 0;  // of the gallery: as it was asked, or as it became
  // Whom it was about; who is no longer in the gallery, as "#" and a hash.
  std::vector<std::string> people;
  std::vector<std::string> inputs;  // hashes of the pictures, see Gallery::input_hash()
  // Such as "photos": "3"; of answers "camera": the name of a camera file, or "auto".
  std::map<std::string, std::string> details;
  // Lines right before this one that the gallery did not confirm: the process was killed before it
  // did what they say, or an older copy of the gallery was put back.
  std::int64_t unconfirmed = 0;
};

// Which lines are wanted; what is empty or 0 restricts nothing.
struct AuditQuery {
  std::int64_t after = 0;      // only lines of higher numbers
  std::int64_t before = 0;     // only lines of lower numbers
  std::string actor;           // equal bytes
  std::string act;             // equal bytes
  std::string person;          // a name
  std::string input;           // a hash
  std::string camera;          // what "camera" of the details says
  bool newest_first = true;    // otherwise the oldest
  std::ptrdiff_t limit = 100;  // 1 to 100000
};

struct AuditPage {
  std::vector<AuditEntry> entries;
  bool more = false;  // there are others that the query would take
};

struct AuditVerdict {
  bool whole = false;
  std::int64_t lines = 0;        // that are whole, from the first
  std::int64_t unconfirmed = 0;  // bytes after the last line that the gallery confirmed
  std::string finding;           // one sentence that names the first bad line
};

// As the commands print them.
LONGSHOT_API std::string to_json(const AuditPage& page);
LONGSHOT_API std::string to_json(const AuditVerdict& verdict);

}  // namespace longshot::v0
