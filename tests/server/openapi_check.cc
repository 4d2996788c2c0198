// SPDX-License-Identifier: Apache-2.0
#include "openapi_check.h"

#include <algorithm>
#include <fstream>

#include "text.h"

namespace longshot::server_test {
namespace {

const Json& resolved(const Json& part) {
  const auto reference = part.find("$ref");
  if (reference == part.end()) return part;
  return openapi().at(Json::json_pointer(reference->get<std::string>().substr(1)));
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

// The part of JSON Schema that the document uses.
std::string mismatch_of(const Json& value, const Json& stated, const std::string& at) {
  const Json& schema = resolved(stated);
  if (schema.contains("type")) {
    const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
    if (std::ranges::none_of(
            types, [&](const Json& type) { return has_type(value, type.get<std::string>()); })) {
      return at + " is not of the type " + schema["type"].dump();
    }
  }
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end()) {
    return at + " is none of " + schema["enum"].dump();
  }
  if (value.is_array() && schema.contains("items")) {
    for (const Json& one : value) {
      std::string wrong = mismatch_of(one, schema["items"], at + "[]");
      if (!wrong.empty()) return wrong;
    }
  }
  if (!value.is_object()) return "";
  for (const Json& name : schema.value("required", Json::array())) {
    if (!value.contains(name.get<std::string>())) return at + " lacks " + name.dump();
  }
  const Json properties = schema.value("properties", Json::object());
  const Json others = schema.value("additionalProperties", Json(true));
  for (const auto& [name, one] : value.items()) {
    if (!properties.contains(name) && others == false) return at + " must not have " + name;
    if (!properties.contains(name) && !others.is_object()) continue;
    std::string wrong =
        mismatch_of(one, properties.contains(name) ? properties[name] : others, at + "." + name);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

// Null if the document does not have it.
const Json* described_operation(const std::string& operation) {
  const std::size_t space = operation.find(' ');
  std::string method = operation.substr(0, space);
  std::ranges::transform(method, method.begin(), [](unsigned char c) { return std::tolower(c); });
  const Json& paths = openapi()["paths"];
  const auto path = paths.find(operation.substr(space + 1));
  return path != paths.end() && path->contains(method) ? &path->at(method) : nullptr;
}

// Whether a path has the form of "/v1/people/{name}".
bool fits(const std::string& pattern, const std::string& path) {
  const std::vector<std::string_view> wanted = server::split(pattern, '/');
  const std::vector<std::string_view> given = server::split(path, '/');
  return std::ranges::equal(wanted, given, [](std::string_view want, std::string_view got) {
    return want == got || (want.starts_with('{') && !got.empty());
  });
}

}  // namespace

const Json& openapi() {
  static const Json document = [] {
    std::ifstream stream(LONGSHOT_SOURCE_DIR "/apps/server/openapi.json");
    return Json::parse(stream);
  }();
  return document;
}

std::set<std::string> openapi_operations() {
  std::set<std::string> operations;
  for (const auto& [path, methods] : openapi()["paths"].items()) {
    for (const auto& [method, operation] : methods.items()) {
      std::string upper = method;
      std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
      operations.insert(upper + " " + path);
    }
  }
  return operations;
}

std::string openapi_role(const std::string& operation) {
  const Json* const described = described_operation(operation);
  if (described == nullptr) return "";
  const std::string text = described->at("description");  // "Role: reader."
  return text.substr(6, text.size() - 7);
}

std::string mismatch(const std::string& method, const std::string& target, const Reply& reply) {
  const std::string path = target.substr(0, target.find('?'));
  for (const auto& [pattern, methods] : openapi()["paths"].items()) {
    const std::string operation = method + " " + pattern;
    if (fits(pattern, path) && described_operation(operation) != nullptr) {
      return mismatch(operation, reply);
    }
  }
  if (reply.status < 400) return "";  // the page
  return mismatch_of(Json::parse(reply.body, nullptr, false),
                     openapi()["components"]["schemas"]["Problem"], "the body");
}

std::string mismatch(const std::string& operation, const Reply& reply) {
  const Json* const described = described_operation(operation);
  if (described == nullptr) return operation + " is unknown";
  const Json& responses = described->at("responses");
  const std::string status = std::to_string(reply.status);
  if (!responses.contains(status) && reply.status < 400) return status + " is not documented";
  const Json& response = resolved(responses[responses.contains(status) ? status : "default"]);
  if (!response.contains("content")) return reply.body.empty() ? "" : "there should be no body";
  const auto type = reply.headers.find("content-type");
  if (type == reply.headers.end()) return "there is no content type";
  const std::string bare = type->second.substr(0, type->second.find(';'));
  if (!response["content"].contains(bare)) return bare + " is not documented";
  if (bare.find("json") == std::string::npos || reply.status == 206) return "";
  const Json body = Json::parse(reply.body, nullptr, false);
  if (body.is_discarded()) return "the body is no JSON";
  return mismatch_of(body, response["content"][bare]["schema"], "the body");
}

}  // namespace longshot::server_test
