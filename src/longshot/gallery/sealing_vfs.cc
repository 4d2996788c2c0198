// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealing_vfs.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include <sodium.h>
#include <sqlite3.h>

#include "longshot/core/error.h"
#include "longshot/gallery/sealed_header.h"
#include "longshot/gallery/sealed_layout.h"

namespace longshot {
namespace {

constexpr const char* kParameter = "sealed";

struct Sessions {
  std::mutex mutex;
  std::map<int, std::shared_ptr<SealedSession::State>> by_number;
};

Sessions& sessions() {
  static Sessions known;
  return known;
}

std::shared_ptr<SealedSession::State> session_of(const char* name) {
  const char* number = name == nullptr ? nullptr : sqlite3_uri_parameter(name, kParameter);
  if (number == nullptr) return nullptr;
  const std::lock_guard lock(sessions().mutex);
  const auto found = sessions().by_number.find(std::atoi(number));
  return found == sessions().by_number.end() ? nullptr : found->second;
}

sqlite3_vfs* vfs_below() {
  static sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  return vfs;
}

// What a file needs beside what SQLite knows of it.
struct SealedContent {
  ~SealedContent() {
    sodium_memzero(plain.data(), plain.size());
    sodium_memzero(sealed.data(), sealed.size());
  }
  SealedPart part = SealedPart::kDatabase;
  std::shared_ptr<const PageSeal> seal;
  std::string name;
  std::vector<unsigned char> plain = std::vector<unsigned char>(kPageBytes + PageSeal::kBytes);
  std::vector<unsigned char> sealed = std::vector<unsigned char>(kPageBytes + PageSeal::kBytes);
};

// The file of the system follows it in memory.
struct SealedFile {
  sqlite3_file base;
  SealedContent* content;
};

SealedContent& content_of(sqlite3_file* file) {
  return *reinterpret_cast<SealedFile*>(file)->content;
}

sqlite3_file* below(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<SealedFile*>(file) + 1);
}

// Reads a piece and opens it in place. SQLITE_IOERR_SHORT_READ if it is not there, SQLITE_CORRUPT
// if it is not as it was written.
int read_piece(sqlite3_file* file, const SealedPiece& piece, unsigned char* bytes) {
  sqlite3_file* system = below(file);
  const int code = system->pMethods->xRead(system, bytes, static_cast<int>(piece.sealed_size),
                                           piece.sealed_begin);
  if (code != SQLITE_OK) return code;
  const SealedContent& content = content_of(file);
  const auto count = static_cast<std::size_t>(piece.content());
  const bool whole = content.seal->open(content.part, static_cast<std::uint64_t>(piece.begin),
                                        bytes, count, bytes + count);
  if (!whole) return SQLITE_CORRUPT;
  std::memset(bytes + count, 0, PageSeal::kBytes);
  return SQLITE_OK;
}

// Where a crash may leave a piece half written, SQLite looks for the end of what counts: it reads
// journals, and frames of the log as a whole, only after a crash, and finds zeros there instead.
bool may_be_torn(SealedPart part, const SealedPiece& piece, int count) {
  return part == SealedPart::kJournal ||
         (part == SealedPart::kLog && piece.begin > 0 && (!piece.is_page || count > kPageBytes));
}

// SQLite looks at the first bytes of a database when it opens it and before it knows of a log, with
// no lock that keeps others from writing that page; a kill may have left it half written, too. It
// takes nothing for nothing there and asks again for the page, of the log if that has it.
bool is_first_look(SealedPart part, int count, sqlite3_int64 offset) {
  constexpr int kDatabaseHeader = 100;
  return part == SealedPart::kDatabase && offset + count <= kDatabaseHeader;
}

int read_sealed(sqlite3_file* file, void* out, int count, sqlite3_int64 offset) {
  SealedContent& content = content_of(file);
  auto* to = static_cast<unsigned char*>(out);
  const int asked = count;
  while (count > 0) {
    const SealedPiece piece = sealed_piece(content.part, offset);
    const auto taken = static_cast<int>(std::min<std::int64_t>(piece.end() - offset, count));
    const bool direct = piece.is_page && taken == piece.size;
    unsigned char* bytes = direct ? to : content.plain.data();
    const int code = read_piece(file, piece, bytes);
    if (code == SQLITE_CORRUPT && may_be_torn(content.part, piece, asked)) {
      std::memset(to, 0, static_cast<std::size_t>(taken));
    } else if (code == SQLITE_IOERR_SHORT_READ ||
               (code == SQLITE_CORRUPT && is_first_look(content.part, asked, offset))) {
      std::memset(to, 0, static_cast<std::size_t>(count));
      return SQLITE_IOERR_SHORT_READ;
    } else if (code != SQLITE_OK) {
      return code;
    } else if (!direct) {
      std::memcpy(to, bytes + (offset - piece.begin), static_cast<std::size_t>(taken));
    }
    to += taken;
    offset += taken;
    count -= taken;
  }
  return SQLITE_OK;
}

int write_piece(sqlite3_file* file, const SealedPiece& piece, const unsigned char* plain) {
  SealedContent& content = content_of(file);
  const auto count = static_cast<std::size_t>(piece.content());
  content.seal->seal(content.part, static_cast<std::uint64_t>(piece.begin), plain, count,
                     content.sealed.data(), content.sealed.data() + count);
  sqlite3_file* system = below(file);
  return system->pMethods->xWrite(system, content.sealed.data(),
                                  static_cast<int>(piece.sealed_size), piece.sealed_begin);
}

int write_sealed(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  SealedContent& content = content_of(file);
  const auto* from = static_cast<const unsigned char*>(bytes);
  while (count > 0) {
    const SealedPiece piece = sealed_piece(content.part, offset);
    const auto taken = static_cast<int>(std::min<std::int64_t>(piece.end() - offset, count));
    const unsigned char* plain = from;
    if (taken < piece.size) {
      const int code = read_piece(file, piece, content.plain.data());
      if (code == SQLITE_IOERR_SHORT_READ) {
        std::ranges::fill(content.plain, static_cast<unsigned char>(0));
      } else if (code != SQLITE_OK) {
        return code;
      }
      std::memcpy(content.plain.data() + (offset - piece.begin), from,
                  static_cast<std::size_t>(taken));
      plain = content.plain.data();
    }
    const int code = write_piece(file, piece, plain);
    if (code != SQLITE_OK) return code;
    from += taken;
    offset += taken;
    count -= taken;
  }
  return SQLITE_OK;
}

int truncate_sealed(sqlite3_file* file, sqlite3_int64 size) {
  sqlite3_file* system = below(file);
  return system->pMethods->xTruncate(system, sealed_size(content_of(file).part, size));
}

int size_of_sealed(sqlite3_file* file, sqlite3_int64* size) {
  sqlite3_file* system = below(file);
  sqlite3_int64 bytes = 0;
  const int code = system->pMethods->xFileSize(system, &bytes);
  if (code == SQLITE_OK) *size = plain_size(content_of(file).part, bytes);
  return code;
}

// Fewer bytes than a header if the file ends before.
std::string read_header(sqlite3_file* system) {
  std::string bytes(SealedHeader::kBytes, '\0');
  const int code = system->pMethods->xRead(system, bytes.data(), static_cast<int>(bytes.size()), 0);
  sqlite3_int64 size = 0;
  if ((code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) ||
      system->pMethods->xFileSize(system, &size) != SQLITE_OK) {
    throw Error("Cannot read the beginning of an encrypted gallery.");
  }
  bytes.resize(std::min(bytes.size(), static_cast<std::size_t>(size)));
  return bytes;
}

int write_and_sync(sqlite3_file* system, std::string_view bytes, std::size_t offset) {
  const int code = system->pMethods->xWrite(system, bytes.data(), static_cast<int>(bytes.size()),
                                            static_cast<sqlite3_int64>(offset));
  return code != SQLITE_OK ? code : system->pMethods->xSync(system, SQLITE_SYNC_FULL);
}

int change_secret(sqlite3_file* file, SecretChange& change) {
  sqlite3_file* system = below(file);
  const std::string& name = content_of(file).name;
  try {
    SealedHeader header = SealedHeader::parse(read_header(system), name);
    const std::size_t added = header.add_slot(*change.old_key, *change.new_key, name);
    int code = write_and_sync(system, header.slot(added), SealedHeader::slot_begin(added));
    if (code != SQLITE_OK) return code;
    const std::size_t gone = header.forget_other_slots();
    code = write_and_sync(system, header.slot(gone), SealedHeader::slot_begin(gone));
    return code;
  } catch (...) {
    change.failure = std::current_exception();
    return SQLITE_ERROR;
  }
}

int control_sealed(sqlite3_file* file, int operation, void* argument) {
  if (operation == kChangeSecret) {
    return change_secret(file, *static_cast<SecretChange*>(argument));
  }
  // These would size the file as if it were not sealed.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) {
    return SQLITE_OK;
  }
  sqlite3_file* system = below(file);
  return system->pMethods->xFileControl(system, operation, argument);
}

