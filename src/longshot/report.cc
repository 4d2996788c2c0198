// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string_view>

#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/evaluate/report_assets.h"
#include "longshot/evaluate/report_pictures.h"

namespace longshot::v0 {
namespace {

constexpr std::string_view kCheck = "a candidate for a person to check, never proof";

constexpr std::string_view kReportStyle = R"css(
.probe-answer { padding: 1.2rem; border: 1px solid var(--line); border-radius: 10px; }
.probe-answer h2 { overflow-wrap: anywhere; }
.verdict { font-weight: 600; }
.verdict.known { color: var(--good); }
.line { position: relative; height: 0.8rem; margin: 0.4rem 0 1.3rem; background: var(--grid); border-radius: 99px; }
.line i { position: absolute; inset: 0 auto 0 0; background: var(--c0); border-radius: 99px; }
.line b { position: absolute; top: -0.25rem; bottom: -0.25rem; width: 2px; background: var(--c1); }
.line small { position: absolute; top: 0.9rem; color: var(--soft); white-space: nowrap; }
.mark { padding-left: 0.6rem; border-left: 3px solid var(--c1); white-space: pre-wrap; overflow-wrap: anywhere; }
.row { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 0.6rem; }
.row img { width: 100%; aspect-ratio: 5 / 6; image-rendering: pixelated; }
.row span { display: block; margin-top: 0.25rem; color: var(--soft); font-size: 0.75rem; }
code { font-size: 0.8rem; overflow-wrap: anywhere; }
@media print { .probe-answer { break-inside: avoid; } }
)css";

// For text and for attributes in quotation marks; bytes that are no UTF-8 are left to the browser.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Pixels as blocks in the picture itself, as not every printer leaves them alone when it enlarges.
std::string picture(const Plane& plane, std::string_view what, double shift = 0.0) {
  constexpr Index kRows = 144;
  const Index times = std::max<Index>(1, kRows / plane.size.rows);
  Image image(times * plane.size.rows, times * plane.size.cols);
  for (Index row = 0; row < image.rows(); ++row) {
    for (Index col = 0; col < image.cols(); ++col) {
      image(row, col) = std::clamp(plane.at(row / times, col / times) + shift, 0.0, 1.0);
    }
  }
  return fmt::format("<div><img alt=\"{0}\" src=\"{1}\"><span>{0}</span></div>", what,
                     picture_uri(image));
}

std::string pictures(const Comparison& comparison, Size size) {
  return fmt::format("<div class=\"row\">{}{}{}{}{}</div>\n",
                     picture(comparison.photo, "the enrolled photo"),
                     picture(comparison.relit, "the same in the probe's light"),
                     picture(comparison.through, "that through the camera, at " + to_string(size)),
                     picture(comparison.probe, "the probe, enlarged"),
                     picture(comparison.difference, "difference; grey: none", 0.5));
}

// A calibration rests on hundreds of faces, and larger factors are what its curve says beyond them.
std::string factor_text(double factor) {
  constexpr double kMost = 10000.0;
  if (factor > kMost) return fmt::format("more than {:.0f}", kMost);
  return factor < 100.0 ? fmt::format("{:.3g}", factor) : fmt::format("{:.0f}", factor);
}

std::string ratio_text(double score) {
  const double ratio = likelihood_ratio(score);
  return ratio >= 1.0 ? factor_text(ratio) + " times as probable as"
                      : factor_text(1.0 / ratio) + " times less probable than";
}

// The score on a line from 0 to 1, with the place where unknown begins.
std::string score_line(double score, double threshold) {
  return fmt::format(
      "<div class=\"line\" role=\"img\" aria-label=\"score {0:.2f}, known from {1:.2f}\">"
      "<i style=\"width:{2:.1f}%\"></i><b style=\"left:{3:.1f}%\"></b>"
      "<small style=\"{4}:{5:.1f}%\">known from {1:.2f}</small></div>\n",
      score, threshold, 100.0 * score, 100.0 * threshold, threshold > 0.5 ? "right" : "left",
      100.0 * (threshold > 0.5 ? 1.0 - threshold : threshold));
}

std::string candidate_html(const Evidence& evidence, std::size_t k) {
  const Candidate& candidate = evidence.answer.candidates[k];
  std::string html = fmt::format("<h3>{}. {}: score {:.2f}</h3>\n", k + 1,
                                 escaped(candidate.person), candidate.score);
  html += score_line(candidate.score, evidence.answer.threshold);
  html += fmt::format(
      "<p class=\"note\">What is seen here is {} if it showed somebody who is not enrolled. "
      "Residual {:.3g}: 0 is a perfect match, 1 what people who are not enrolled have on average."
      "</p>\n",
      ratio_text(candidate.score), candidate.residual);
  for (const Mark& mark : evidence.marks) {
    if (mark.person != candidate.person) continue;
    html += fmt::format("<p class=\"mark\">Marked as {}{}</p>\n", escaped(mark.verdict),
                        mark.note.empty() ? "." : ": " + escaped(mark.note));
  }
  if (k < evidence.comparisons.size()) {
    html += pictures(evidence.comparisons[k], evidence.answer.size);
  }
  return html;
}

std::string verdict(const Answer& answer) {
  if (!answer.known) {
    return fmt::format(
        "<p class=\"verdict\">unknown</p><p>Nobody is likely enough. The first candidate lies {} "
        "below the line where known begins.</p>\n",
        "a factor of " + factor_text(std::pow(10.0, -answer.margin)));
  }
  return fmt::format(
      "<p class=\"verdict known\">known: {}</p><p><strong>This is {}.</strong> The first candidate "
      "lies {} above the line where unknown begins.</p>\n",
      escaped(answer.candidates.empty() ? "" : answer.candidates[0].person), kCheck,
      "a factor of " + factor_text(std::pow(10.0, answer.margin)));
}

std::string answer_html(const Evidence& evidence) {
  const Answer& answer = evidence.answer;
  std::string html =
      fmt::format("<section class=\"probe-answer\">\n<h2>{}</h2>\n", escaped(answer.name));
  if (!answer.error.empty()) {
    html += fmt::format("<p class=\"verdict\">no answer</p><p>{}</p>\n", escaped(answer.error));
  } else {
    html += verdict(answer);
    html += fmt::format(
        "<p class=\"note\">Compared with {} people at {} from {} image{}. Of strangers, {:g} % are "
        "accepted to be taken for somebody.</p>\n",
        answer.people, to_string(answer.size), answer.frames, answer.frames == 1 ? "" : "s",
        100.0 * answer.fpir);
    for (std::size_t k = 0; k < answer.candidates.size(); ++k) html += candidate_html(evidence, k);
  }
  for (const Rejection& one : answer.warnings) {
    html += fmt::format("<p class=\"note\">{}: {}</p>\n", escaped(one.name), escaped(one.reason));
  }
  for (const Rejection& one : answer.rejections) {
    if (one.reason == answer.error) continue;
    html += fmt::format("<p class=\"note\">{} was left out: {}</p>\n", escaped(one.name),
                        escaped(one.reason));
  }
  for (const auto& [name, hash] : evidence.files) {
    html +=
        fmt::format("<p class=\"note\">SHA-256 of {}: <code>{}</code></p>\n", escaped(name), hash);
  }
  if (!evidence.steps.empty()) {
    html += "<h3>Step by step</h3>\n<ol>";
    for (const std::string& step : evidence.steps) {
      html += fmt::format("<li>{}</li>\n", escaped(step));
    }
    html += "</ol>\n";
  }
  return html + "</section>\n";
}

std::string camera_sentence(const Camera& camera) {
  const CameraFigures figures = camera.figures();
  std::string centred =
      figures.faces > 0 ? fmt::format(" Answers are centred on {} different faces.", figures.faces)
                        : "";
  if (figures.days == "same") {
    centred += " Pixels tell people apart, as on the gallery's day, and count more.";
  }
  if (figures.days == "other") {
    centred += " Pixels hardly tell people apart, as on another day, and count less.";
  }
  if (!camera.learnt()) {
    return fmt::format("At {}: {} crops said too little about the camera; none was used.{}",
                       to_string(camera.size()), camera.crops(), centred);
  }
  return fmt::format(
      "At {}: learnt from {} crops; blur {:.2f} \u00b1 {:.2f} pixels, noise {:.1f} % of the mean "
      "brightness.{}",
      to_string(camera.size()), camera.crops(), figures.blur.value, figures.blur.deviation,
      100.0 * figures.noise, centred);
}

std::string heading(const std::vector<Evidence>& evidence, const EvidenceText& text) {
  const auto known = std::ranges::count_if(
      evidence, [](const Evidence& one) { return one.answer.error.empty() && one.answer.known; });
  const auto failed = std::ranges::count_if(
      evidence, [](const Evidence& one) { return !one.answer.error.empty(); });
  const std::ptrdiff_t probes = std::ssize(evidence) + text.left_out;
  std::string html = fmt::format(
      "<header><p class=\"kicker\">longshot &middot; who may this be</p><h1>{} {} against "
      "{}</h1>\n"
      "<p class=\"notice\"><strong>This file holds faces and names.</strong> Keep it as you keep "
      "the "
      "photos, and delete it when its purpose is over. Every name in it is {}.</p>\n"
      "<div class=\"tiles\"><div class=\"tile\"><b>{}</b><small>known</small></div>"
      "<div class=\"tile\"><b>{}</b><small>unknown</small></div>"
      "<div class=\"tile\"><b>{}</b><small>without an answer</small></div></div>\n",
      probes, probes == 1 ? "probe" : "probes", escaped(text.gallery), kCheck, known,
      std::ssize(evidence) - known - failed, failed);
  if (text.left_out > 0) {
    html += fmt::format("<p class=\"notice\">The first {} are shown, {} are not.</p>\n",
                        evidence.size(), text.left_out);
  }
  return html + "</header>\n";
}

std::string how_it_was_made(const std::vector<Camera>& cameras, const EvidenceText& text) {
  std::string html =
      "<section><h2>How to read it</h2><p class=\"lead\">A score is the probability that the "
      "candidate is right, if half of all probes showed people who are not enrolled. It was "
      "calibrated on such people: those of the gallery, each left out in turn, and synthetic ones "
      "where these are few. It says nothing about how many of them really come by. Below the "
      "red line on a score the answer is unknown. The pictures show why: the enrolled photo, "
      "turned into the light of the probe, seen through the camera at the size of the probe, and "
      "what is left of the difference.</p></section>\n<section><h2>How it was made</h2><dl>\n";
  const auto row = [&](std::string_view name, const std::string& value) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, value);
  };
  row("program", "longshot " + escaped(version()));
  row("method", escaped(text.method));
  row("gallery", escaped(text.gallery));
  for (const auto& [name, value] : text.settings) row(escaped(name), escaped(value));
  row("command", "<code>" + escaped(text.command) + "</code>");
  if (cameras.empty()) row("camera", "none was learnt: photos were brought down as they are");
  for (const Camera& camera : cameras) row("camera", escaped(camera_sentence(camera)));
  return html + "</dl></section>\n";
}

}  // namespace

std::string to_html(const std::vector<Evidence>& evidence, const std::vector<Camera>& cameras,
                    const EvidenceText& text) {
  return door::translated([&] {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
        "<title>longshot: {}</title>\n<style>{}{}</style></head><body>\n",
        escaped(text.gallery), assets::report_css(), kReportStyle);
    html += heading(evidence, text) + "<main>\n";
    for (const Evidence& one : evidence) html += answer_html(one);
    html += how_it_was_made(cameras, text);
    return html + "</main></body></html>\n";
  });
}

}  // namespace longshot::v0
