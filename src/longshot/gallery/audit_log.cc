// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/audit_log.h"

#include <array>
#include <ctime>
#include <optional>
#include <utility>

#include <pwd.h>
#include <sodium.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/gallery/audit_file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// In the settings of the gallery.
constexpr std::string_view kAudit = "audit";
constexpr std::string_view kAuditKey = "audit key";
constexpr std::string_view kAuditHead = "audit head";

// The last line that the gallery knows of.
struct AuditHead {
  std::int64_t lines = 0;
  std::int64_t bytes = 0;  // of all of them
  AuditChain chain{};

  std::string text() const { return fmt::format("{} {} {}", lines, bytes, to_hex(chain)); }
};

AuditHead head_of(const GalleryStore& gallery) {
  AuditHead head;
  const std::string text = gallery.setting(kAuditHead).value_or("");
  if (text.empty()) return head;
  std::array<char, 80> digits{};
  const bool numbers =
      std::sscanf(text.c_str(), "%ld %ld %79s", &head.lines, &head.bytes, digits.data()) == 3;
  const std::optional<AuditChain> chain = chain_from_hex(digits.data());
  if (!numbers || !chain || head.lines < 0 || head.bytes < 0) {
    throw Error(ErrorKind::damaged, "The gallery {} is damaged; restore it from a copy.",
                gallery.path().string());
  }
  head.chain = *chain;
  return head;
}

std::string user_name() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) {
    return found->pw_name;
  }
  return fmt::format("{}", ::geteuid());
}

// Goes over whole lines that the gallery does not know: see AuditRecord::unconfirmed.
std::int64_t adopt_lines(const AuditFile& file, const AuditKeys& keys, AuditHead& head) {
  std::int64_t adopted = 0;
  AuditLines lines(file, head.bytes);
  while (const std::optional<std::string_view> text = lines.next()) {
    const std::optional<AuditLine> line = AuditLine::parse(*text);
    if (!line || line->number != head.lines + 1 ||
        keys.link(head.chain, line->text) != line->chain) {
      break;
    }
    head = {line->number, lines.position(), line->chain};
    ++adopted;
  }
  return adopted;
}

[[noreturn]] void fail_lost(const GalleryStore& gallery) {
  throw Error(ErrorKind::damaged,
              "the audit log {} has lost lines that the gallery knows: put it back, or give it up "
              "by switching the log off.",
              audit_path(gallery).string());
}

AuditRecord record_of(const GalleryStore& gallery, const AuditAct& act, const AuditKeys& keys) {
  AuditRecord record;
  record.time = utc_time(std::time(nullptr));
  record.actor = act.actor.empty() ? user_name() : act.actor;
  record.uid = ::geteuid();
  record.act = act.act;
  record.revision = gallery.revision() + (act.changes ? 1 : 0);
  for (const std::string& name : act.people) record.people.push_back(keys.person_hash(name));
  record.inputs = act.inputs;
  record.details = act.details;
  return record;
}

void append_lines(GalleryStore& gallery, const std::vector<AuditAct>& acts) {
  GalleryTransaction transaction(gallery, GalleryTransaction::Revision::kStays);
  const AuditKeys keys = audit_keys(gallery);
  AuditHead head = head_of(gallery);
  const AuditFile file(audit_path(gallery), AuditFile::Access::kWrite);
  if (file.size() < head.bytes) fail_lost(gallery);
  std::int64_t unconfirmed = adopt_lines(file, keys, head);
  std::string lines;
  for (const AuditAct& act : acts) {
    AuditRecord record = record_of(gallery, act, keys);
    record.number = ++head.lines;
    record.unconfirmed = std::exchange(unconfirmed, 0);
    lines += format_line(record, keys, gallery.key() != nullptr, head.chain);
  }
  file.write_end(head.bytes, lines);
  head.bytes += static_cast<std::int64_t>(lines.size());
  gallery.set_setting(kAuditHead, head.text());
  transaction.commit();
}

// Whether a line of that number stands further below.
bool comes_later(AuditLines& lines, std::int64_t number) {
  while (const std::optional<std::string_view> text = lines.next()) {
    const std::optional<AuditLine> line = AuditLine::parse(*text);
    if (line && line->number == number) return true;
  }
  return false;
}

// What is wrong with what stands in the place of the line of that number; "" if nothing is.
std::string finding_of(const std::optional<AuditLine>& line, std::int64_t number,
                       const AuditChain& before, const AuditKeys& keys, AuditLines& lines) {
  if (!line) return fmt::format("Line {} was changed: it is no line of an audit log.", number);
  if (line->number < number) {
    return fmt::format("Line {} was moved: line {} stands in its place.", number, line->number);
  }
  if (line->number > number) {
    const std::int64_t found = line->number;  // the view ends with the next line
    if (comes_later(lines, number)) {
      return fmt::format("Line {} was moved: line {} stands in its place.", number, found);
    }
    return fmt::format("Line {} is missing: line {} stands in its place.", number, found);
  }
  if (keys.link(before, line->text) != line->chain) {
    return fmt::format("Line {} was changed.", number);
  }
  return "";
}

}  // namespace

bool is_audited(const GalleryStore& gallery) {
  return gallery.setting(kAudit).value_or("off") == "on";
}

bool is_audit_setting(std::string_view key) {
  return key == kAudit || key == kAuditKey || key == kAuditHead;
}

