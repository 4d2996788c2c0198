// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/model_io.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

using testing::HasSubstr;

constexpr std::size_t kVersionAt = 7;
constexpr std::size_t kLengthAt = 11;

Model small_model() {
  Model model;
  model.method = "slrfr";
  model.options.tune = false;
  model.options.embedding = "network.onnx";
  model.geometry = {FaceFrame(), {4, 3}, {3, 2}, parse_operator("gauss:0.5")};
  model.geometry.frame.aspect = 1.25;
  model.lights = {{0, 0}, {30, -20}};
  model.prior = {{4, 3}, Vector::LinSpaced(12, 0.5, 1.0), Vector::Constant(12, 0.1)};
  model.state.set_space("low", {Normalisation::kUnitNorm, Vector::Zero(6), Matrix::Identity(6, 4)});
  model.state.set_number("atoms", 3);
  model.state.set_number("sparsity", 2);
  return model;
}

std::string decoding_error(std::string_view bytes) {
  try {
    decode_model(bytes, "faces.model");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string with_right_checksum(std::string bytes) {
  const std::size_t end = bytes.size() - 4;
  const auto checksum =
      static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), end));
  std::memcpy(bytes.data() + end, &checksum, sizeof(checksum));
  return bytes;
}

TEST(ModelIoTest, ReadsWhatItWrote) {
  const Model model = small_model();
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "model_io_test.model";
  write_model(path, model);
  const Model read = read_model(path);
  std::filesystem::remove(path);
  EXPECT_EQ(read.method, model.method);
  EXPECT_EQ(read.options.profile, model.options.profile);
  EXPECT_EQ(read.options.tune, model.options.tune);
  EXPECT_EQ(read.options.embedding, model.options.embedding);
  EXPECT_EQ(read.geometry.frame, model.geometry.frame);
  EXPECT_EQ(read.geometry.high, model.geometry.high);
  EXPECT_EQ(read.geometry.low, model.geometry.low);
  EXPECT_EQ(read.geometry.op, model.geometry.op);
  EXPECT_EQ(read.lights, model.lights);
  ASSERT_TRUE(read.prior);
  EXPECT_EQ(read.prior->mean, model.prior->mean);
  EXPECT_EQ(read.prior->variance, model.prior->variance);
  EXPECT_EQ(read.state.matrices(), model.state.matrices());

  Model plain = model;
  plain.prior.reset();
  plain.options.profile = Profile::kBest;
  const Model again = decode_model(encode_model(plain), "plain");
  EXPECT_FALSE(again.prior);
  EXPECT_EQ(again.options.profile, Profile::kBest);
}

TEST(ModelIoTest, ARestoredRecogniserGivesTheSameScores) {
  const RecognizerProblem& problem = recognizer_problem();
  Model model = small_model();
  model.prior.reset();
  model.geometry = problem.geometry();
  const auto recognizer = make_recognizer("slrfr", model.options);
  recognizer->learn(problem.training);
  model.state = recognizer->state();
  const auto restored = restore_recognizer(decode_model(encode_model(model), "model"));
  EXPECT_EQ(all_distances(*restored, problem.people, problem.probes),
            all_distances(*recognizer, problem.people, problem.probes));
}

TEST(ModelIoTest, EveryCutIsRefused) {
  const std::string bytes = encode_model(small_model());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(decoding_error(std::string_view(bytes).substr(0, size)), "") << size;
  }
  EXPECT_NE(decoding_error(bytes + "x"), "");
}

TEST(ModelIoTest, EveryChangedByteIsRefused) {
  const std::string bytes = encode_model(small_model());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {0x01, 0x40, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      EXPECT_NE(decoding_error(damaged), "") << i;
    }
  }
}

