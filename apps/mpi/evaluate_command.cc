// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "longshot/longshot.h"

#include "commands.h"
#include "resume.h"

namespace longshot::mpi {
namespace {

using CellJson = nlohmann::ordered_json;

struct CellArguments {
  std::string data;
  EvaluateOptions options;
  std::vector<std::string> sizes = {"7x6", "12x10"};
  std::string json;
  std::string resume;
};

// One method at one size, with all draws and noise levels, which share what is learnt.
struct Cell {
  std::string method;
  Size size;

  std::string name() const { return fmt::format("cell-{}-{}", method, to_string(size)); }
};

// Roughly how much longer than the others these take; the rest counts as 1.
double slowness(const std::string& method) {
  static const std::map<std::string, double> kSlow = {
      {"longshot", 8.0}, {"joint", 6.0}, {"kernel", 5.0}, {"s2r2", 4.0}, {"src", 4.0}};
  const auto found = kSlow.find(method);
  return found == kSlow.end() ? 1.0 : found->second;
}

// The longest first, so that none of them is still running when the others are done.
std::vector<Cell> cells_of(const EvaluateOptions& options) {
  std::vector<Cell> cells;
  for (const Size size : options.sizes) {
    for (const std::string& method : options.methods) cells.push_back({method, size});
  }
  const auto cost = [](const Cell& cell) {
    return slowness(cell.method) * static_cast<double>(cell.size.rows * cell.size.cols);
  };
  std::ranges::stable_sort(cells, std::greater<>(), cost);
  return cells;
}

std::string cell_settings(const CellArguments& arguments) {
  const EvaluateOptions& o = arguments.options;
  const CellJson settings = {{"data", std::filesystem::absolute(arguments.data).string()},
                             {"protocol", o.protocol},
                             {"profile", o.profile},
                             {"tune", o.tune},
                             {"noise", o.noise},
                             {"operator", o.op},
                             {"draws", o.draws},
                             {"train", o.use_training},
                             {"seed", o.seed},
                             {"version", version()}};
  return settings.dump(1) + "\n";
}

CellJson document_of(const Cell& cell, const CellArguments& arguments, const Resume& resume) {
  if (const auto kept = resume.find(cell.name())) return CellJson::parse(*kept);
  EvaluateOptions options = arguments.options;
  options.methods = {cell.method};
  options.sizes = {cell.size};
  const std::string text = evaluate(arguments.data, options).json();
  resume.keep(cell.name(), text);
  return CellJson::parse(text);
}

// As one process would have written it: by size, then noise, then method.
CellJson in_order(const std::vector<CellJson>& documents, const EvaluateOptions& options) {
  std::map<std::string, CellJson> results;
  const auto key = [](const CellJson& size, const CellJson& noise, const CellJson& method) {
    return size.dump() + noise.dump() + method.dump();
  };
  for (const CellJson& document : documents) {
    for (const CellJson& one : document.at("results")) {
      results[key(one.at("size"), one.at("noise"), one.at("method"))] = one;
    }
  }
  CellJson all = documents.front();
  all["results"] = CellJson::array();
  for (const Size size : options.sizes) {
    for (const double noise : options.noise) {
      for (const std::string& method : options.methods) {
        all["results"].push_back(results.at(key(to_string(size), noise, method)));
      }
    }
  }
  return all;
}

int run_evaluate(CellArguments arguments, const Context& context) {
  arguments.options.sizes.clear();
  for (const std::string& size : arguments.sizes) {
    arguments.options.sizes.push_back(parse_size(size));
  }
  Job& job = *context.job;
  // Rank 0 first, as it may make the folder.
  if (job.leads()) Resume(arguments.resume, cell_settings(arguments));
  job.broadcast("");
  const Resume resume(arguments.resume, cell_settings(arguments));
  const std::vector<Cell> cells = cells_of(arguments.options);
  const int count = static_cast<int>(cells.size());
  CellJson own = CellJson::array();
  std::string problem;
  {
    Dealer dealer(job, count);
    for (int i = dealer.next(); i < count; i = dealer.next()) {
      if (!problem.empty()) continue;
      try {
        own.push_back(document_of(cells[static_cast<std::size_t>(i)], arguments, resume));
      } catch (const Error& error) {
        problem = error.what();
      }
    }
  }
  std::vector<CellJson> documents;
  for (const std::string& text : job.gather(CellJson{{"problem", problem}, {"own", own}}.dump())) {
    const CellJson of_rank = CellJson::parse(text);
    if (problem.empty()) problem = of_rank.at("problem").get<std::string>();
    for (const CellJson& document : of_rank.at("own")) documents.push_back(document);
  }
  if (!job.leads()) return kDone;
  if (!problem.empty()) throw Error(ErrorKind::bad_input, problem);
  deliver(in_order(documents, arguments.options).dump(2) + "\n", arguments.json);
  return kDone;
}

}  // namespace

Action add_evaluate(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<CellArguments>();
  CellArguments& a = *arguments;
  CLI::App* command = cli::add_command(
      app, "evaluate", "Run an experiment; its cells are dealt out.",
      "mpirun -n 4 longshot-mpi evaluate --protocol roles --data people --sizes 12x10");
  command->add_option("--protocol", a.options.protocol, "As of longshot evaluate")->required();
  command->add_option("--data", a.data, "Folder, manifest.csv or .mat file")->required();
  command->add_option("--methods", a.options.methods, "Methods, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--profile", a.options.profile, "paper or best")->capture_default_str();
  command->add_option("--sizes", a.sizes, "Low resolutions")->delimiter(',')->capture_default_str();
  command->add_option("--noise", a.options.noise, "Noise of the probes, grey levels of 255")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--draws", a.options.draws, "Random repetitions")->capture_default_str();
  command->add_option("--seed", a.options.seed, "Seed")->capture_default_str();
  command->add_flag("!--no-train", a.options.use_training, "Learn nothing from training people");
  command->add_flag("!--no-tune", a.options.tune, "Use the defaults, no cross-validation");
  command->add_option("--json", a.json, "Write the results to a file instead of stdout");
  command->add_option("--resume", a.resume,
                      "Folder that keeps finished cells, which are not computed again");
  return [arguments, &context] { return run_evaluate(*arguments, context); };
}

}  // namespace longshot::mpi
