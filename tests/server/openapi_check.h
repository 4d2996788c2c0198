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
// The same by what was asked: "GET", "/v1/people/anna?x=1". What the document does not have must be
// refused with a problem, unless it is the page.
std::string mismatch(const std::string& method, const std::string& target, const Reply& reply);

}  // namespace longshot::server_test
