// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: all that a report tells, of two people with names that no page may take for markup.

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "longshot/evaluate/report.h"

namespace longshot {

inline constexpr std::string_view kHostile =
    "</script><img src=http://evil/x.png onerror=alert(1)>{{data}}";

inline Image face_in_light(double light) {
  return Image::NullaryExpr(12, 10, [=](Index r, Index c) {
    return light * static_cast<double>(1 + (r * 10 + c) % 7) / 7.0;
  });
}

inline ExperimentResult shown_result(const std::string& method, Size size, bool right) {
  ExperimentResult result;
  result.method = method;
  result.size = size;
  result.rank1 = right ? 100.0 : 50.0;
  result.rank1_interval = {result.rank1 - 10.0, result.rank1};
  result.draw_rank1 = {result.rank1};
  result.cmc.assign(20, 100.0);
  result.cmc[0] = result.rank1;
  result.gallery = 2;
  result.probes = 2;
  result.dir_at_fpir = {{0.1, 25.0}};
  Ranks ranks;
  ranks.rank = {1, right ? 1 : 2};
  ranks.equal = {0, 0};
  ranks.enrolled = 2;
  result.ranks = {ranks};
  const Vector genuine = Vector::LinSpaced(2, 0.1, right ? 0.2 : 0.6);
  const Vector impostor = Vector::LinSpaced(2, 0.5, 0.9);
  result.roc = verification_curve(genuine, impostor);
  if (!right) result.confusions = {{3, 1, 0, 0.25}};
  return result;
}

// Two people, a gallery photo and a probe of each.
class SmallReport : public testing::Test {
 protected:
  SmallReport() {
    for (int i = 0; i < 4; ++i) {
      Sample sample;
      sample.subject = i % 2 == 0 ? "anna" : std::string(kHostile);
      sample.condition = "lamp \xff";  // not UTF-8
      dataset_.samples.push_back(sample);
      experiment_.faces.push_back(face_in_light(0.25 * (i + 1)));
    }
    plan_.draws = {{{}, {}, {{"all", {0, 1}, {2, 3}}}}};
    plan_.lights = {{0.0, 0.0}};
    experiment_.high = {12, 10};
    experiment_.relightings = {
        {1, {-20.0, 5.0}, face_in_light(1.0), {{0.0, 0.0}}, {face_in_light(0.5)}}};
    experiment_.rejections = {{std::string(kHostile) + ".png", "It is <b>empty</b>."}};
    for (const Size size : {Size{7, 6}, Size{4, 3}}) {
      experiment_.results.push_back(shown_result("slrfr", size, false));
      experiment_.results.push_back(shown_result("kernel", size, size.rows == 7));
    }
    options_.methods = {"slrfr", "kernel"};
    options_.sizes = {{7, 6}, {4, 3}};
  }

  ReportInput input(const std::string& name = "test faces") const {
    return {dataset_, plan_, options_, experiment_, name, "2026-01-31", "longshot x", "1.2.3"};
  }

  Dataset dataset_;
  ProtocolPlan plan_;
  ExperimentOptions options_;
  Experiment experiment_;
};

}  // namespace longshot
