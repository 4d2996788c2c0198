// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "longshot/longshot.h"

#include "cli/key_options.h"
#include "cli/terminal_text.h"
#include "cli/ways_out.h"
#include "commands.h"
#include "resume.h"
#include "shard_job.h"

namespace longshot::mpi {
namespace {

using JobJson = nlohmann::ordered_json;

// Whole batches of the search, so that an answer does not depend on the blocks.
constexpr std::size_t kProbesPerBlock = 3840;

struct ShardArguments {
  std::string folder;
  cli::KeyArguments key;
  std::vector<std::string> paths;
  std::string person;
  std::string size = "auto";
  std::string camera;
  std::string json;
  std::string resume;
  bool allow_partial = false;
  IdentifyOptions identify;
  VerifyOptions verify;
  EnrollOptions enroll;
};

ShardJob open_job(const ShardArguments& arguments, const Context& context, Access access) {
  return {*context.job,
          {arguments.folder, access, arguments.allow_partial, arguments.key},
          context.describe};
}

std::vector<Picture> pictures_at(const ShardArguments& arguments, Purpose purpose) {
  const std::vector<std::filesystem::path> paths(arguments.paths.begin(), arguments.paths.end());
  return load(paths, purpose, Unusable::keep).pictures;
}

// Median of the time of a question that takes the shards next to no time, there and back.
double idle_question_s(const Gallery& gallery) {
  std::vector<double> seconds(101);
  for (double& one : seconds) {
    const auto start = std::chrono::steady_clock::now();
    gallery.person_count();
    one = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::ranges::nth_element(seconds, seconds.begin() + 50);
  return seconds[50];
}

void tell_cost(const Context& context, const ShardJob& job, const Gallery& gallery) {
  if (!context.cost) return;
  const JobCost cost = job.cost();
  const std::size_t bytes = context.job->bytes_sent();
  fmt::print(stderr,
             "{} requests, {} bytes sent by rank 0, {:.3f} s of the slowest rank of each, {:.3f} s "
             "for messages; {:.0f} us for a question without work\n",
             cost.requests, bytes, cost.answering_s, cost.messages_s,
             1e6 * idle_question_s(gallery));
}

// Called by all ranks.
void tell_memory(const Context& context) {
  if (!context.cost) return;
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const std::vector<std::string> all =
      context.job->gather(fmt::format("{:.0f}", static_cast<double>(used.ru_maxrss) / 1024.0));
  if (context.job->leads()) fmt::print(stderr, "peak MB of each rank: {}\n", fmt::join(all, " "));
}

// All that the answers depend on.
std::string identify_settings(const ShardArguments& arguments, const Gallery& gallery,
                              const std::vector<Picture>& probes, double coverage) {
  JobJson settings = {{"folder", std::filesystem::absolute(arguments.folder).string()},
                      {"people", gallery.person_count()},
                      {"photos", gallery.photo_count()},
                      {"coverage", coverage},
                      {"method", arguments.identify.method},
                      {"size", arguments.size},
                      {"top", arguments.identify.top},
                      {"fpir", arguments.identify.fpir},
                      {"camera", arguments.camera},
                      {"version", version()},
                      {"probes", JobJson::array()}};
  for (const Picture& probe : probes) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(probe.name, error);
    settings["probes"].push_back({probe.name, error ? 0 : bytes});
  }
  return settings.dump(1) + "\n";
}

std::string identify_blocks(const ShardArguments& arguments, Gallery& gallery,
                            const std::vector<Picture>& probes, double coverage) {
  const Resume resume(arguments.resume, identify_settings(arguments, gallery, probes, coverage));
  // A camera is learnt from all probes together.
  const std::size_t block =
      arguments.identify.learn_camera ? std::max<std::size_t>(probes.size(), 1) : kProbesPerBlock;
  JobJson document = {{"probes", JobJson::array()}};
  for (std::size_t first = 0; first < probes.size(); first += block) {
    const std::string part = fmt::format("block-{:06}", first / block);
    std::optional<std::string> text = resume.find(part);
    if (!text) {
      const auto last = std::min(probes.size(), first + block);
      text = to_json(gallery.identify({probes.begin() + static_cast<std::ptrdiff_t>(first),
                                       probes.begin() + static_cast<std::ptrdiff_t>(last)},
                                      arguments.identify));
      resume.keep(part, *text);
    }
    JobJson answers = JobJson::parse(*text);
    for (JobJson& probe : answers["probes"]) document["probes"].push_back(std::move(probe));
    if (answers.contains("cameras")) document["cameras"] = answers["cameras"];
  }
  return document.dump(2) + "\n";
}

int run_identify(ShardArguments arguments, const Context& context) {
  if (arguments.size != "auto") arguments.identify.size = parse_size(arguments.size);
  arguments.identify.learn_camera = arguments.camera == "auto";
  if (!arguments.camera.empty() && arguments.camera != "auto" && arguments.camera != "none") {
    arguments.identify.camera = Camera::read(arguments.camera);
  }
  if (!arguments.resume.empty() && arguments.identify.learn_camera) {
    throw Error(ErrorKind::bad_input,
                "--resume needs a camera file, or none: a camera is learnt from all probes.");
  }
  ShardJob job = open_job(arguments, context, Access::write_if_possible);
  job.run([&](Gallery& gallery) {
    deliver(identify_blocks(arguments, gallery, pictures_at(arguments, Purpose::identify),
                            job.coverage()),
            arguments.json);
    tell_cost(context, job, gallery);
  });
  tell_memory(context);
  return kDone;
}

int run_verify(ShardArguments arguments, const Context& context) {
  if (arguments.size != "auto") arguments.verify.size = parse_size(arguments.size);
  if (!arguments.camera.empty()) arguments.verify.camera = Camera::read(arguments.camera);
  ShardJob job = open_job(arguments, context, Access::write_if_possible);
  int code = kDone;
  job.run([&](Gallery& gallery) {
    const Verification verified = gallery.verify(pictures_at(arguments, Purpose::identify),
                                                 arguments.person, arguments.verify);
    deliver(to_json(verified), arguments.json);
    code = verified.match ? kDone : kNoMatch;
  });
  return code;
}

int run_enroll(const ShardArguments& arguments, const Context& context) {
  ShardJob job = open_job(arguments, context, Access::write);
  const std::vector<Picture> pictures = pictures_at(arguments, Purpose::enroll);
  job.take_pictures(pictures, arguments.enroll);
  int code = kDone;
  job.run([&](Gallery& gallery) {
    const Enrolled enrolled = gallery.enroll(pictures, arguments.enroll);
    for (const Rejection& one : enrolled.rejections) {
      complain(fmt::format("{}: {}", one.name, one.reason));
    }
    fmt::print("{} now holds {} people, {} photos\n", arguments.folder, gallery.person_count(),
               gallery.photo_count());
    code = enrolled.rejections.empty() ? kDone : kSomeRejected;
    tell_cost(context, job, gallery);
  });
  tell_memory(context);
  return code;
}

int run_list(const ShardArguments& arguments, const Context& context) {
  ShardJob job = open_job(arguments, context, Access::read);
  job.run([&](Gallery& gallery) { deliver(to_json(gallery.people()), arguments.json); });
  return kDone;
}

int run_remove(const ShardArguments& arguments, const Context& context) {
  ShardJob job = open_job(arguments, context, Access::write);
  job.run([&](Gallery& gallery) {
    gallery.remove(arguments.person);
    fmt::print("{} is no longer in {}\n", arguments.person, arguments.folder);
  });
  return kDone;
}

void add_folder(CLI::App& command, ShardArguments& arguments) {
  command.add_option("--gallery", arguments.folder, "The folder of shards")->required();
  // Ranks have no terminal to ask for a passphrase.
  cli::add_key_file(command, arguments.key);
}

void add_asking(CLI::App& command, ShardArguments& arguments) {
  command.add_option("paths", arguments.paths, "Folders, images, manifests")->required();
  add_folder(command, arguments);
  command.add_option("--size", arguments.size, "Size to search at, or auto")->capture_default_str();
  command.add_option("--json", arguments.json, "Write the answer to a file instead of stdout");
}

}  // namespace

void complain(std::string_view text) {
  cli::print_raw(fmt::format("longshot-mpi: {}\n", cli::shown(cli::with_ways_out(text))));
}

void deliver(const std::string& document, const std::string& file) {
  if (!file.empty()) return write_file(file, document);
  fmt::print("{}", document);
}

Action add_identify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ShardArguments>();
  CLI::App* command =
      cli::add_command(app, "identify", "Rank the people of all shards for probes.",
                       "mpirun -n 4 longshot-mpi identify crops --gallery people.shards");
  add_asking(*command, *arguments);
  command->add_option("--method", arguments->identify.method, "Method")->capture_default_str();
  command->add_option("--top", arguments->identify.top, "Candidates of each probe")
      ->capture_default_str();
  command->add_option("--fpir", arguments->identify.fpir, "Accepted rate of false positives")
      ->capture_default_str();
  command->add_option("--camera", arguments->camera, "Camera file, auto or none");
  command->add_option("--resume", arguments->resume,
                      "Folder that keeps finished blocks of probes, which are not asked again");
  command->add_flag("--allow-partial", arguments->allow_partial,
                    "Go on without shards that cannot be opened: nobody is unknown then");
  return [arguments, &context] { return run_identify(*arguments, context); };
}

