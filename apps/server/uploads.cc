// SPDX-License-Identifier: Apache-2.0
#include "uploads.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "multipart.h"
#include "problem.h"
#include "text.h"

namespace longshot::server {
namespace {

Problem wrong_type(const char* name, const char* wanted) {
  return bad_request(fmt::format("The option \"{}\" must be {}.", name, wanted));
}

Problem too_many_images(const Limits& limits) {
  return {413, "too_many_images",
          fmt::format("A request may have {} images at the most.", limits.probes)};
}

// Options of a query are text.
std::optional<double> number_in(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// [a, b, c, d] or "a,b,c,d".
std::optional<std::array<double, 4>> four_numbers(const Json& options, const char* name) {
  const auto found = options.find(name);
  if (found == options.end() || found->is_null()) return std::nullopt;
  Json list = *found;
  if (list.is_string()) {
    const std::string text = list.get<std::string>();
    list = Json::array();
    for (const std::string_view part : split(text, ',')) list.push_back(std::string(part));
  }
  std::array<double, 4> numbers{};
  if (!list.is_array() || list.size() != numbers.size()) throw wrong_type(name, "four numbers");
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::optional<double> number = number_in(list[i]);
    if (!number || !std::isfinite(*number)) throw wrong_type(name, "four numbers");
    numbers[i] = *number;
  }
  return numbers;
}

// What the options say about one picture.
void describe(Picture& picture, const Json& about) {
  if (!about.is_object()) throw bad_request("What is said about an image must be an object.");
  if (const auto eyes = four_numbers(about, "eyes")) {
    picture.eyes = Eyes{{(*eyes)[0], (*eyes)[1]}, {(*eyes)[2], (*eyes)[3]}};
  }
  if (const auto box = four_numbers(about, "box")) {
    picture.box = Box{(*box)[0], (*box)[1], (*box)[2], (*box)[3]};
  }
  picture.aligned = flag_option(about, "aligned", false);
  picture.person = text_option(about, "person", picture.person);
  picture.name = text_option(about, "name", picture.name);
}

// The bytes as a picture, or why they are none. `pixels`: what they claim.
Picture picture_of(std::string bytes, const std::string& name, std::size_t pixels,
                   const Limits& limits) {
  if (pixels > limits.pixels) {
    return Picture::unusable(
        fmt::format("The image has {:.0f} million pixels; {:.0f} million are allowed.",
                    static_cast<double>(pixels) / 1e6, static_cast<double>(limits.pixels) / 1e6),
        name);
  }
  return Picture::encoded(std::move(bytes), name);
}

void add_picture(Upload& upload, std::string bytes, const std::string& name, const Json& about,
                 const Limits& limits) {
  if (upload.pictures.size() >= limits.probes) throw too_many_images(limits);
  upload.bytes += bytes.size();
  const std::optional<Size> size = image_size(bytes);
  const std::size_t pixels =
      size ? static_cast<std::size_t>(size->rows) * static_cast<std::size_t>(size->cols) : 0;
  Picture picture = picture_of(std::move(bytes), name, pixels, limits);
  if (pixels <= limits.pixels) upload.pixels = std::max(upload.pixels, pixels);
  describe(picture, about);
  upload.pictures.push_back(std::move(picture));
}

// The element of the list, an empty object if there is none.
Json about_image(const Json& options, const std::string& list, std::size_t index) {
  const auto found = options.find(list);
  if (found == options.end()) return Json::object();
  if (!found->is_array()) throw bad_request("\"" + list + "\" must be a list.");
  return index < found->size() ? (*found)[index] : Json::object();
}

// True if the list says which file each of its elements is about.
bool names_files(const Json& options, const std::string& list) {
  const Json first = about_image(options, list, 0);
  return first.is_object() && first.contains("file");
}

// One picture for each element of the list, as one file may show several faces.
void choose_faces(Upload& upload, const Json& list, const Limits& limits) {
  const std::vector<Picture> files = std::exchange(upload.pictures, {});
  if (list.size() > limits.probes) throw too_many_images(limits);
  for (const Json& about : list) {
    if (!about.is_object()) throw bad_request("What is said about an image must be an object.");
    const double file = number_option(about, "file", -1.0);
    if (file < 0.0 || file >= static_cast<double>(files.size()) || file != std::floor(file)) {
      throw bad_request("\"file\" must be the number of a file of the form; the first is 0.");
    }
    upload.pictures.push_back(files[static_cast<std::size_t>(file)]);
    describe(upload.pictures.back(), about);
  }
}

Upload from_form(const Request& request, const std::string& list, const Limits& limits) {
  const std::vector<Part> parts =
      parse_multipart(request.body, request.header("content-type"), limits.probes + 8);
  Upload upload;
  upload.options = Json::object();
  for (const Part& part : parts) {
    if (part.name != "options") continue;
    upload.options = parsed_json(part.content);
    if (!upload.options.is_object()) throw bad_request("The options must be an object.");
  }
  const bool several = names_files(upload.options, list);
  for (const Part& part : parts) {
    if (part.filename.empty()) continue;
    const Json about =
        several ? Json::object() : about_image(upload.options, list, upload.pictures.size());
    add_picture(upload, std::string(part.content), part.filename, about, limits);
  }
  if (several) choose_faces(upload, upload.options[list], limits);
  return upload;
}

Upload from_json(const Request& request, const std::string& list, const Limits& limits) {
  Upload upload;
  upload.options = parsed_json(request.body);
  if (!upload.options.is_object()) throw bad_request("The body must be an object.");
  const auto found = upload.options.find(list);
  if (found == upload.options.end() || !found->is_array()) {
    throw bad_request("The body must have a list \"" + list + "\".");
  }
  for (std::size_t i = 0; i < found->size(); ++i) {
    Json& one = (*found)[i];
    if (!one.is_object()) throw bad_request("What is said about an image must be an object.");
    // Moved, for it may be most of the memory that the request takes.
    std::string encoded;
    if (Json& image = one["image"]; image.is_string()) encoded.swap(image.get_ref<std::string&>());
    std::optional<std::string> bytes = from_base64(encoded);
    if (!bytes) throw bad_request(fmt::format("Image {} is not in base64.", i + 1));
    one.erase("image");
    add_picture(upload, *std::move(bytes), fmt::format("image {}", i + 1), one, limits);
  }
  return upload;
}

Upload from_image(const Request& request, const std::string& list, const Limits& limits) {
  Upload upload;
  upload.options = Json::object();
  Json about = Json::object();
  for (const auto& [name, value] : request.query) {
    const bool of_image = name == "eyes" || name == "box" || name == "aligned" || name == "name";
    (of_image ? about : upload.options)[name] = value;
  }
  upload.options[list] = Json::array({about});
  add_picture(upload, request.body, "image", about, limits);
  return upload;
}

}  // namespace

Upload read_upload(const Request& request, const std::string& list, const Limits& limits) {
  const std::string header = lower_case(request.header("content-type"));
  const std::string type(trimmed(header.substr(0, header.find(';'))));
  Upload upload;
  if (type == "multipart/form-data") {
    upload = from_form(request, list, limits);
  } else if (type == "application/json") {
    upload = from_json(request, list, limits);
  } else if (type.starts_with("image/") || type == "application/octet-stream") {
    upload = from_image(request, list, limits);
  } else {
    throw Problem(415, "unknown_type",
                  "The body must be an image, multipart/form-data or application/json.");
  }
  if (upload.pictures.empty()) throw bad_request("The request holds no image.");
  return upload;
}

std::string text_option(const Json& options, const char* name, const std::string& otherwise) {
  const auto found = options.find(name);
  if (found == options.end() || found->is_null()) return otherwise;
  if (!found->is_string()) throw wrong_type(name, "a text");
  return found->get<std::string>();
}

double number_option(const Json& options, const char* name, double otherwise) {
  const auto found = options.find(name);
  if (found == options.end() || found->is_null()) return otherwise;
  const std::optional<double> number = number_in(*found);
  if (!number || !std::isfinite(*number)) throw wrong_type(name, "a number");
  return *number;
}

std::ptrdiff_t whole_option(const Json& options, const char* name, std::ptrdiff_t otherwise,
                            double largest) {
  const double number = number_option(options, name, static_cast<double>(otherwise));
  if (number != std::floor(number) || std::abs(number) > largest) {
    throw wrong_type(name, "a whole number");
  }
  return static_cast<std::ptrdiff_t>(number);
}

bool flag_option(const Json& options, const char* name, bool otherwise) {
  const auto found = options.find(name);
  if (found == options.end() || found->is_null()) return otherwise;
  if (found->is_boolean()) return found->get<bool>();
  if (*found == "true" || *found == "1") return true;
  if (*found == "false" || *found == "0") return false;
  throw wrong_type(name, "true or false");
}

std::optional<Size> size_option(const Json& options, const char* name) {
  const std::string text = text_option(options, name, "auto");
  return text == "auto" ? std::nullopt : std::optional(parse_size(text));
}

void check_options(const Json& options, const std::vector<std::string>& known) {
  for (const auto& [name, value] : options.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      throw bad_request("There is no option \"" + name + "\" here.");
    }
  }
}

}  // namespace longshot::server
