// SPDX-License-Identifier: Apache-2.0
#include "ways_out.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace longshot::cli {
namespace {

struct WayOut {
  std::string_view words;  // of the library, by heart: scripts/check_layers looks for them there
  std::string_view typed;  // an option of the command, or another command
};

constexpr std::array kWaysOut = {
    WayOut{"state its eyes", "--eyes lx,ly,rx,ry"},
    WayOut{"it is an aligned face crop", "--aligned"},
    WayOut{"name a YuNet model as the detector", "--detector FILE.onnx"},
    WayOut{"state the size", "--size RxC"},
    WayOut{"name the person", "--person NAME"},
    WayOut{"take the name from the folder", "--person-from folder"},
    WayOut{"from the stem of the file", "--person-from stem"},
    WayOut{"Force enrols it nevertheless", "--force"},
    WayOut{"its key is needed", "--key-file FILE"},
    WayOut{"encrypt it once more", "longshot gallery encrypt FOLDER"},
    WayOut{"decrypt it once more", "longshot gallery decrypt FOLDER"},
    WayOut{"change the key once more", "longshot gallery rekey FOLDER"},
    WayOut{"unseal it first", "longshot unseal FILE --key-file KEY --out OUT"},
    WayOut{"Name the file into which people were enrolled", "--gallery FILE"},
    WayOut{"enrol some first", "longshot enroll PATH --gallery FILE"},
    WayOut{"split a gallery into one", "longshot gallery split FILE --shards N --out DIR"},
    WayOut{"verifying the log says where", "longshot audit verify FILE"},
    WayOut{"give it up by switching the log off", "longshot gallery set FILE audit off"},
};

std::vector<std::string>& offered() {
  static std::vector<std::string> options;
  return options;
}

bool is_offered(std::string_view typed) {
  if (!typed.starts_with("--")) return true;
  return std::ranges::find(offered(), typed.substr(0, typed.find(' '))) != offered().end();
}

}  // namespace

void offer_options_of(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) offered().push_back("--" + name);
  }
  // Of "gallery check" the second word too.
  for (const CLI::App* part : command.get_subcommands()) offer_options_of(*part);
}

std::string with_ways_out(std::string_view sentence) {
  std::string text(sentence);
  for (const WayOut& way : kWaysOut) {
    const std::size_t at = text.find(way.words);
    if (at == std::string::npos || !is_offered(way.typed)) continue;
    text.insert(at + way.words.size(), fmt::format(" ({})", way.typed));
  }
  return text;
}

}  // namespace longshot::cli