void require_no_audit(const fs::path& gallery) {
  std::error_code error;
  const std::string log = gallery.string() + ".audit";
  if (!fs::exists(fs::symlink_status(log, error))) return;
  throw Error(ErrorKind::already_there, "Cannot write {}: there is {} already.", gallery.string(),
              log);
}

fs::path audit_path(const GalleryStore& gallery) {
  fs::path path = fs::canonical(gallery.path());  // the same for all links to it
  path += ".audit";
  return path;
}

AuditKeys audit_keys(const GalleryStore& gallery) {
  std::optional<std::string> digits = gallery.setting(kAuditKey);
  if (!digits) {
    throw Error(ErrorKind::not_found, "The gallery {} has no audit log.", gallery.path().string());
  }
  AuditKeys keys(*digits);
  sodium_memzero(digits->data(), digits->size());
  return keys;
}

void append_audit(GalleryStore& gallery, const std::vector<AuditAct>& acts) {
  if (acts.empty() || !is_audited(gallery)) return;
  try {
    append_lines(gallery, acts);
  } catch (const Error& error) {
    throw Error(error.kind(), "Refused, as {} cannot be logged: {}", acts.front().act,
                error.what());
  }
}

void append_change(GalleryStore& gallery, const AuditAct& act) {
  if (!is_audited(gallery)) return;
  GalleryTransaction transaction(gallery);
  append_audit(gallery, {act});
  transaction.commit();
}

void set_audit(GalleryStore& gallery, bool on, const std::string& actor) {
  if (is_audited(gallery) == on) return;
  GalleryTransaction transaction(gallery);
  const AuditHead head = head_of(gallery);
  std::error_code error;
  const auto size = static_cast<std::int64_t>(fs::file_size(audit_path(gallery), error));
  if (!on && (error || size < head.bytes)) {
    gallery.set_setting(kAuditHead, "");
  } else {
    if (on && head.lines == 0 && !error) {
      throw Error(ErrorKind::already_there, "There is a log {} already: move it away first.",
                  audit_path(gallery).string());
    }
    if (!gallery.setting(kAuditKey)) gallery.set_setting(kAuditKey, AuditKeys::create());
    append_lines(gallery, {{.act = on ? "audit on" : "audit off",
                            .actor = actor,
                            .changes = true,
                            .people = {},
                            .inputs = {},
                            .details = {}}});
  }
  gallery.set_setting(kAudit, on ? "on" : "off");
  transaction.commit();
}

void copy_audit(const GalleryStore& gallery, const fs::path& copy) {
  if (!is_audited(gallery)) return;
  GalleryOptions options;
  options.key = gallery.key();
  const GalleryStore copied(copy, GalleryStore::Access::kRead, options);
  const AuditFile from(audit_path(gallery), AuditFile::Access::kRead);
  const AuditFile to(audit_path(copied), AuditFile::Access::kWrite);
  constexpr std::int64_t kPiece = std::int64_t{1} << 20;
  const std::int64_t bytes = head_of(copied).bytes;
  for (std::int64_t at = 0; at < bytes; at += kPiece) {
    const auto count = static_cast<std::size_t>(std::min(kPiece, bytes - at));
    const std::string piece = from.read(at, count);
    if (piece.size() != count) fail_lost(gallery);
    to.write_end(at, piece);
  }
}

void read_audit(const GalleryStore& gallery,
                const std::function<bool(const AuditRecord& record)>& visit) {
  const AuditKeys keys = audit_keys(gallery);
  const AuditHead head = head_of(gallery);
  const AuditFile file(audit_path(gallery), AuditFile::Access::kRead);
  AuditLines lines(file, 0);
  AuditChain chain{};
  for (std::int64_t number = 1; number <= head.lines; ++number) {
    const std::optional<std::string_view> text = lines.next();
    const std::optional<AuditLine> line = text ? AuditLine::parse(*text) : std::nullopt;
    const bool linked = line && keys.link(chain, line->text) == line->chain;
    const std::optional<AuditRecord> record = linked ? read_record(*line, keys) : std::nullopt;
    if (!record) {
      throw Error(ErrorKind::damaged,
                  "The audit log {} is not whole: verifying the log says where.",
                  audit_path(gallery).string());
    }
    chain = line->chain;
    if (!visit(*record)) return;
  }
}

AuditVerdict verify_audit(const GalleryStore& gallery) {
  const AuditKeys keys = audit_keys(gallery);
  const AuditHead head = head_of(gallery);
  const AuditFile file(audit_path(gallery), AuditFile::Access::kRead);
  AuditLines lines(file, 0);
  AuditVerdict verdict;
  AuditChain chain{};
  while (verdict.lines < head.lines) {
    const std::optional<std::string_view> text = lines.next();
    if (!text) break;
    const std::optional<AuditLine> line = AuditLine::parse(*text);
    const AuditChain own = line ? line->chain : AuditChain{};
    verdict.finding = finding_of(line, verdict.lines + 1, chain, keys, lines);
    if (!verdict.whole()) return verdict;
    chain = own;
    ++verdict.lines;
  }
  if (verdict.lines < head.lines) {
    verdict.finding =
        fmt::format("Lines {} to {} are missing at the end.", verdict.lines + 1, head.lines);
  } else if (chain != head.chain) {
    verdict.finding = fmt::format("Line {} is not the one that the gallery knows.", head.lines);
  }
  verdict.unconfirmed = std::max<std::int64_t>(0, file.size() - lines.position());
  return verdict;
}

}  // namespace longshot
