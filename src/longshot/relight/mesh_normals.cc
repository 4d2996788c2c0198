// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mesh_normals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>

#include <Eigen/Geometry>

#include "longshot/core/error.h"
#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

// Normals this close to the silhouette belong to no pixel in particular.
constexpr double kLeastVisibleZ = 0.02;

bool begins_with_any(std::string_view name, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& b) { return name.starts_with(b); });
}

// Which materials (by index) have a name that begins with one of these.
std::vector<bool> materials_that_begin(const Mesh& mesh,
                                       const std::vector<std::string>& beginnings) {
  std::vector<bool> result;
  for (const std::string& name : mesh.materials) {
    result.push_back(begins_with_any(name, beginnings));
  }
  return result;
}

bool is_any(const std::vector<bool>& wanted, Index material) {
  return material >= 0 && wanted[static_cast<std::size_t>(material)];
}

MeshEyes eyes_of_materials(const Mesh& mesh, const std::vector<std::string>& beginnings) {
  const std::vector<bool> wanted = materials_that_begin(mesh, beginnings);
  // The foremost points: the pupils, as near as a mesh that looks ahead tells.
  std::array<Index, 2> foremost = {-1, -1};
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    if (!is_any(wanted, triangle.material)) continue;
    for (const Index v : triangle.vertices) {
      Index& best = foremost[mesh.vertices(0, v) > 0.0 ? 1 : 0];
      if (best < 0 || mesh.vertices(2, v) > mesh.vertices(2, best)) best = v;
    }
  }
  if (foremost[0] < 0 || foremost[1] < 0) {
    throw Error("The mesh has no eye materials on both sides of x = 0; give its eye centres.");
  }
  return {mesh.vertices.col(foremost[0]), mesh.vertices.col(foremost[1])};
}

// The mesh seen in a crop: vertices in pixels (x to the right, y down, z towards the camera), in
// the axes of the picture.
struct View {
  Matrix vertices;  // 3 x n
  Matrix normals;   // 3 x n
};

View project(const Mesh& mesh, const MeshEyes& eyes, double tilt, const FacePlane& plane,
             Size size) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(tilt * std::numbers::pi / 180.0, Eigen::Vector3d::UnitX())
          .toRotationMatrix();
  const Eigen::Vector3d left = turn * eyes.left;
  const Eigen::Vector3d right = turn * eyes.right;
  const Eigen::Vector3d middle = 0.5 * (left + right);
  const double distance = (right - left).head<2>().norm();
  if (!(distance > 0.0)) throw Error("The eye centres of the mesh coincide.");
  const Eigen::Vector2d along = (right - left).head<2>() / distance;
  Eigen::Matrix2d level;  // the mesh's eyes need not be level
  level << along.x(), along.y(), -along.y(), along.x();

  Eigen::Matrix3d to_picture = Eigen::Matrix3d::Identity();
  to_picture.topLeftCorner<2, 2>() = plane.rotation() * level;
  View view{Matrix(3, mesh.vertices.cols()), to_picture * turn * vertex_normals(mesh)};
  for (Index v = 0; v < mesh.vertices.cols(); ++v) {
    const Eigen::Vector3d at = (turn * mesh.vertices.col(v) - middle) / distance;
    const Point fraction = plane.in_crop(level * at.head<2>());
    view.vertices.col(v) << fraction.x * static_cast<double>(size.cols),
        fraction.y * static_cast<double>(size.rows), at.z();
  }
  return view;
}

// Draws triangles into a map of the oversampled crop.
class ZBuffer {
 public:
  explicit ZBuffer(Size size)
      : size_(size),
        depth_(Vector::Constant(size.pixels(), -std::numeric_limits<double>::infinity())),
        normals_(Matrix::Zero(3, size.pixels())) {}

