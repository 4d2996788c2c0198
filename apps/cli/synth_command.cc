// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "longshot/clips.h"
#include "longshot/evaluate.h"

#include "commands.h"
#include "terminal_progress.h"

namespace longshot::cli {
namespace {

struct SynthArguments {
  SyntheticOptions set;
  std::string size;  // empty: the default of what is made
  std::string out;
  std::string clip;
  SyntheticClipOptions film;
};

int run_clip(const SynthArguments& arguments, const Context& context) {
  SyntheticClipOptions options = arguments.film;
  options.people = arguments.set.people;
  options.seed = context.seed;
  if (!arguments.size.empty()) options.size = parse_size(arguments.size);
  const std::ptrdiff_t frames =
      write_synthetic_clip(arguments.clip, options, TerminalProgress(context.quiet).callback());
  return after_change([&] {
    print_result(
        fmt::format("{} frames of {} people in {}\n", frames, options.people, arguments.clip));
  });
}

int run_synth(const SynthArguments& arguments, const Context& context) {
  if (!arguments.clip.empty()) return run_clip(arguments, context);
  if (arguments.out.empty()) {
    throw Error(ErrorKind::bad_input, "Name a folder for photos (--out), or a clip (--clip).");
  }
  SyntheticOptions options = arguments.set;
  if (!arguments.size.empty()) options.size = parse_size(arguments.size);
  options.seed = context.seed;
  const std::ptrdiff_t photos =
      write_synthetic_people(arguments.out, options, TerminalProgress(context.quiet).callback());
  return after_change([&] {
    print_result(
        fmt::format("{} photos of {} people in {}\n", photos, options.people, arguments.out));
  });
}

}  // namespace

Action add_synth(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<SynthArguments>();
  CLI::App* command =
      add_command(app, "synth", "Write photos of synthetic people, which need nobody's photo.",
                  "longshot synth --people 100 --photos 5 --out people");
  SynthArguments& a = *arguments;
  command->add_option("--people", a.set.people, "How many people")->required();
  command->add_option("--photos", a.set.photos, "Photos of each, the first under frontal light")
      ->capture_default_str();
  command->add_option(
      "--size", a.size,
      fmt::format("Rows x columns of a photo, {}, or of a frame of a clip, {}",
                  to_string(SyntheticOptions().size), to_string(SyntheticClipOptions().size)));
  command->add_option("--out", a.out, "Folder for the photos and manifest.csv");
  command->add_option("--clip", a.clip,
                      "Write a clip of them instead, walking: .avi (Motion JPEG) or .mp4 (H.264), "
                      "and where their eyes are beside it (.csv)");
  command->add_option("--walk", a.film.walk, "Frames of one walk")->capture_default_str();
  command->add_option("--together", a.film.together, "People who walk together and cross")
      ->capture_default_str();
  command->add_option("--far", a.film.far, "Pixels between the eyes where a walk begins")
      ->capture_default_str();
  command->add_option("--near", a.film.near, "Pixels between the eyes where a walk ends")
      ->capture_default_str();
  command->add_option("--noise", a.film.noise, "Deviation of a pixel of the clip, of 1")
      ->capture_default_str();
  return [arguments, &context] { return run_synth(*arguments, context); };
}

}  // namespace longshot::cli
