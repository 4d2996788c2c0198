// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/audit.h"
#include "longshot/clips.h"
#include "longshot/key.h"
#include "longshot/options.h"
#include "longshot/picture.h"
#include "longshot/report.h"
#include "longshot/results.h"

namespace longshot::v0 {

enum class Access {
  read,
  write,
  write_if_possible  // read where file or folder are write-protected
};

// Learns what people who are not to be enrolled can teach about faces, and writes it to a file for
// EnrollOptions::model. The file holds their faces. Several photos of each, under the lights in
// which people will be seen, teach most.
LONGSHOT_API Trained train(const std::vector<Picture>& pictures, const std::filesystem::path& out,
                           const TrainOptions& options = {}, const Progress& progress = {});

// The enrolled people in one file, or in a folder of shards (shards.h), and all that can be asked
// about them. Calls throw Error with a kind and one sentence; nothing that was committed before is
// lost then. Any thread may call: all identify and verify over one copy of what they search, while
// another enrols or removes, and nobody is named whose removal had returned before the question. A
// moved-from object may only be assigned to or destroyed.
class LONGSHOT_API Gallery {
 public:
  // Throws not_found if there is no such file.
  static Gallery open(const std::filesystem::path& path, Access access = Access::write,
                      const Key& key = {});
  // A file that this makes goes again with the object if nobody was enrolled in it by then. It is
  // encrypted if there is a key.
  static Gallery open_or_create(const std::filesystem::path& path, const Key& key = {});
  ~Gallery();
  Gallery(Gallery&&) noexcept;
  Gallery& operator=(Gallery&&) noexcept;

  const std::filesystem::path& path() const;

  // Adds people, or photos of people who are there. Pictures that cannot be used are rejections;
  // throws Error if that is all of them, unless the options allow it. What was committed before a
  // cancellation stays.
  Enrolled enroll(const std::vector<Picture>& pictures, const EnrollOptions& options = {},
                  const Progress& progress = {});
  // A bad probe is an error in its place.
  Answers identify(const std::vector<Picture>& probes, const IdentifyOptions& options = {},
                   const Progress& progress = {});
  // One answer per track of clips: the distances of its faces are averaged by their weights.
  Answers identify_tracks(const std::vector<Track>& tracks, const IdentifyOptions& options = {},
                          const Progress& progress = {});
  // Do these pictures, all of one person, show that one? Throws not_found if nobody has that name.
  Verification verify(const std::vector<Picture>& pictures, const std::string& person,
                      const VerifyOptions& options = {}, const Progress& progress = {});
  // Learns a camera from its crops, of whomever they show.
  CameraReport learn_camera(const std::vector<Picture>& crops, const CameraOptions& options = {},
                            const Progress& progress = {});
  Comparison compare(const Picture& probe, const std::string& person,
                     const CompareOptions& options = {});
  // What to_html() shows of answers that identify() gave to these probes and options: at most
  // `pictured` candidates of each.
  std::vector<Evidence> evidence(const std::vector<Picture>& probes, const Answers& answers,
                                 const IdentifyOptions& options = {}, std::ptrdiff_t pictured = 3,
                                 const Progress& progress = {});
  // Draws what was answered about these pictures and clips, with the same options, into a new or
  // empty folder: every picture and every frame that was looked at with a box, a number and a name
  // per face, a sheet per track, and a legend with the names as they are. What goes wrong once
  // there is a folder is a rejection, and what was drawn before is kept; so it is if the callback
  // cancels.
  Annotated annotate(const std::filesystem::path& folder, const std::vector<Picture>& pictures,
                     const std::vector<ClipTracks>& clips, const Answers& answers,
                     const IdentifyOptions& options = {}, const ClipOptions& clip = {},
                     const Progress& progress = {});
  // Learns, indexes and calibrates what questions at that size need; the first one does so too.
  void prepare(Size size, const std::string& method = IdentifyOptions().method,
               const Progress& progress = {});

  std::vector<Person> people() const;  // in order of enrolment
  std::ptrdiff_t person_count() const;
  std::ptrdiff_t photo_count() const;
  std::vector<std::string> indexes() const;  // what is kept for searching: method and size of each
  // The next seven throw not_found if there is no such person or photo.
  Person person(const std::string& name) const;
  std::vector<Photo> photos(const std::string& person) const;
  Plane face(const std::string& person, std::int64_t photo) const;  // as it is kept
  void rename(const std::string& from, const std::string& to);      // throws already_there
  // The photos of `from` become photos of `into`, under new ids; the other name is erased.
  void merge(const std::string& from, const std::string& into);
  void remove(const std::string& person);  // erased: name, photos and templates
  // Makes the templates of the person anew. Throws bad_input for the only photo of a person.
  void remove_photo(const std::string& person, std::int64_t id);
  // True if another program was still reading an older state after a removal, so that its bytes are
  // still in the log: they go with the next change, or when the last program closes the gallery.
  bool erasure_pending() const;

  // Reads everything and compares it with its checksums. Throws damaged.
  Checked check(const Progress& progress = {}) const;
  // Makes the file small; what it answers stays the same.
  Compacted compact(const CompactOptions& options = {}, const Progress& progress = {});
  // Writes the gallery as it is now to a new file, while others go on writing. The copy has been
  // read once before it gets its name. Throws already_there.
  void backup(const std::filesystem::path& out, const Progress& progress = {}) const;
  // Writes its people to a new folder of pictures, or to a new gallery without any; see Share.
  // Throws already_there.
  Transferred export_to(const std::filesystem::path& out, Share share = Share::photos,
                        const Progress& progress = {}) const;
  // Adds the people of another gallery or of an exported folder, all or nobody. Photos come as they
  // are, past the quality gate.
  Transferred import_from(const std::filesystem::path& from, const Progress& progress = {});

  // Whether every act from now on adds a line to the log beside the gallery (longshot/audit.h),
  // whoever does it; an act that cannot be logged is refused. The gallery keeps the setting.
  void set_audit(bool on);
  bool audited() const;
  // Adds a line of the caller's own, such as a failed login, if the gallery asks for a log.
  void record(const std::string& act, const std::map<std::string, std::string>& details = {});
  // The next three throw not_found if there never was a log, and damaged for one that is not whole.
  AuditPage audit(const AuditQuery& query = {}) const;
  AuditVerdict verify_audit() const;  // damage is an answer
  // What AuditEntry::inputs says of a picture; empty for one that cannot be read.
  std::string input_hash(const Picture& picture) const;

 private:
  friend LONGSHOT_API Gallery open_shards(const std::filesystem::path& folder, Access access,
                                          std::function<std::string(std::string_view)> ask,
                                          double coverage, const Key& key);

  class Implementation;
  explicit Gallery(std::unique_ptr<Implementation> implementation);
  Implementation& use() const;

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace longshot::v0
