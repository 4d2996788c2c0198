// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace longshot {

// write_file() for what holds faces or names: only its owner may read the new file.
void write_private_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace longshot
