// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "longshot/picture.h"

#include "http.h"
#include "json.h"

namespace longshot::server {

// What came with a request: images, and options beside them.
struct Upload {
  std::vector<Picture> pictures;  // those that are too large are unusable, with the reason
  std::size_t pixels = 0;         // of the largest
  std::size_t bytes = 0;          // of their files
  Json options;                   // an object
};

// The images of a body: one as it is (image/..., with the query as options), a form (files, and the
// options as JSON in the field "options"), or JSON with base64 in the list `list`. That list of the
// options holds eyes, box, aligned, name and person of each; in a form, "file" of all elements may
// say which file each is about, as one may show several faces. Throws Problem.
Upload read_upload(const Request& request, const std::string& list, const Limits& limits);

// Options of a request. They throw Problem if the value is of another type.
std::string text_option(const Json& options, const char* name, const std::string& otherwise);
double number_option(const Json& options, const char* name, double otherwise);
std::ptrdiff_t whole_option(const Json& options, const char* name, std::ptrdiff_t otherwise,
                            double largest = 1e6);
bool flag_option(const Json& options, const char* name, bool otherwise);
std::optional<Size> size_option(const Json& options, const char* name);  // nothing: "auto"
// Throws Problem if an option is none of these: a misspelt one would do nothing.
void check_options(const Json& options, const std::vector<std::string>& known);

}  // namespace longshot::server
