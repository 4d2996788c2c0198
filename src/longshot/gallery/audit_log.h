// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/gallery/audit_line.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {

// The audit log of a gallery that asks for one: a file beside it to which every act adds a line.
// The gallery keeps how many lines there are and the hash of the last one, and changes that in the
// transaction of the act. So the write lock of the gallery is that of its log too, a line that was
// not confirmed by a commit is known as such, and an act whose line cannot be written is not done.

struct AuditAct {
  std::string act;
  std::string actor;                           // who; empty: the user of this process
  bool changes = false;                        // the gallery, in the transaction that is open
  std::vector<std::string> people;             // names; kept as hashes
  std::vector<std::string> inputs;             // hashes of AuditKeys::input_hash()
  std::map<std::string, std::string> details;  // figures by name
};

bool is_audited(const GalleryStore& gallery);
// Of the settings of a gallery, those by which it keeps its log.
bool is_audit_setting(std::string_view key);
std::filesystem::path audit_path(const GalleryStore& gallery);
// Of a gallery that has or had a log. Throws Error if it never had one.
AuditKeys audit_keys(const GalleryStore& gallery);

// Turns the log on or off, which is logged too. A log that is turned on again goes on. Turning off
// a log that is lost gives it up: the next one is new.
void set_audit(GalleryStore& gallery, bool on, const std::string& actor);
// Adds a line for each act, on the disk when it returns, if the gallery asks for it. Without a
// transaction around it the lines are confirmed at once, and the revision of the gallery stays.
// Throws Error, with one sentence that says that the act is refused, if that cannot be.
void append_audit(GalleryStore& gallery, const std::vector<AuditAct>& acts);
// The same for a change of what other files hold, which is made when this has returned: the
// revision of the gallery grows with the line.
void append_change(GalleryStore& gallery, const AuditAct& act);
// Throws Error if there is a log already where that of a new gallery would be.
void require_no_audit(const std::filesystem::path& gallery);
// Gives a copy of a gallery its own copy of the log.
void copy_audit(const GalleryStore& gallery, const std::filesystem::path& copy);

// Calls `visit` with every confirmed line, in their order, until it returns false.
void read_audit(const GalleryStore& gallery,
                const std::function<bool(const AuditRecord& record)>& visit);

struct AuditVerdict {
  std::int64_t lines = 0;        // that are whole, from the first
  std::int64_t unconfirmed = 0;  // bytes after the last line that the gallery knows
  std::string finding;           // one sentence that names the first bad line; empty: all is whole

  bool whole() const { return finding.empty(); }
};
// Reads the whole log. Throws Error if there is none.
AuditVerdict verify_audit(const GalleryStore& gallery);

}  // namespace longshot
