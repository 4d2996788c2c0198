// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "client.h"

namespace longshot::server_test {

// The document in the source tree.
const Json& openapi();

// "GET /v1/people/{name}" of every operation.
std::set<std::string> openapi_operations();

// Who may ask, as its description says: "reader".
std::string openapi_role(const std::string& operation);

// Whether a reply is one that the document allows for the operation; otherwise says what is wrong.
std::string mismatch(const std::string& operation, const Reply& reply);

}  // namespace longshot::server_test
