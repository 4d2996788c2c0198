// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "longshot/clips.h"

#include "context.h"

namespace longshot::cli {

// --every, --from and --to: which frames of clips are looked at.
void add_clip_options(CLI::App& command, v0::ClipOptions& options);

struct SplitPaths {
  std::vector<std::string> stills;  // and all that is no clip
  std::vector<std::string> clips;
};
// `any_word`: every folder of numbered images is a clip.
SplitPaths split_clips(const std::vector<std::string>& paths, bool any_word = false);

struct FollowedClips {
  std::vector<v0::Track> tracks;          // of all clips
  std::vector<v0::ClipTracks> clips;      // the same, clip by clip
  std::vector<v0::Rejection> rejections;  // clips that could not be read, or show nobody
  bool stopped = false;                   // by Ctrl-C
};
FollowedClips follow_clips(const std::vector<std::string>& clips, const v0::ClipOptions& options,
                           const Context& context);

}  // namespace longshot::cli