Action add_verify(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ShardArguments>();
  CLI::App* command = cli::add_command(
      app, "verify", "Is this that person?",
      "mpirun -n 4 longshot-mpi verify crop.png --person anna --gallery people.shards");
  add_asking(*command, *arguments);
  command->add_option("--person", arguments->person, "Whom it is said to be")->required();
  command->add_option("--method", arguments->verify.method, "Method")->capture_default_str();
  command->add_option("--fmr", arguments->verify.fmr, "Accepted rate of false matches")
      ->capture_default_str();
  command->add_option("--camera", arguments->camera, "Camera file");
  return [arguments, &context] { return run_verify(*arguments, context); };
}

Action add_enroll(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ShardArguments>();
  CLI::App* command =
      cli::add_command(app, "enroll", "Add people, or photos of people.",
                       "mpirun -n 4 longshot-mpi enroll photos --gallery people.shards");
  command->add_option("paths", arguments->paths, "Folders, images, manifests")->required();
  add_folder(*command, *arguments);
  command->add_flag("--force", arguments->enroll.force, "Enrol what the quality gate refuses");
  command->add_option("--detector", arguments->enroll.detector, "YuNet model (.onnx)");
  command->add_flag("--resume", arguments->enroll.again,
                    "Go on with a call that was killed: what is there already is no rejection");
  return [arguments, &context] { return run_enroll(*arguments, context); };
}

Action add_people(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ShardArguments>();
  CLI::App* group = app.add_subcommand("people", "List or remove people.");
  group->require_subcommand(1);
  CLI::App* list = cli::add_command(*group, "list", "Who is enrolled.",
                                    "mpirun -n 4 longshot-mpi people list --gallery people.shards");
  add_folder(*list, *arguments);
  list->add_option("--json", arguments->json, "Write the list to a file instead of stdout");
  CLI::App* remove =
      cli::add_command(*group, "remove", "Erase a person.",
                       "mpirun -n 4 longshot-mpi people remove anna --gallery people.shards");
  remove->add_option("name", arguments->person, "The person")->required();
  add_folder(*remove, *arguments);
  return [arguments, list, &context] {
    return list->parsed() ? run_list(*arguments, context) : run_remove(*arguments, context);
  };
}

}  // namespace longshot::mpi
