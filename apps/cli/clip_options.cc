// SPDX-License-Identifier: Apache-2.0
#include "clip_options.h"

#include <fmt/format.h>

#include "terminal_progress.h"

namespace longshot::cli {

void add_clip_options(CLI::App& command, ClipOptions& options) {
  command.add_option("--every", options.every, "Of the frames of a clip, take so many")
      ->capture_default_str();
  command.add_option("--from", options.begin, "Seconds of a clip to begin at")
      ->capture_default_str();
  command.add_option("--to", options.end, "Seconds of a clip to end at; default: its end");
}

SplitPaths split_clips(const std::vector<std::string>& paths, bool any_word) {
  SplitPaths split;
  for (const std::string& path : paths) {
    (is_clip(path, any_word) ? split.clips : split.stills).push_back(path);
  }
  return split;
}

FollowedClips follow_clips(const std::vector<std::string>& clips, const ClipOptions& options,
                           const Context& context) {
  FollowedClips all;
  for (const std::string& clip : clips) {
    if (all.stopped) {
      all.rejections.push_back({clip, "Stopped before it was read."});
      continue;
    }
    bool going_on = true;
    TerminalProgress terminal(context.quiet);
    const Progress tell = terminal.callback();
    try {
      const ClipTracks found = find_tracks(
          clip, options, [&](std::string_view task, std::ptrdiff_t done, std::ptrdiff_t total) {
            return going_on = tell(task, done, total);
          });
      all.tracks.insert(all.tracks.end(), found.tracks.begin(), found.tracks.end());
      all.clips.push_back(found);
      if (!found.cut_short.empty()) all.rejections.push_back({clip, found.cut_short});
      if (found.tracks.empty()) {
        all.rejections.push_back(
            {clip, fmt::format("No face could be followed on its {} frames: try --least-eyes for "
                               "smaller ones.",
                               found.frames)});
      }
    } catch (const Error& error) {
      all.rejections.push_back({clip, error.what()});
    }
    all.stopped = !going_on;
  }
  return all;
}

}  // namespace longshot::cli
