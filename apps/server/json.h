// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "http.h"

namespace longshot::server {

using Json = nlohmann::ordered_json;

// UTF-8 in any case: names of files need not be.
std::string text_of(const Json& document);
Response json_response(const Json& document, int status = 200);
// A document of at most 32 levels and 100,000 values. Throws Problem for anything else.
Json parsed_json(std::string_view text);

}  // namespace longshot::server
