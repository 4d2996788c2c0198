// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include <Eigen/Geometry>

#include "longshot/core/error.h"
#include "longshot/core/file.h"

namespace longshot {
namespace {

constexpr std::uintmax_t kMostMeshBytes = std::uintmax_t{512} << 20;
constexpr std::size_t kMostVertices = 5'000'000;
constexpr std::size_t kMostTriangles = 10'000'000;
constexpr std::size_t kMostMaterials = 10'000;

class ObjReader {
 public:
  explicit ObjReader(std::string_view name) : name_(name) {}

  void read_line(std::string_view line) {
    ++line_;
    rest_ = line;
    const std::string_view keyword = next_word();
    if (keyword == "v") {
      read_vertex();
    } else if (keyword == "f") {
      read_face();
    } else if (keyword == "usemtl") {
      read_material();
    }
  }

  Mesh finish() {
    if (mesh_.triangles.empty()) throw Error("{} holds no faces (f lines).", name_);
    mesh_.vertices = Eigen::Map<const Matrix>(coordinates_.data(), 3,
                                              static_cast<Index>(coordinates_.size() / 3));
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(std::string_view why) const {
    throw Error("{}, line {}: {}.", name_, line_, why);
  }

  std::string_view next_word() {
    constexpr std::string_view kBlank = " \t\r";
    const std::size_t begin = rest_.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) {
      rest_ = {};
      return {};
    }
    const std::size_t end = std::min(rest_.find_first_of(kBlank, begin), rest_.size());
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }

  void read_vertex() {
    if (coordinates_.size() / 3 >= kMostVertices) fail("more than 5 million vertices");
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = next_word();
      double value = 0.0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (word.empty() || error != std::errc() || end != word.data() + word.size() ||
          !std::isfinite(value)) {
        fail("a vertex needs three finite numbers");
      }
      coordinates_.push_back(value);
    }
  }

  // The vertex of "v", "v/vt", "v//vn" or "v/vt/vn"; texture and normal are not used.
  Index vertex_of(std::string_view word) const {
    const std::string_view number = word.substr(0, word.find('/'));
    const Index count = static_cast<Index>(coordinates_.size() / 3);
    Index value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size()) {
      fail("a face needs whole numbers of vertices");
    }
    if (value < 0) value += count + 1;  // -1 is the latest vertex
    if (value < 1 || value > count) fail("a face names a vertex that is not there");
    return value - 1;
  }

  void read_face() {
    corners_.clear();
    for (std::string_view word = next_word(); !word.empty(); word = next_word()) {
      corners_.push_back(vertex_of(word));
    }
    if (corners_.size() < 3) fail("a face needs at least three vertices");
    if (mesh_.triangles.size() + corners_.size() > kMostTriangles) {
      fail("more than 10 million triangles");
    }
    for (std::size_t i = 2; i < corners_.size(); ++i) {
      mesh_.triangles.push_back({{corners_[0], corners_[i - 1], corners_[i]}, material_});
    }
  }

  void read_material() {
    const std::string_view word = next_word();
    if (word.empty()) fail("usemtl needs a name");
    auto& names = mesh_.materials;
    for (material_ = 0; material_ < static_cast<Index>(names.size()); ++material_) {
      if (names[static_cast<std::size_t>(material_)] == word) return;
    }
    if (names.size() >= kMostMaterials) fail("more than 10000 materials");
    names.emplace_back(word);
  }

  std::string_view name_;
  std::size_t line_ = 0;
  std::string_view rest_;  // of the line
  std::vector<double> coordinates_;
  std::vector<Index> corners_;
  Index material_ = -1;
  Mesh mesh_;
};

}  // namespace

Mesh parse_obj(std::string_view text, std::string_view name) {
  ObjReader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

Mesh read_obj(const std::filesystem::path& path) {
  return parse_obj(read_file(path, kMostMeshBytes), path.string());
}

Matrix vertex_normals(const Mesh& mesh) {
  Matrix normals = Matrix::Zero(3, mesh.vertices.cols());
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    const Eigen::Vector3d a = mesh.vertices.col(triangle.vertices[0]);
    const Eigen::Vector3d b = mesh.vertices.col(triangle.vertices[1]);
    const Eigen::Vector3d c = mesh.vertices.col(triangle.vertices[2]);
    const Eigen::Vector3d twice_area = (b - a).cross(c - a);
    for (const Index v : triangle.vertices) normals.col(v) += twice_area;
  }
  for (Index v = 0; v < normals.cols(); ++v) normals.col(v).stableNormalize();
  return normals;
}

}  // namespace longshot
