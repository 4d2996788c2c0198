// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/light_sets.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr std::size_t kMostLights = 1000;

std::optional<double> parse_angle(std::string_view text) {
  double value = 0.0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

LightDirection parse_light(std::string_view item, std::string_view all) {
  const std::size_t colon = item.find(':');
  std::optional<double> azimuth;
  std::optional<double> elevation;
  if (colon != std::string_view::npos) {
    azimuth = parse_angle(item.substr(0, colon));
    elevation = parse_angle(item.substr(colon + 1));
  }
  if (!azimuth || !elevation) {
    throw Error(
        "\"{}\" in the lights \"{}\" is not azimuth:elevation in degrees: write 5, 9, 10, 28 or a "
        "list such as 0:0,30:-20.",
        item, all);
  }
  // Written so that a NaN is refused as well.
  if (!(std::abs(*azimuth) <= 90.0 && std::abs(*elevation) <= 90.0)) {
    throw Error("The light {} is not before the face: azimuth and elevation are -90 to 90 degrees.",
                item);
  }
  return {*azimuth, *elevation};
}

}  // namespace

Eigen::Vector3d unit_vector(LightDirection light) {
  const double az = light.azimuth * kRadians;
  const double el = light.elevation * kRadians;
  return {std::cos(el) * std::sin(az), std::sin(el), std::cos(el) * std::cos(az)};
}

LightDirection light_direction(const Eigen::Vector3d& vector) {
  const double across = std::hypot(vector.x(), vector.z());
  return {std::atan2(vector.x(), vector.z()) / kRadians, std::atan2(vector.y(), across) / kRadians};
}

LightDirection mirrored(LightDirection light) {
  return {light.azimuth == 0.0 ? 0.0 : -light.azimuth, light.elevation};
}

std::vector<LightDirection> nine_points_of_light() {
  return {{0, 0},     {0, -68},  {-47, 66}, {74, 51}, {83, -42},
          {-83, -43}, {-84, 34}, {85, -4},  {26, 46}};
}

std::vector<LightDirection> five_lights() {
  return {{0, 0}, {40, 0}, {75, 0}, {30, 45}, {30, -40}};
}

std::vector<LightDirection> ten_lights() {
  return {{0, 0},  {0, 45},  {0, -35},  {25, 20}, {25, -20},
          {50, 0}, {50, 40}, {50, -35}, {75, 15}, {75, -15}};
}

std::vector<LightDirection> grid_lights() {
  std::vector<LightDirection> lights;
  for (const double elevation : {-30.0, 0.0, 30.0, 60.0}) {
    for (int step = -3; step <= 3; ++step) lights.push_back({25.0 * step, elevation});
  }
  return lights;
}

Matrix hemisphere_directions() {
  struct Ring {
    double polar;  // degrees from the viewing axis
    int count;     // even, so that the ring is its own mirror image
  };
  constexpr std::array<Ring, 3> kRings = {{{25.0, 6}, {50.0, 10}, {75.0, 14}}};
  Matrix directions(3, 31);
  directions.col(0) = Eigen::Vector3d::UnitZ();
  Index column = 1;
  for (const Ring& ring : kRings) {
    const double across = std::sin(ring.polar * kRadians);
    for (int i = 0; i < ring.count; ++i) {
      const double turn = 2.0 * std::numbers::pi * i / ring.count;
      directions.col(column++) << across * std::cos(turn), across * std::sin(turn),
          std::cos(ring.polar * kRadians);
    }
  }
  return directions;
}

std::vector<LightDirection> parse_lights(std::string_view text) {
  if (text == "5") return five_lights();
  if (text == "9") return nine_points_of_light();
  if (text == "10") return ten_lights();
  if (text == "28") return grid_lights();
  std::vector<LightDirection> lights;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    lights.push_back(parse_light(rest.substr(0, comma), text));
    if (lights.size() > kMostLights) throw Error("There are more than {} lights.", kMostLights);
    if (comma == std::string_view::npos) return lights;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace longshot
