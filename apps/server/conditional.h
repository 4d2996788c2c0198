// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "http.h"

namespace longshot::server {

// Lets the client keep a response of 200: it gets an ETag, and becomes 304 for who has it already,
// or 206 with the range of bytes that is asked for (RFC 9110; of several ranges, the whole). Throws
// Problem 416 for a range that it does not have.
Response conditional(const Request& request, Response response);

// The tag of the same response in gzip, which is another one by its bytes.
std::string packed_tag(const std::string& tag);

}  // namespace longshot::server
