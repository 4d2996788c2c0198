// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/fault_vfs_test.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#include <vector>

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace longshot::faults {
namespace {

struct UnsyncedWrite {
  int keeper = -1;
  ino_t number = 0;
  std::int64_t offset = 0;
  std::string before;
  std::int64_t size_before = 0;
};

struct Plan {
  Kind kind = Kind::kFail;
  std::int64_t point = 0;
  std::int64_t uses = 0;
  bool armed = false;
  bool busy = false;  // our own work is not counted
  std::vector<UnsyncedWrite> unsynced;
};

Plan plan;

struct FaultFile {
  sqlite3_file base;
  // Also the file, whatever its name is by then; -1 where writes are not remembered. Never closed,
  // as that would give back the locks of the process.
  int keeper;
  ino_t number;
};

sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<FaultFile*>(file) + 1);
}

bool remembers_writes() {
  return plan.armed && (plan.kind == Kind::kPowerLoss || plan.kind == Kind::kHalfLost);
}

void lose_unsynced() {
  plan.busy = true;
  bool lost = true;
  for (auto write = plan.unsynced.rbegin(); write != plan.unsynced.rend(); ++write) {
    if (plan.kind == Kind::kHalfLost) lost = !lost;
    if (!lost) continue;
    const bool done =
        ::pwrite(write->keeper, write->before.data(), write->before.size(), write->offset) >= 0;
    if (!done ||
        (plan.kind == Kind::kPowerLoss && ::ftruncate(write->keeper, write->size_before) != 0)) {
      ::_exit(3);
    }
  }
}

// True if this use of a file is to fail.
bool fails() {
  if (!plan.armed || plan.busy || plan.kind == Kind::kAllocation) return false;
  ++plan.uses;
  if (plan.point == 0 || plan.uses < plan.point) return false;
  if (plan.kind == Kind::kFailOn) return true;
  if (plan.uses > plan.point) return false;
  if (plan.kind == Kind::kFail) return true;
  if (plan.kind != Kind::kKill) lose_unsynced();
  ::raise(SIGKILL);
  return false;
}

bool allocation_fails() {
  if (!plan.armed || plan.busy || plan.kind != Kind::kAllocation) return false;
  return ++plan.uses == plan.point;
}

// Before bytes change: what stands there now.
void remember(sqlite3_file* file, std::int64_t offset, std::int64_t count) {
  const FaultFile& ours = *reinterpret_cast<FaultFile*>(file);
  if (!remembers_writes() || ours.keeper < 0) return;
  plan.busy = true;
  sqlite3_file* system = real(file);
  UnsyncedWrite write{ours.keeper, ours.number, offset, "", 0};
  sqlite3_int64 size = 0;
  system->pMethods->xFileSize(system, &size);
  write.size_before = size;
  const std::int64_t there = std::clamp<std::int64_t>(size - offset, 0, count);
  write.before.resize(static_cast<std::size_t>(there));
  if (there > 0) {
    system->pMethods->xRead(system, write.before.data(), static_cast<int>(there), offset);
  }
  plan.unsynced.push_back(std::move(write));
  plan.busy = false;
}

int close_file(sqlite3_file* file) {
  return real(file)->pMethods->xClose(real(file));
}

int write_file_bytes(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  if (fails()) return SQLITE_IOERR_WRITE;
  remember(file, offset, count);
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (fails()) return SQLITE_IOERR_TRUNCATE;
  sqlite3_int64 now = 0;
  real(file)->pMethods->xFileSize(real(file), &now);
  remember(file, size, std::max<std::int64_t>(now - size, 0));
  return real(file)->pMethods->xTruncate(real(file), size);
}

int sync_file(sqlite3_file* file, int flags) {
  if (fails()) return SQLITE_IOERR_FSYNC;
  if (remembers_writes()) {
    const ino_t number = reinterpret_cast<FaultFile*>(file)->number;
    std::erase_if(plan.unsynced, [&](const auto& write) { return write.number == number; });
  }
  return real(file)->pMethods->xSync(real(file), flags);
}

template <auto Method, int Code, typename... Arguments>
int faulty(sqlite3_file* file, Arguments... arguments) {
  if (Code != 0 && fails()) return Code;
  return (real(file)->pMethods->*Method)(real(file), arguments...);
}

