// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/speed/sealing_trial.h"
#include "longshot/speed/speed_trial.h"

#include "commands.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchArguments {
  Index people = SpeedOptions{}.people;
  std::string size = "7x6";
  std::vector<std::string> methods = SpeedOptions{}.methods;
  std::string gallery;
  bool encryption = false;
  std::string json;
};

double megabytes(Index bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024.0);
}

Json document_of(const SpeedReport& report) {
  Json document;
  document["sgemm_gflops"] = report.sgemm_gflops;
  document["read_gb_per_s"] = report.read_gb_per_s;
  document["cores"] = report.threads;
  document["people"] = report.people;
  document["size"] = to_string(report.size);
  document["enroll"] = {{"people_per_s", report.enroll_people_per_s},
                        {"photos_only_people_per_s", report.store_people_per_s}};
  document["identify"] = Json::object();
  for (const MethodSpeed& speed : report.methods) {
    document["identify"][speed.method] = {{"probes_per_s", speed.probes_per_s},
                                          {"fraction_of_sgemm", speed.fraction_of_sgemm},
                                          {"latency_ms_one_probe", speed.latency_ms},
                                          {"stream_ms", speed.stream_ms},
                                          {"load_s", speed.load_s},
                                          {"cached_load_s", speed.cached_load_s},
                                          {"cat_s", speed.cat_s},
                                          {"cached_cat_s", speed.cached_cat_s},
                                          {"file_100_probes_s", speed.file_identify_s},
                                          {"index_people_per_s", speed.index_people_per_s},
                                          {"index_bytes_per_person", speed.index_bytes_per_person}};
  }
  document["open_ms"] = report.open_ms;
  document["add_ms"] = report.add_ms;
  document["remove_ms"] = report.remove_ms;
  document["peak_rss_mb"] = megabytes(report.peak_memory);
  document["bytes_per_person"] = report.bytes_per_person;
  return document;
}

std::string text_of(const SpeedReport& report) {
  std::string text = fmt::format(
      "{} people at {}, {} threads; matrix products {:.0f} GFLOPS, memory {:.1f} GB/s\n"
      "enrol      {:.0f} people/s with the index of {}, {:.0f} without\n"
      "gallery    {:.0f} bytes a person; open {:.1f} ms, add {:.1f} ms, remove {:.1f} ms\n"
      "memory     {:.0f} MB at most\n\n"
      "{:<10}{:>10}{:>10}{:>12}{:>12}{:>10}{:>10}{:>10}{:>10}{:>14}{:>12}\n",
      report.people, to_string(report.size), report.threads, report.sgemm_gflops,
      report.read_gb_per_s, report.enroll_people_per_s, report.methods[0].method,
      report.store_people_per_s, report.bytes_per_person, report.open_ms, report.add_ms,
      report.remove_ms, megabytes(report.peak_memory), "method", "probes/s", "of sgemm",
      "one probe", "reading it", "load", "cat", "cached", "cat", "100 from file", "index");
  for (const MethodSpeed& speed : report.methods) {
    text += fmt::format(
        "{:<10}{:>10.0f}{:>10.2f}{:>9.2f} ms{:>9.2f} ms{:>8.2f} s{:>8.2f} s{:>8.2f} s{:>8.2f} s"
        "{:>12.2f} s{:>10.0f}/s\n",
        speed.method, speed.probes_per_s, speed.fraction_of_sgemm, speed.latency_ms,
        speed.stream_ms, speed.load_s, speed.cat_s, speed.cached_load_s, speed.cached_cat_s,
        speed.file_identify_s, speed.index_people_per_s);
  }
  return text;
}

Json both(const PlainAndSealed& seconds) {
  return {{"plain", seconds.plain}, {"encrypted", seconds.sealed}, {"ratio", seconds.ratio()}};
}

Json document_of(const SealingReport& report) {
  Json document;
  document["people"] = report.people;
  document["size"] = to_string(report.size);
  document["enroll_photos_s"] = both(report.store_s);
  document["methods"] = Json::object();
  for (const MethodSealing& speed : report.methods) {
    document["methods"][speed.method] = {{"enroll_s", both(speed.enroll_s)},
                                         {"first_answer_s", both(speed.first_answer_s)},
                                         {"probe_s", both(speed.probe_s)}};
  }
  return document;
}

std::string text_of(const SealingReport& report) {
  std::string text = fmt::format(
      "{} people at {}; processor time, all threads together\n\n{:<36}{:>12}{:>12}{:>8}\n",
      report.people, to_string(report.size), "", "plain", "encrypted", "ratio");
  const auto add_row = [&](const std::string& what, const PlainAndSealed& seconds, double parts) {
    text +=
        fmt::format("{:<36}{:>9.3f} ms{:>9.3f} ms{:>8.2f}\n", what, 1000.0 * seconds.plain / parts,
                    1000.0 * seconds.sealed / parts, seconds.ratio());
  };
  const auto people = static_cast<double>(report.people);
  add_row("enrol a person, photo alone", report.store_s, people);
  for (const MethodSealing& speed : report.methods) {
    add_row(speed.method + ": enrol a person", speed.enroll_s, people);
    add_row(speed.method + ": open, first answer", speed.first_answer_s, 1.0);
    add_row(speed.method + ": answer from memory", speed.probe_s, 1.0);
  }
  return text;
}

template <typename Report>
void tell(const Report& report, const std::string& json) {
  if (!json.empty()) write_file(json, document_of(report).dump(2) + "\n");
  print_result(text_of(report));
}

int run_bench(const BenchArguments& arguments, const Context& context) {
  TerminalProgress terminal(context.quiet);
  door::CallbackProgress progress;
  progress.use(terminal.callback());
  SpeedOptions options;
  options.people = arguments.people;
  options.size = parse_size(arguments.size);
  options.methods = arguments.methods;
  options.gallery = arguments.gallery;
  options.seed = context.seed;
  if (arguments.encryption) {
    tell(measure_sealing(options, progress), arguments.json);
  } else {
    tell(measure_speed(options, progress), arguments.json);
  }
  return kDone;
}

}  // namespace

Action add_bench(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command = add_command(
      app, "bench", "Measure the speed on this machine against its own matrix-multiply peak.",
      "longshot bench --people 1000 --methods longshot --json speed.json");
  command->add_option("--people", arguments->people, "Synthetic people to enrol")
      ->capture_default_str();
  command->add_option("--size", arguments->size, "Rows x columns of the probes")
      ->capture_default_str();
  command->add_option("--methods", arguments->methods, "Any of slrfr, kernel, joint and longshot")
      ->delimiter(',')
      ->capture_default_str();
  CLI::Option* gallery =
      command->add_option("--gallery", arguments->gallery,
                          "A new gallery file to fill and keep; otherwise a temporary one");
  command
      ->add_flag("--encryption", arguments->encryption,
                 "Compare an encrypted gallery with a plain one instead, in processor time")
      ->excludes(gallery);
  command->add_option("--json", arguments->json, "Write the figures to this file");
  return [arguments, &context] { return run_bench(*arguments, context); };
}

}  // namespace longshot::cli
