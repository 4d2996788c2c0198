// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/schema_text.h"

#include <memory>
#include <new>

#include <fmt/format.h>
#include <sqlite3.h>

namespace longshot {
namespace {

int append_line(void* text, int /*columns*/, char** values, char** /*names*/) {
  try {
    *static_cast<std::string*>(text) += schema_line(values[0], values[1] ? values[1] : "");
  } catch (const std::bad_alloc&) {
    return 1;
  }
  return 0;
}

}  // namespace

std::string schema_line(std::string_view name, std::string_view sql) {
  return fmt::format("{}: {}\n", name, sql);
}

std::string schema_text(std::span<const char* const> steps) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(":memory:", &opened);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database(opened, sqlite3_close);
  bool good = code == SQLITE_OK;
  for (const char* step : steps) {
    good = good && sqlite3_exec(opened, step, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  std::string text;
  good = good && sqlite3_exec(opened, std::string(kSchemaQuery).c_str(), append_line, &text,
                              nullptr) == SQLITE_OK;
  // In memory and from SQL of our own nothing else can go wrong.
  if (!good) throw std::bad_alloc();
  return text;
}

}  // namespace longshot