// What a page costs more to write than a sector is the journal's business, see sealed_layout.h.
int characteristics_of_sealed(sqlite3_file* file) {
  sqlite3_file* system = below(file);
  constexpr int kKept = SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN | SQLITE_IOCAP_IMMUTABLE;
  return (system->pMethods->xDeviceCharacteristics(system) & kKept) |
         SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

int close_sealed(sqlite3_file* file) {
  delete reinterpret_cast<SealedFile*>(file)->content;
  sqlite3_file* system = below(file);
  return system->pMethods->xClose(system);
}

// The rest is the system's.
template <auto Method, typename... Arguments>
int as_below(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* system = below(file);
  return (system->pMethods->*Method)(system, arguments...);
}

void barrier_below(sqlite3_file* file) {
  sqlite3_file* system = below(file);
  system->pMethods->xShmBarrier(system);
}

const sqlite3_io_methods& sealed_methods() {
  using M = sqlite3_io_methods;
  static const M methods = [] {
    M m{};
    m.iVersion = 2;  // no memory mapping
    m.xClose = close_sealed;
    m.xRead = read_sealed;
    m.xWrite = write_sealed;
    m.xTruncate = truncate_sealed;
    m.xSync = as_below<&M::xSync, int>;
    m.xFileSize = size_of_sealed;
    m.xLock = as_below<&M::xLock, int>;
    m.xUnlock = as_below<&M::xUnlock, int>;
    m.xCheckReservedLock = as_below<&M::xCheckReservedLock, int*>;
    m.xFileControl = control_sealed;
    m.xSectorSize = as_below<&M::xSectorSize>;
    m.xDeviceCharacteristics = characteristics_of_sealed;
    m.xShmMap = as_below<&M::xShmMap, int, int, int, void volatile**>;
    m.xShmLock = as_below<&M::xShmLock, int, int, int>;
    m.xShmBarrier = barrier_below;
    m.xShmUnmap = as_below<&M::xShmUnmap, int>;
    return m;
  }();
  return methods;
}

// Finds the key of the pages, or makes one for an empty file.
void open_header(sqlite3_file* system, SealedSession::State& session) {
  std::string bytes = read_header(system);
  const bool empty = std::ranges::all_of(bytes, [](char c) { return c == 0; });
  if (empty && session.create) {
    bytes = SealedHeader::create(*session.key).bytes();
    if (write_and_sync(system, bytes, 0) != SQLITE_OK) {
      throw Error(ErrorKind::no_space, "Cannot write the gallery {}.", session.name);
    }
  } else if (empty) {
    throw Error("{} is empty: nobody was enrolled in it.", session.name);
  }
  if (!SealedHeader::is_sealed(bytes)) {
    throw Error("The gallery {} is not encrypted: use it without a key.", session.name);
  }
  session.seal = SealedHeader::parse(bytes, session.name).open(*session.key, session.name);
}

int open_sealed(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags,
                int* flags_out) {
  file->pMethods = nullptr;
  constexpr int kKinds = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
  const std::shared_ptr<SealedSession::State> session = session_of(name);
  // Nothing is written that nobody has a key for, such as a temporary file.
  if (!session || (flags & kKinds) == 0) return SQLITE_CANTOPEN;
  sqlite3_file* system = below(file);
  const int code = vfs_below()->xOpen(vfs_below(), name, system, flags, flags_out);
  if (code != SQLITE_OK) return code;
  try {
    auto content = std::make_unique<SealedContent>();
    content->part = (flags & SQLITE_OPEN_MAIN_DB) != 0 ? SealedPart::kDatabase
                    : (flags & SQLITE_OPEN_WAL) != 0   ? SealedPart::kLog
                                                       : SealedPart::kJournal;
    if (content->part == SealedPart::kDatabase) open_header(system, *session);
    content->seal = session->seal;
    content->name = session->name;
    reinterpret_cast<SealedFile*>(file)->content = content.release();
    file->pMethods = &sealed_methods();
    return SQLITE_OK;
  } catch (...) {
    session->failure = std::current_exception();
    system->pMethods->xClose(system);
    return SQLITE_CANTOPEN;
  }
}

}  // namespace

