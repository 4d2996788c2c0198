// SPDX-License-Identifier: Apache-2.0
#include "resume.h"

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "longshot/longshot.h"

namespace longshot::mpi {
namespace {

std::optional<std::string> text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

Resume::Resume(std::filesystem::path folder, const std::string& settings)
    : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const std::filesystem::path file = folder_ / "settings.json";
  const std::optional<std::string> before = text_of(file);
  if (!before) write_file(file, settings);
  if (!before || *before == settings) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("{} keeps parts of a job with other settings, people or probes: name "
                          "another folder.",
                          folder_.string()));
}

std::optional<std::string> Resume::find(const std::string& part) const {
  if (folder_.empty()) return std::nullopt;
  return text_of(folder_ / (part + ".json"));
}

void Resume::keep(const std::string& part, const std::string& text) const {
  if (!folder_.empty()) write_file(folder_ / (part + ".json"), text);
}

}  // namespace longshot::mpi
