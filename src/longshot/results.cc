// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "longshot/dataset/csv.h"
#include "longshot/door.h"  // before the modules: it keeps the two faces apart

namespace longshot::v0 {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& document) {
  // Names and paths need not be UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

const char* decision(const Answer& answer) {
  if (answer.known) return "known";
  // Whoever it is may be in what is missing.
  return answer.coverage < 1.0 ? "incomplete" : "unknown";
}

double shown_score(double score) {
  return std::round(score * 1e4) / 1e4;
}

Json eyes_document(const Eyes& eyes) {
  return {eyes.left.x, eyes.left.y, eyes.right.x, eyes.right.y};
}

// JSON has no infinity.
Json finite(double value) {
  return std::isfinite(value) ? Json(std::round(value * 1e4) / 1e4) : Json(nullptr);
}

// Three digits, as more say nothing.
Json shown_ratio(double score) {
  return Json::parse(fmt::format("{:.3g}", likelihood_ratio(score)));
}

Json probe_document(const Answer& answer) {
  Json probe = {{"path", answer.name}};
  if (answer.error.empty()) {
    probe["size"] = to_string(answer.size);
    probe["decision"] = decision(answer);
  } else {
    probe["size"] = nullptr;
    probe["decision"] = nullptr;
  }
  probe["candidates"] = Json::array();
  for (const Candidate& candidate : answer.candidates) {
    probe["candidates"].push_back({{"person", candidate.person},
                                   {"score", shown_score(candidate.score)},
                                   {"likelihood_ratio", shown_ratio(candidate.score)},
                                   {"residual", candidate.residual}});
  }
  if (const auto& face = answer.face) {
    probe["source"] = answer.name;
    probe["frame"] = answer.frame;
    if (answer.track > 0) {
      probe["time"] = finite(answer.time);
      probe["track"] = answer.track;
      probe["frames_used"] = answer.frames;
    }
    probe["box"] = {face->box.x, face->box.y, face->box.width, face->box.height};
    probe["eyes"] = eyes_document(face->eyes);
    probe["eye_error"] = face->eye_error;
    probe["quality"] = face->quality;
  }
  if (answer.error.empty()) {
    probe["threshold"] = shown_score(answer.threshold);
    probe["margin"] = finite(answer.margin);
    probe["fpir"] = answer.fpir;
    probe["people"] = answer.people;
    if (answer.coverage < 1.0) probe["coverage"] = answer.coverage;
  }
  for (const Rejection& warning : answer.warnings) {
    probe["warnings"].push_back({{"path", warning.name}, {"reason", warning.reason}});
  }
  if (!answer.annotated.empty()) probe["annotated"] = answer.annotated;
  probe["error"] = answer.error.empty() ? Json(nullptr) : Json(answer.error);
  return probe;
}

Json camera_document(const Camera& camera) {
  Json shown = Json::parse(camera.json());
  // The mean face is of no use to a reader.
  for (const char* name : {"format", "version", "tone"}) shown.erase(name);
  return shown;
}

Json person_document(const Person& person) {
  return {{"name", person.name}, {"photos", person.photos}, {"enrolled_at", person.enrolled_at}};
}

Json photo_document(const Photo& photo) {
  Json document = {{"id", photo.id},          {"added_at", photo.added_at},
                   {"source", photo.source},  {"size", to_string(photo.size)},
                   {"eyes", nullptr},         {"quality", photo.quality},
                   {"remarks", Json::array()}};
  if (const auto& eyes = photo.eyes) {
    document["eyes"] = eyes_document(*eyes);
  }
  for (const Remark& remark : photo.remarks) {
    document["remarks"].push_back({{"problem", remark.problem}, {"reason", remark.reason}});
  }
  return document;
}

}  // namespace

double likelihood_ratio(double score) {
  constexpr double kMost = 1e9;
  return std::clamp(score / std::max(1.0 - score, 1e-300), 1.0 / kMost, kMost);
}

std::string to_json(const Answers& answers) {
  Json document = {{"probes", Json::array()}};
  for (const Answer& answer : answers.answers) {
    document["probes"].push_back(probe_document(answer));
  }
  for (const Camera& camera : answers.cameras) {
    document["cameras"].push_back(camera_document(camera));
  }
  return text_of(document);
}

std::string to_json(const Verification& verification) {
  return text_of({{"person", verification.person},
                  {"decision", verification.match ? "match" : "no match"},
                  {"score", shown_score(verification.score)},
                  {"likelihood_ratio", shown_ratio(verification.score)},
                  {"threshold", shown_score(verification.threshold)},
                  {"margin", finite(verification.margin)},
                  {"fmr", verification.fmr},
                  {"size", to_string(verification.size)}});
}

std::string to_json(const std::vector<Person>& people) {
  Json document = {{"people", Json::array()}};
  for (const Person& person : people) document["people"].push_back(person_document(person));
  return text_of(document);
}

std::string to_json(const Person& person, const std::vector<Photo>& photos) {
  Json document = {
      {"name", person.name}, {"enrolled_at", person.enrolled_at}, {"photos", Json::array()}};
  for (const Photo& photo : photos) document["photos"].push_back(photo_document(photo));
  return text_of(document);
}

std::string to_csv(const Answers& answers) {
  const auto box_cells = [](const Answer& answer) -> std::string {
    if (!answer.face) return ",,,";
    const Box& box = answer.face->box;
    return fmt::format("{:.2f},{:.2f},{:.2f},{:.2f}", box.x, box.y, box.width, box.height);
  };
  std::string text =
      "path,size,decision,rank,person,score,residual,error,likelihood_ratio,threshold,margin,"
      "box_x,box_y,box_w,box_h\n";
  for (const Answer& answer : answers.answers) {
    if (!answer.error.empty()) {
      text += fmt::format("{},,,,,,,{},,,,{}\n", table_cell(answer.name), table_cell(answer.error),
                          box_cells(answer));
    }
    for (std::size_t k = 0; k < answer.candidates.size(); ++k) {
      const Candidate& candidate = answer.candidates[k];
      // The margin is that of the decision, which is about the first.
      text += fmt::format("{},{},{},{},{},{:.4f},{:.6g},,{:.3g},{:.4f},{},{}\n",
                          table_cell(answer.name), to_string(answer.size), decision(answer), k + 1,
                          table_cell(candidate.person), candidate.score, candidate.residual,
                          likelihood_ratio(candidate.score), answer.threshold,
                          k == 0 ? fmt::format("{:.4f}", answer.margin) : "", box_cells(answer));
    }
  }
  return text;
}

}  // namespace longshot::v0
