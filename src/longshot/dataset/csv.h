// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

struct CsvRecord {
  std::vector<std::string> fields;
  Index line = 0;       // of its first character, counted from 1
  std::string problem;  // why it cannot be read, in one sentence; empty if it can
};

// RFC 4180 with the liberties that programs take: lines end with CRLF, LF or CR, a byte order mark
// and blank lines are passed over, spaces around unquoted fields are dropped, and a quotation mark
// inside an unquoted field stands for itself.
std::vector<CsvRecord> parse_csv(std::string_view text);

// The field as it is written: in quotation marks where it must be.
std::string csv_field(std::string_view text);

// The same for a table that people open: spreadsheets run a cell that begins like a formula, so
// such a text gets an apostrophe in front.
std::string table_cell(std::string_view text);

}  // namespace longshot