// The checksum does not protect from a file that was made to harm: such a file is refused by an
// Error and nothing else, or is a model.
TEST(ModelIoTest, ChangedBytesUnderARightChecksumDoNoHarm) {
  const std::string bytes = encode_model(small_model());
  Index refused = 0;
  for (std::size_t i = 0; i < bytes.size() - 4; ++i) {
    for (const int change : {0x01, 0x40, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      try {
        restore_recognizer(decode_model(with_right_checksum(changed), "faces.model"));
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(ModelIoTest, KeepsTheCamera) {
  Model model = small_model();
  model.geometry.registration = {0.01, -0.02, 0.03, -0.04};
  model.geometry.gamma = 1.2;
  model.geometry.noise = 0.05;
  model.geometry.error = {0.01, 0.02, 0.1, 0.15, 0.2};
  const FaceGeometry back = decode_model(encode_model(model), "x").geometry;
  EXPECT_EQ(back.registration, model.geometry.registration);
  EXPECT_EQ(back.gamma, model.geometry.gamma);
  EXPECT_EQ(back.noise, model.geometry.noise);
  EXPECT_EQ(back.error, model.geometry.error);
  model.geometry.gamma = 0.0;
  EXPECT_THROW(encode_model(model), Error);
}

TEST(ModelIoTest, ReadsVersionOneWhichHadNoCameras) {
  const Model model = small_model();
  std::string bytes = encode_model(model);
  // Header; method; profile and flag; embedding; parameters; frame; sizes; operator.
  const std::size_t camera_at = 19 + (4 + 5) + 8 + (4 + 12) + 4 + 40 + 16 + 12;
  constexpr std::size_t kCameraBytes = 12 * 8;
  bytes.erase(camera_at, kCameraBytes);
  bytes[kVersionAt] = 1;
  const std::uint64_t length = bytes.size() - 19 - 4;
  std::memcpy(bytes.data() + kLengthAt, &length, sizeof(length));
  const Model back = decode_model(with_right_checksum(bytes), "old.model");
  EXPECT_EQ(back.geometry.op, model.geometry.op);
  EXPECT_EQ(back.geometry.registration, Registration());
  EXPECT_EQ(back.geometry.gamma, 1.0);
  EXPECT_EQ(back.lights.size(), model.lights.size());
  EXPECT_EQ(back.state.number("atoms"), 3.0);
}

TEST(ModelIoTest, ReadsVersionTwoWhichHadNoWarp) {
  Model model = small_model();
  model.geometry.error.black = 0.25;
  model.geometry.error.warp = 0.125;
  std::string bytes = encode_model(model);
  const std::size_t camera_at = 19 + (4 + 5) + 8 + (4 + 12) + 4 + 40 + 16 + 12;
  bytes.erase(camera_at + 11 * 8, 8);
  bytes[kVersionAt] = 2;
  const std::uint64_t length = bytes.size() - 19 - 4;
  std::memcpy(bytes.data() + kLengthAt, &length, sizeof(length));
  const Model back = decode_model(with_right_checksum(bytes), "old.model");
  EXPECT_EQ(back.geometry.error.black, 0.25);
  EXPECT_EQ(back.geometry.error.warp, 0.0);
  EXPECT_EQ(back.lights.size(), model.lights.size());
  EXPECT_EQ(decode_model(encode_model(model), "new.model").geometry.error, model.geometry.error);
}

TEST(ModelIoTest, MessagesTellTheReason) {
  const std::string bytes = encode_model(small_model());
  EXPECT_THAT(decoding_error("P5 6 5"), HasSubstr("faces.model is not a model"));
  EXPECT_THAT(decoding_error(""), HasSubstr("faces.model is not a model"));
  std::string changed = bytes;
  changed[kVersionAt] = 4;
  EXPECT_THAT(decoding_error(with_right_checksum(changed)), HasSubstr("version 4"));
  changed[kVersionAt] = 0;
  EXPECT_THAT(decoding_error(with_right_checksum(changed)), HasSubstr("version 0"));
  changed = bytes;
  changed[kLengthAt] = static_cast<char>(changed[kLengthAt] + 1);
  EXPECT_THAT(decoding_error(changed), HasSubstr("length"));
  changed = bytes;
  changed[changed.size() - 10] = static_cast<char>(changed[changed.size() - 10] + 1);
  EXPECT_THAT(decoding_error(changed), HasSubstr("checksum"));
}

TEST(ModelIoTest, AHugeMatrixIsRefusedBeforeItIsAllocated) {
  Model model = small_model();
  model.state = ModelState();
  model.state.set("a", Matrix::Ones(1, 1));
  std::string bytes = encode_model(model);
  // The file ends with rows, columns, one value and the checksum.
  const std::size_t rows_at = bytes.size() - 4 - 8 - 8;
  for (std::size_t i = rows_at; i < rows_at + 8; ++i) bytes[i] = static_cast<char>(0xff);
  EXPECT_THAT(decoding_error(with_right_checksum(bytes)), HasSubstr("claims more"));
}

TEST(ModelIoTest, ABadModelIsNotWritten) {
  Model model = small_model();
  model.lights.clear();
  EXPECT_THROW(encode_model(model), Error);
  model = small_model();
  model.geometry.low = {0, 6};
  EXPECT_THROW(encode_model(model), Error);
  model = small_model();
  model.prior->size = {3, 4};
  EXPECT_THROW(encode_model(model), Error);
  model = small_model();
  model.method.clear();
  EXPECT_THROW(encode_model(model), Error);
}

TEST(ModelIoTest, ValuesThatAreNotFiniteAreRefused) {
  Model model = small_model();
  model.state.set("bad", Matrix::Constant(2, 2, std::nan("")));
  EXPECT_THROW(encode_model(model), Error);
  std::string bytes = encode_model(small_model());
  // The last value of the file, "sparsity", becomes NaN.
  for (std::size_t i = bytes.size() - 12; i < bytes.size() - 4; ++i) {
    bytes[i] = static_cast<char>(0xff);
  }
  EXPECT_THAT(decoding_error(with_right_checksum(bytes)), HasSubstr("not finite"));
}

TEST(ModelIoTest, AnUnknownMethodIsRefused) {
  Model model = small_model();
  model.method = "mind-reading";
  EXPECT_THROW(restore_recognizer(decode_model(encode_model(model), "model")), Error);
}

TEST(ModelIoTest, AMissingFileIsNamed) {
  try {
    read_model("no/such.model");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no/such.model"));
  }
}

}  // namespace
}  // namespace longshot
