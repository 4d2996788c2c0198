// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Files that the build compiles in: longshot_embed() in cmake/Embed.cmake.
namespace longshot::server::assets {

std::string_view openapi_json();

}  // namespace longshot::server::assets