sqlite3_vfs* sealing_vfs() {
  static sqlite3_vfs* const registered = []() -> sqlite3_vfs* {
    if (vfs_below() == nullptr) return nullptr;
    static sqlite3_vfs vfs = *vfs_below();
    vfs.szOsFile += static_cast<int>(sizeof(SealedFile));
    vfs.zName = "longshot-sealing";
    vfs.pNext = nullptr;
    vfs.xOpen = open_sealed;
    return sqlite3_vfs_register(&vfs, 0) == SQLITE_OK ? &vfs : nullptr;
  }();
  return registered;
}

SealedSession::SealedSession(GalleryKey::Shared key, std::string name, bool create)
    : state_(std::make_shared<State>()) {
  static std::atomic<int> last{0};
  number_ = ++last;
  state_->key = std::move(key);
  state_->name = std::move(name);
  state_->create = create;
  const std::lock_guard lock(sessions().mutex);
  sessions().by_number.emplace(number_, state_);
}

SealedSession::~SealedSession() {
  const std::lock_guard lock(sessions().mutex);
  sessions().by_number.erase(number_);
}

std::string SealedSession::parameter() const {
  return fmt::format("{}={}", kParameter, number_);
}

void SealedSession::rethrow_failure() const {
  if (state_->failure) std::rethrow_exception(state_->failure);
}

}  // namespace longshot
