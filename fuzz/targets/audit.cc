// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/audit_file.h"
#include "longshot/gallery/audit_line.h"

#include "../target.h"

namespace longshot::fuzz {
namespace {

void read_any_log(std::string_view bytes) {
  static const AuditKeys keys(std::string(64, '0'));
  const AuditFile file(file_of(bytes, "people.gallery.audit"), AuditFile::Access::kRead);
  AuditLines lines(file, 0);
  while (const std::optional<std::string_view> text = lines.next()) {
    const std::optional<AuditLine> line = AuditLine::parse(*text);
    if (line) read_record(*line, keys);
  }
  if (lines.position() > static_cast<std::int64_t>(bytes.size())) std::terminate();
}

const Registered audit("audit", read_any_log);

}  // namespace
}  // namespace longshot::fuzz