  void draw(const View& view, const std::array<Index, 3>& corners) {
    Eigen::Matrix3d at;
    Eigen::Matrix3d normals;
    for (int i = 0; i < 3; ++i) {
      at.col(i) = view.vertices.col(corners[static_cast<std::size_t>(i)]);
      normals.col(i) = view.normals.col(corners[static_cast<std::size_t>(i)]);
    }
    const Eigen::Vector2d ab = (at.col(1) - at.col(0)).head<2>();
    const Eigen::Vector2d ac = (at.col(2) - at.col(0)).head<2>();
    const double area = ab.x() * ac.y() - ab.y() * ac.x();
    if (!(std::abs(area) > 1e-14)) return;
    const auto [first_col, last_col] = pixels(at.row(0), size_.cols);
    const auto [first_row, last_row] = pixels(at.row(1), size_.rows);
    for (Index col = first_col; col <= last_col; ++col) {
      for (Index row = first_row; row <= last_row; ++row) {
        const double x = static_cast<double>(col) + 0.5 - at(0, 0);
        const double y = static_cast<double>(row) + 0.5 - at(1, 0);
        const double b = (x * ac.y() - y * ac.x()) / area;
        const double c = (ab.x() * y - ab.y() * x) / area;
        if (b < 0.0 || c < 0.0 || b + c > 1.0) continue;
        const Eigen::Vector3d barycentric(1.0 - b - c, b, c);
        const double z = at.row(2).dot(barycentric);
        const Index pixel = col * size_.rows + row;
        if (z <= depth_[pixel]) continue;
        depth_[pixel] = z;
        normals_.col(pixel) = normals * barycentric;
      }
    }
  }

  NormalMap map(const FaceFrame& frame) {
    // Files differ in which side of a triangle is out; what is seen must face the camera.
    if (normals_.row(2).sum() < 0.0) normals_ *= -1.0;
    NormalMap map{size_, std::move(normals_), Vector::Zero(size_.pixels()), Matrix(6, 0), frame};
    for (Index p = 0; p < size_.pixels(); ++p) {
      map.normals.col(p).stableNormalize();
      if (map.normals(2, p) > kLeastVisibleZ) {
        map.mask[p] = 1.0;
      } else {
        map.normals.col(p) = Eigen::Vector3d::UnitZ();
      }
    }
    return map;
  }

 private:
  // First and last pixel whose centre lies between the corners, within the picture.
  static std::array<Index, 2> pixels(const Eigen::RowVector3d& corners, Index count) {
    const double last = static_cast<double>(count - 1);
    const double low = std::ceil(corners.minCoeff() - 0.5);
    const double high = std::floor(corners.maxCoeff() - 0.5);
    if (!(low <= last && high >= 0.0)) return {0, -1};
    return {static_cast<Index>(std::max(low, 0.0)), static_cast<Index>(std::min(high, last))};
  }

  Size size_;
  Vector depth_;    // pixels, the largest z so far
  Matrix normals_;  // 3 x pixels
};

}  // namespace

void MeshViewOptions::check() const {
  if (!(tilt >= -45.0 && tilt <= 45.0)) {
    throw Error("tilt must be between -45 and 45 degrees, not {}.", tilt);
  }
  if (oversampling < 1 || oversampling > 16) {
    throw Error("oversampling must be between 1 and 16, not {}.", oversampling);
  }
  if (eyes &&
      !(eyes->left.allFinite() && eyes->right.allFinite() && eyes->left.x() < eyes->right.x())) {
    throw Error("eyes of the mesh must be finite, the left one with the smaller x.");
  }
}

NormalMap normals_of_mesh(const Mesh& mesh, const FaceFrame& frame, Size size,
                          const MeshViewOptions& options) {
  options.check();
  if (size.rows < 1 || size.cols < 1) throw Error("A normal map needs at least one pixel.");
  if (mesh.triangles.empty()) throw Error("The mesh has no triangles.");
  const MeshEyes eyes =
      options.eyes ? *options.eyes : eyes_of_materials(mesh, options.eye_materials);
  const Size fine{size.rows * options.oversampling, size.cols * options.oversampling};
  const View view = project(mesh, eyes, options.tilt, FacePlane(frame), fine);

  const std::vector<bool> skin = materials_that_begin(mesh, options.skin_materials);
  const std::vector<bool> eye = materials_that_begin(mesh, options.eye_materials);
  const bool all = std::find(skin.begin(), skin.end(), true) == skin.end();
  ZBuffer buffer(fine);
  for (const Mesh::Triangle& triangle : mesh.triangles) {
    if (all || is_any(skin, triangle.material) || is_any(eye, triangle.material)) {
      buffer.draw(view, triangle.vertices);
    }
  }
  const NormalMap map = buffer.map(frame);
  if (map.mask.sum() == 0.0) throw Error("Nothing of the mesh is visible in the face crop.");
  return resize(map, size);
}

}  // namespace longshot
