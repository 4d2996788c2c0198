// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "longshot/dataset/dataset.h"

namespace longshot {

// The AR face database: m-001-01 to w-060-26, all in one folder, or in folders by session
// (session1, session2, s1, s2), by subject (m-001; the files in it may then be named 01 to 26), or
// by session and subject. Images 1-13 are of session "1" and 14-26 of session "2"; in a folder of
// session 2 they may be numbered 1-13 as well. The condition is the number within the session, "1"
// to "13": 1 neutral, 2-4 expressions, 5-7 lights, 8-10 sunglasses, 11-13 scarf.
Dataset read_ar(const std::filesystem::path& root);

// True if an image is named like that, in the folder or up to two levels below it.
bool is_ar(const std::filesystem::path& root);

}  // namespace longshot
