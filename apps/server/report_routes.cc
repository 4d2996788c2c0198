// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "conditional.h"
#include "problem.h"
#include "routes.h"

namespace longshot::server {
namespace {

constexpr std::size_t kMostAnswers = 32;  // of one page
constexpr std::ptrdiff_t kPicturedCandidates = 3;
constexpr std::size_t kLongestNote = 4000;  // bytes
constexpr std::array kVerdicts = {"lead", "excluded", "inconclusive"};

std::pair<std::size_t, Mark> mark_of(const Asked& asked, const Json& given) {
  if (!given.is_object()) throw bad_request("A mark must be an object.");
  check_options(given, {"probe", "person", "mark", "note"});
  const double number = number_option(given, "probe", 0.0);
  const Answer& answer = asked.answer(number);
  Mark mark{text_option(given, "person", ""), text_option(given, "mark", ""),
            text_option(given, "note", "")};
  if (std::ranges::find(answer.candidates, mark.person, &Candidate::person) ==
      answer.candidates.end()) {
    throw bad_request("That person is no candidate of the answer.");
  }
  if (std::ranges::find(kVerdicts, mark.verdict) == kVerdicts.end()) {
    throw bad_request("A mark must be lead, excluded or inconclusive.");
  }
  if (mark.note.size() > kLongestNote) throw bad_request("A note may have 4000 bytes.");
  return {static_cast<std::size_t>(number), std::move(mark)};
}

// All marks of a request, or none.
Response set_marks(Service& service, const Request& request, const std::string& id) {
  const Json body = parsed_json(request.body);
  if (!body.is_object() || !body.contains("marks") || !body["marks"].is_array()) {
    throw bad_request("The body must have a list \"marks\".");
  }
  const Asked asked = service.reports.find(id);
  std::vector<std::pair<std::size_t, Mark>> marks;
  for (const Json& given : body["marks"]) marks.push_back(mark_of(asked, given));
  service.reports.mark(id, marks);
  return {204, ""};
}

// One answer alone.
void choose_answer(Asked& asked, std::size_t number) {
  if (!asked.options.fuse_folders) asked.probes = {asked.probes[number]};
  const std::string& name = asked.answers.answers[number].name;
  if (asked.options.fuse_folders) {
    std::erase_if(asked.probes, [&](const Picture& probe) {
      return std::filesystem::path(probe.name).parent_path().string() != name;
    });
  }
  asked.answers.answers = {Answer(asked.answers.answers[number])};
  std::map<std::pair<std::size_t, std::string>, Mark> marks;
  for (auto& [key, mark] : asked.marks) {
    if (key.first == number) marks[{0, key.second}] = mark;
  }
  asked.marks = std::move(marks);
}

// Nobody is named who has been erased since, also where that came between asking and keeping.
void check_people(Service& service, const Asked& asked) {
  for (const Answer& answer : asked.answers.answers) {
    for (const Candidate& candidate : answer.candidates) service.reader.person(candidate.person);
  }
}

Response report(Service& service, const Request& request, const std::string& id) {
  Asked asked = service.reports.find(id);
  const Json query(request.query);
  check_options(query, {"probe"});
  if (query.contains("probe")) {
    const double number = number_option(query, "probe", 0.0);
    asked.answer(number);
    choose_answer(asked, static_cast<std::size_t>(number));
  }
  check_people(service, asked);
  if (!asked.options.fuse_folders && asked.answers.answers.size() > kMostAnswers) {
    asked.text.left_out = static_cast<std::ptrdiff_t>(asked.answers.answers.size() - kMostAnswers);
    asked.answers.answers.resize(kMostAnswers);
    asked.probes.resize(kMostAnswers, asked.probes[0]);
  }
  const PixelBudget::Share share(service.pixels, asked.pixels);
  std::vector<Evidence> evidence =
      service.studio.evidence(asked.probes, asked.answers, asked.options, kPicturedCandidates);
  for (const auto& [key, mark] : asked.marks) {
    if (key.first < evidence.size()) evidence[key.first].marks.push_back(mark);
  }
  service.reader.record("report", {{"report", id}});
  Response response{200, "text/html; charset=utf-8",
                    to_html(evidence, asked.answers.cameras, asked.text)};
  // A page of its own: nothing but what it holds, whatever the names in it are.
  response.headers = {{"Content-Security-Policy",
                       "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"},
                      {"Content-Disposition", "attachment; filename=\"report-" + id + ".html\""}};
  return conditional(request, std::move(response));
}

}  // namespace

void add_report_routes(Router& router, Service& service) {
  const std::string path = "/v1/report/{id}";
  router.add({"GET", path, Role::kReader, [&](const Request& request, const Parameters& names) {
                return report(service, request, names[0]);
              }});
  router.add(
      {"PUT", path + "/marks", Role::kReader, [&](const Request& request, const Parameters& names) {
         return set_marks(service, request, names[0]);
       }});
}

}  // namespace longshot::server
