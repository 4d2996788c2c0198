// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "longshot/key.h"
#include "longshot/picture.h"

namespace longshot::v0 {

// Of the inner loops of searching, chosen when the program runs: "avx2" or "portable".
LONGSHOT_API std::string instruction_set();

LONGSHOT_API std::vector<std::string> protocol_names();  // of evaluate

// Something that was looked at.
struct Finding {
  enum class Level {
    fine,
    remark,  // it works, and could do better
    problem
  };
  Level level = Level::fine;
  std::string about;   // one word: "processor", "libraries", "detector", "gallery" and the like
  std::string what;    // one sentence
  std::string advice;  // what to do, one sentence; empty if it is fine
};

// Looks at the processor, the memory, the libraries, what reads clips, and the detector of faces: a
// YuNet model, or, without one, the Haar cascades of the system.
LONGSHOT_API std::vector<Finding> examine_system(const std::filesystem::path& detector = {});

// Reads all of a gallery and changes nothing. What is wrong with it is a finding, never an Error.
LONGSHOT_API std::vector<Finding> examine_gallery(const std::filesystem::path& gallery,
                                                  const Key& key = {});

// The folder of the helper programs (docs/library.md). Empty, as at first: what the variable
// LONGSHOT_HELPERS says, otherwise beside program or library, or where they are installed.
LONGSHOT_API void set_helper_folder(const std::filesystem::path& folder);

// Whether pictures are decoded in processes of their own from now on, as clips always are, all
// through this program: what a hostile one does to a decoder happens there. The pixels are the
// same. Throws Error if the helper program is missing. At first they are not.
LONGSHOT_API void set_decoders_confined(bool confined);

LONGSHOT_API std::string to_string(Finding::Level level);  // "fine", "remark", "problem"

}  // namespace longshot::v0