void barrier(sqlite3_file* file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

const sqlite3_io_methods& fault_methods() {
  using M = sqlite3_io_methods;
  static const M methods = [] {
    M m{};
    m.iVersion = 2;
    m.xClose = close_file;
    m.xRead = faulty<&M::xRead, SQLITE_IOERR_READ, void*, int, sqlite3_int64>;
    m.xWrite = write_file_bytes;
    m.xTruncate = truncate_file;
    m.xSync = sync_file;
    m.xFileSize = faulty<&M::xFileSize, SQLITE_IOERR_FSTAT, sqlite3_int64*>;
    m.xLock = faulty<&M::xLock, SQLITE_IOERR_LOCK, int>;
    m.xUnlock = faulty<&M::xUnlock, 0, int>;
    m.xCheckReservedLock = faulty<&M::xCheckReservedLock, SQLITE_IOERR_CHECKRESERVEDLOCK, int*>;
    m.xFileControl = faulty<&M::xFileControl, 0, int, void*>;
    m.xSectorSize = faulty<&M::xSectorSize, 0>;
    m.xDeviceCharacteristics = faulty<&M::xDeviceCharacteristics, 0>;
    m.xShmMap = faulty<&M::xShmMap, SQLITE_IOERR_SHMMAP, int, int, int, void volatile**>;
    m.xShmLock = faulty<&M::xShmLock, SQLITE_IOERR_SHMLOCK, int, int, int>;
    m.xShmBarrier = barrier;
    m.xShmUnmap = faulty<&M::xShmUnmap, 0, int>;
    return m;
  }();
  return methods;
}

sqlite3_vfs* system_files() {
  static sqlite3_vfs* const vfs = sqlite3_vfs_find("unix");
  return vfs;
}

int open_file(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out) {
  file->pMethods = nullptr;
  if (fails()) return SQLITE_CANTOPEN;
  const int code = system_files()->xOpen(system_files(), name, real(file), flags, out);
  if (code != SQLITE_OK) return code;
  FaultFile& ours = *reinterpret_cast<FaultFile*>(file);
  ours.keeper = name == nullptr || !remembers_writes() ? -1 : ::open(name, O_RDWR);
  struct stat status {};
  if (ours.keeper >= 0 && ::fstat(ours.keeper, &status) != 0) ::_exit(3);
  ours.number = status.st_ino;
  file->pMethods = &fault_methods();
  return SQLITE_OK;
}

int delete_file(sqlite3_vfs* /*vfs*/, const char* name, int sync) {
  if (fails()) return SQLITE_IOERR_DELETE;
  return system_files()->xDelete(system_files(), name, sync);
}

sqlite3_mem_methods system_memory;

void* allocate(int size) {
  return allocation_fails() ? nullptr : system_memory.xMalloc(size);
}

void* reallocate(void* memory, int size) {
  return allocation_fails() ? nullptr : system_memory.xRealloc(memory, size);
}

// As OpenSSL calls them; it also says where it does.
void* allocate_for_cipher(std::size_t size, const char* /*file*/, int /*line*/) {
  return allocation_fails() ? nullptr : std::malloc(size);
}

void* reallocate_for_cipher(void* memory, std::size_t size, const char* /*file*/, int /*line*/) {
  return allocation_fails() ? nullptr : std::realloc(memory, size);
}

void free_for_cipher(void* memory, const char* /*file*/, int /*line*/) {
  std::free(memory);
}

}  // namespace

bool install() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory);
  sqlite3_mem_methods memory = system_memory;
  memory.xMalloc = allocate;
  memory.xRealloc = reallocate;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
  CRYPTO_set_mem_functions(allocate_for_cipher, reallocate_for_cipher, free_for_cipher);
  static sqlite3_vfs vfs = *system_files();
  vfs.szOsFile += static_cast<int>(sizeof(FaultFile));
  vfs.zName = "faulty";
  vfs.pNext = nullptr;
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  return sqlite3_vfs_register(&vfs, 1) == SQLITE_OK;
}

void arm(Kind kind, std::int64_t point) {
  plan = Plan{kind, point, 0, true, false, {}};
}

std::int64_t disarm() {
  plan.armed = false;
  return plan.uses;
}

namespace {

const bool installed = install();

}  // namespace
}  // namespace longshot::faults

// AddressSanitizer has its own. Inlined, GCC takes them for a mismatch of new and free.
#ifndef LONGSHOT_SANITIZE_ADDRESS

[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory =
      longshot::faults::allocation_fails() ? nullptr : std::malloc(std::max(size, std::size_t{1}));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

#endif
