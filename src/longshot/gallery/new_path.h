// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace longshot {

// A gallery file that goes again, with all that SQLite puts beside it, unless it gets its name.
class NewFile {
 public:
  enum class Place {
    kFree,   // throws Error if there is such a file, or what belongs to one
    kTaken,  // takes the place of the one that is there; one process at a time may do so
  };
  explicit NewFile(const std::filesystem::path& out, Place place = Place::kFree);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void rename_into_place() const;  // durably

 private:
  void remove() const;

  std::filesystem::path out_;
  std::filesystem::path path_;
  std::vector<std::filesystem::path> all_;  // with what may be beside it: removing asks no memory
  Place place_;
};

// A folder, for its owner alone, that goes again unless it gets its name.
class NewFolder {
 public:
  // Throws Error if there is such a file or folder.
  explicit NewFolder(const std::filesystem::path& out);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void rename_into_place();

 private:
  std::filesystem::path out_;
  std::filesystem::path path_;
};

}  // namespace longshot
