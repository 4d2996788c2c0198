// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "longshot/audit_door.h"
#include "longshot/gallery_implementation.h"

namespace longshot {
namespace {

constexpr std::size_t kInputsPerLine = 256;
constexpr std::ptrdiff_t kMostEntries = 100000;

thread_local std::string actor_of_thread;

class ActorScope {
 public:
  explicit ActorScope(std::string actor)
      : before_(std::exchange(actor_of_thread, std::move(actor))) {}
  ~ActorScope() { actor_of_thread = std::move(before_); }
  ActorScope(const ActorScope&) = delete;
  ActorScope& operator=(const ActorScope&) = delete;

 private:
  std::string before_;
};

// False if it cannot be read.
bool add_file(AuditKeys::InputHash& hash, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 16U);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.add(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  return file.eof();
}

void add_pixels(AuditKeys::InputHash& hash, const v0::Picture::Source& source) {
  const std::string size =
      fmt::format("{} {} {}\n", source.size.rows, source.size.cols, source.channels);
  hash.add(size.data(), size.size());
  const auto bytes = static_cast<std::size_t>(source.size.cols * source.channels);
  for (Index row = 0; row < source.size.rows; ++row) {
    hash.add(source.pixels + row * source.stride, bytes);
  }
}

bool has_camera(const AuditRecord& record, const std::string& camera) {
  const auto found = record.details.find("camera");
  return found != record.details.end() && found->second == camera;
}

bool is_wanted(const AuditRecord& record, const v0::AuditQuery& query, const std::string& person) {
  const auto names = [](const std::vector<std::string>& hashes, const std::string& wanted) {
    return wanted.empty() || std::ranges::find(hashes, wanted) != hashes.end();
  };
  return record.number > query.after && (query.before == 0 || record.number < query.before) &&
         (query.actor.empty() || record.actor == query.actor) &&
         (query.act.empty() || record.act == query.act) && names(record.people, person) &&
         names(record.inputs, query.input) &&
         (query.camera.empty() || has_camera(record, query.camera));
}

v0::AuditEntry outer_entry(const AuditRecord& record,
                           const std::map<std::string, std::string>& names) {
  v0::AuditEntry entry{record.number,  record.time,       record.actor, record.uid,
                       record.act,     record.revision,   {},           record.inputs,
                       record.details, record.unconfirmed};
  for (const std::string& hash : record.people) {
    const auto found = names.find(hash);
    entry.people.push_back(found == names.end() ? "#" + hash : found->second);
  }
  return entry;
}

nlohmann::ordered_json entry_document(const v0::AuditEntry& entry) {
  return {{"number", entry.number},   {"time", entry.time},
          {"actor", entry.actor},     {"uid", entry.uid},
          {"act", entry.act},         {"revision", entry.revision},
          {"people", entry.people},   {"inputs", entry.inputs},
          {"details", entry.details}, {"unconfirmed", entry.unconfirmed}};
}

std::string document_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

namespace door {

const std::string& current_actor() {
  return actor_of_thread;
}

AuditAct act_of(std::string act, std::vector<std::string> people) {
  AuditAct result;
  result.act = std::move(act);
  result.actor = actor_of_thread;
  result.people = std::move(people);
  return result;
}

void note_camera(AuditAct& act, const std::optional<v0::Camera>& stated,
                 const std::vector<v0::Camera>& learnt) {
  if (stated) {
    act.details["camera"] = stated->name().empty() ? "unnamed" : stated->name();
  } else if (std::ranges::any_of(learnt, &v0::Camera::learnt)) {
    act.details["camera"] = "auto";
  }
}

std::string input_hash(const AuditKeys& keys, const v0::Picture& picture) {
  const v0::Picture::Source& source = *picture.source();
  AuditKeys::InputHash hash = keys.input_hash();
  if (!source.bytes.empty()) {
    hash.add(source.bytes.data(), source.bytes.size());
  } else if (source.pixels != nullptr) {
    add_pixels(hash, source);
  } else if (source.path.empty() || !add_file(hash, source.path)) {
    return "";
  }
  return hash.digits();
}

std::vector<std::string> input_hashes(const AuditKeys& keys,
                                      const std::vector<v0::Picture>& pictures, std::size_t first,
                                      std::size_t count) {
  std::vector<std::string> hashes;
  const std::size_t last = first + std::min(count, pictures.size() - first);
  std::map<std::filesystem::path, std::string> collections;  // files of many pictures
  for (std::size_t i = first; i < last; ++i) {
    const v0::Picture::Source& source = *pictures[i].source();
    const bool one_of_many = source.row >= 0;
    const auto known = one_of_many ? collections.find(source.path) : collections.end();
    std::string hash = known != collections.end() ? known->second : input_hash(keys, pictures[i]);
    if (one_of_many) collections.emplace(source.path, hash);
    if (!hash.empty()) hashes.push_back(std::move(hash));
  }
  return hashes;
}

std::vector<AuditAct> with_inputs(const AuditKeys& keys, const AuditAct& act,
                                  const std::vector<v0::Picture>& pictures) {
  std::vector<AuditAct> acts;
  for (std::size_t first = 0; first == 0 || first < pictures.size(); first += kInputsPerLine) {
    acts.push_back(act);
    acts.back().inputs = input_hashes(keys, pictures, first, kInputsPerLine);
  }
  return acts;
}

}  // namespace door

namespace v0 {

void run_as(const std::string& actor, const std::function<void()>& work) {
  check_person_name(actor);
  const ActorScope scope(actor);
  work();
}

void Gallery::set_audit(bool on) {
  Implementation& own = use();
  own.call([&] {
    if (!own.shards()) return longshot::set_audit(own.store(), on, door::current_actor());
    own.shards()->require_change();
    GalleryStore log = own.open_log();
    longshot::set_audit(log, on, door::current_actor());
    own.set_folder_logged(on);
  });
}

bool Gallery::audited() const {
  Implementation& own = use();
  return own.call([&] { return is_audited(own.common()); });
}

void Gallery::record(const std::string& act, const std::map<std::string, std::string>& details) {
  check_person_name(act);
  Implementation& own = use();
  const auto work = [&](const std::shared_ptr<AskedGallery>&, longshot::Progress&) {
    own.note_question([&](const AuditKeys&) {
      AuditAct one = door::act_of(act);
      one.details = details;
      return std::vector<AuditAct>{one};
    });
  };
  own.ask(work, {});
}

std::string Gallery::input_hash(const Picture& picture) const {
  Implementation& own = use();
  return own.call([&] { return door::input_hash(audit_keys(own.common()), picture); });
}

AuditPage Gallery::audit(const AuditQuery& query) const {
  if (query.limit < 1 || query.limit > kMostEntries) {
    throw Error("Between 1 and {} lines can be asked for at once.", kMostEntries);
  }
  Implementation& own = use();
  const auto work = [&](const std::shared_ptr<AskedGallery>&, longshot::Progress&) {
    const GalleryStore log = own.open_log();
    const AuditKeys keys = audit_keys(log);
    const std::string person = query.person.empty() ? "" : keys.person_hash(query.person);
    AuditPage page;
    std::deque<AuditRecord> found;
    read_audit(log, [&](const AuditRecord& record) {
      if (!is_wanted(record, query, person)) return true;
      page.more = std::ssize(found) == query.limit;
      if (page.more && !query.newest_first) return false;
      if (page.more) found.pop_front();
      found.push_back(record);
      return true;
    });
    if (query.newest_first) std::ranges::reverse(found);
    std::map<std::string, std::string> names;
    for (const longshot::Person& one : own.shards() ? own.shards()->people() : log.people()) {
      names.emplace(keys.person_hash(one.name), one.name);
    }
    for (const AuditRecord& record : found) page.entries.push_back(outer_entry(record, names));
    return page;
  };
  return own.ask(work, {});
}

AuditVerdict Gallery::verify_audit() const {
  const auto work = [&](const std::shared_ptr<AskedGallery>&, longshot::Progress&) {
    const longshot::AuditVerdict verdict = longshot::verify_audit(use().open_log());
    return AuditVerdict{verdict.whole(), verdict.lines, verdict.unconfirmed, verdict.finding};
  };
  return use().ask(work, {});
}

std::string to_json(const AuditPage& page) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const AuditEntry& entry : page.entries) entries.push_back(entry_document(entry));
  return document_text({{"entries", entries}, {"more", page.more}});
}

std::string to_json(const AuditVerdict& verdict) {
  return document_text({{"whole", verdict.whole},
                        {"lines", verdict.lines},
                        {"unconfirmed_bytes", verdict.unconfirmed},
                        {"finding", verdict.finding}});
}

}  // namespace v0
}  // namespace longshot
