// SPDX-License-Identifier: Apache-2.0
// Models, training faces, normal maps and cameras that were damaged by hand, from the files in
// tests/files: each is refused with its sentence, and only one.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/camera/camera.h"
#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/pipeline/training_faces.h"
#include "longshot/recognize/model_io.h"
#include "longshot/relight/normal_map_io.h"

namespace longshot {
namespace {

using testing::HasSubstr;

std::string kept_bytes(const std::string& name) {
  return read_file(std::filesystem::path(LONGSHOT_SOURCE_DIR) / "tests/files" / name);
}

struct DamagedFile {
  std::string file;      // of tests/files
  std::string what;      // was done to it
  std::string bytes;     // then
  std::string sentence;  // a part of what it gets
};

void PrintTo(const DamagedFile& damaged, std::ostream* out) {
  *out << damaged.file << ", " << damaged.what;
}

// The sentence of the Error; "" if the file was read.
std::string refusal_of(const std::string& file, std::string_view bytes) {
  try {
    if (file.starts_with("model")) decode_model(bytes, "x");
    if (file.starts_with("training")) decode_training(bytes, "x");
    if (file.starts_with("normals")) decode_normal_map(bytes, "x");
    if (file.starts_with("camera")) decode_camera(bytes, "x");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string flipped(std::string bytes, std::size_t at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 0x80);
  return bytes;
}

// Magic, version, length of the content, content, checksum.
void damage_framed(const std::string& file, std::size_t magic, std::vector<DamagedFile>& table) {
  const std::string whole = kept_bytes(file);
  const std::size_t size = whole.size();
  const std::size_t content = magic + 12;
  const auto add = [&](const std::string& what, std::string bytes, const char* sentence) {
    table.push_back({file, what, std::move(bytes), sentence});
  };
  const char* const kKind = "x is not a";
  const char* const kVersion = "of version";
  const char* const kShort = "x is damaged: it claims more than fits.";
  const char* const kLength = "x is damaged: its length does not fit its header.";
  const char* const kChecksum = "x is damaged: its checksum is wrong.";
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, magic - 1}) {
    add(fmt::format("cut to {} bytes", length), whole.substr(0, length), kKind);
  }
  for (const std::size_t length : {magic, magic + 3, magic + 4, magic + 11}) {
    add(fmt::format("cut to {} bytes", length), whole.substr(0, length), kShort);
  }
  for (const std::size_t length :
       {content, content + 3, content + 4, size / 4, size / 2, size - 5, size - 4, size - 1}) {
    add(fmt::format("cut to {} bytes", length), whole.substr(0, length), kLength);
  }
  for (std::size_t at = 0; at < magic; ++at) {
    add(fmt::format("byte {} of the magic", at), flipped(whole, at), kKind);
  }
  for (std::size_t at = magic; at < magic + 4; ++at) {
    add(fmt::format("byte {} of the version", at - magic), flipped(whole, at), kVersion);
  }
  add("version 0", std::string(whole).replace(magic, 1, 1, '\0'), kVersion);
  add("version 9", std::string(whole).replace(magic, 1, 1, '\x09'), kVersion);
  for (std::size_t at = magic + 4; at < content; ++at) {
    add(fmt::format("byte {} of the length", at - magic - 4), flipped(whole, at), kLength);
  }
  for (std::size_t part = 0; part < 12; ++part) {
    const std::size_t at = content + part * (size - 4 - content) / 12;
    add(fmt::format("byte {}", at), flipped(whole, at), kChecksum);
  }
  for (std::size_t at = size - 4; at < size; ++at) {
    add(fmt::format("byte {} of the checksum", at + 4 - size), flipped(whole, at), kChecksum);
  }
  add("a page of zeros", std::string(whole).replace(content + 64, 512, 512, '\0'), kChecksum);
  add("a page of ones", std::string(whole).replace(content + 64, 512, 512, '\xFF'), kChecksum);
  add("all zeros", std::string(size, '\0'), kKind);
  add("one byte more", whole + '\0', kLength);
  add("twice", whole + whole, kLength);
  add("a byte lost in the middle", std::string(whole).erase(size / 2, 1), kLength);
  add("lines ended as on Windows", std::string(whole).replace(content + 9, 1, "\r\n"), kLength);
}

using Json = nlohmann::ordered_json;

void damage_camera(std::vector<DamagedFile>& table) {
  const std::string file = "camera-1-with-warp.json";
  const std::string whole = kept_bytes(file);
  const char* const kDamaged = "x is not a camera file, or it is damaged: learn it again.";
  const auto add = [&](const std::string& what, std::string bytes, const std::string& sentence) {
    table.push_back({file, what, std::move(bytes), sentence});
  };
  const auto with = [&](const char* key, const Json& value, const std::string& sentence) {
    Json document = Json::parse(whole);
    document[Json::json_pointer(key)] = value;
    add(fmt::format("{} is {}", key, value.dump()), document.dump(), sentence);
  };
  for (const char* key : {"/format",         "/version",         "/size",        "/crops",
                          "/learnt",         "/operator",        "/dx",          "/dy",
                          "/log_x",          "/log_y",           "/gamma",       "/noise",
                          "/black",          "/error",           "/error/shift", "/error/log_scale",
                          "/error/log_blur", "/error/log_gamma", "/error/black", "/tone"}) {
    const Json::json_pointer place(key);
    Json document = Json::parse(whole);
    document[place.parent_pointer()].erase(place.back());
    add(fmt::format("without {}", key), document.dump(), kDamaged);
    if (place.back() != "format") with(key, nullptr, kDamaged);
    if (place.back() != "learnt" && place.back() != "format") with(key, true, kDamaged);
  }
  for (const char* key : {"/dx", "/log_y", "/gamma", "/noise", "/black", "/error/shift",
                          "/error/warp", "/crops", "/version"}) {
    with(key, "1", kDamaged);
    with(key, Json::array({1}), kDamaged);
  }
  with("/format", "longshot model", "x is not a camera file.");
  with("/format", 7, "x is not a camera file.");
  with("/version", 2, "of version 2");
  with("/version", 0, "of version 0");
  with("/version", 1.5, kDamaged);
  with("/version", 4294967297, "of version 4294967297");
  with("/crops", 0, "crops of a camera must be at least 1");
  with("/crops", -3, kDamaged);
  with("/crops", 1e300, kDamaged);
  with("/crops", 18446744073709551615U, kDamaged);
  for (const char* size : {"", "3", "3x", "x2", "-3x2", "0x2", "3x2x1", "1e9x1", "99999999999x2"}) {
    with("/size", size, "");
  }
  with("/size", "4000x4000", "size of a camera cannot be");
  with("/size", "2x2", "tone of a camera must have 4 values, not 6");
  for (const char* op : {"", "gauss:", "gauss:-1", "gauss:nan", "gauss:1e99", "bicubic"}) {
    with("/operator", op, "");
  }
  with("/dx", 1.01, "the shift of a camera");
  with("/dy", -1e308, "the shift of a camera");
  with("/log_x", 2, "the logarithm of the scale");
  with("/log_y", -2, "the logarithm of the scale");
  with("/gamma", 0, "gamma of a camera");
  with("/gamma", 11, "gamma of a camera");
  with("/noise", -0.1, "noise of a camera");
  with("/noise", 10.5, "noise of a camera");
  with("/black", 1.5, "black of a camera");
  with("/black", -1.5, "black of a camera");
  with("/error/shift", -1e-9, "the error of the shift");
  with("/error/log_scale", 2, "the error of the scale");
  with("/error/log_blur", 6, "the error of the blur");
  with("/error/log_gamma", -1, "the error of gamma");
  with("/error/black", 5.5, "the error of the black level");
  with("/error/warp", 1.5, "the error of the warp");
  with("/error", 3, kDamaged);
  with("/tone", "face", kDamaged);
  with("/tone", Json::array({1, 2, 3}), "tone of a camera must have 6 values, not 3");
  with("/tone", Json::array({9, 9, 9, 9, 9, 9}), "tone of a camera is out of range");
  with("/tone/3", "x", kDamaged);
  with("/tone/3", nullptr, kDamaged);
  with("/tone/3", Json::array(), kDamaged);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, whole.size() / 3, whole.size() / 2, whole.size() - 3}) {
    add(fmt::format("cut to {} bytes", length), whole.substr(0, length), kDamaged);
  }
  add("a number out of all ranges", std::string(whole).replace(whole.find("1.1"), 3, "1e999"),
      kDamaged);
  add("no number", std::string(whole).replace(whole.find("1.1"), 3, "NaN"), kDamaged);
  add("zeros", std::string(whole.size(), '\0'), kDamaged);
  add("a list", "[1, 2]", kDamaged);
  add("a text", "camera", kDamaged);
  add("a very deep list", std::string(100000, '['), kDamaged);
}

std::vector<DamagedFile> damaged_files() {
  std::vector<DamagedFile> table;
  damage_framed("model-3.model", 7, table);
  damage_framed("training-1.model", 7, table);
  damage_framed("normals-2.normals", 8, table);
  damage_camera(table);
  return table;
}

class DamagedFiles : public testing::TestWithParam<DamagedFile> {};

TEST_P(DamagedFiles, GetOneSentence) {
  const DamagedFile& damaged = GetParam();
  const std::string message = refusal_of(damaged.file, damaged.bytes);
  EXPECT_NE(message, "");
  EXPECT_THAT(message, HasSubstr(damaged.sentence));
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_TRUE(message.ends_with('.')) << message;
}

INSTANTIATE_TEST_SUITE_P(ByHand, DamagedFiles, testing::ValuesIn(damaged_files()));

TEST(DamagedFilesTable, HasEnoughRowsAndItsFilesAreWhole) {
  EXPECT_GE(damaged_files().size(), 250U);
  for (const char* file :
       {"model-3.model", "training-1.model", "normals-2.normals", "camera-1-with-warp.json"}) {
    EXPECT_EQ(refusal_of(file, kept_bytes(file)), "");
  }
}

}  // namespace
}  // namespace longshot
