// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace longshot {

// What a file says about its tables, indexes and triggers: their names and SQL, in order of name.
inline constexpr std::string_view kSchemaQuery =
    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "ORDER BY name";

// One line of the text below.
std::string schema_line(std::string_view name, std::string_view sql);

// The same of a file that was made by running the SQL of all steps.
std::string schema_text(std::span<const char* const> steps);

}  // namespace longshot
