// SPDX-License-Identifier: Apache-2.0
#include <system_error>

#include "longshot/audit_door.h"  // first: it keeps the two faces apart
#include "longshot/gallery_implementation.h"
#include "longshot/pipeline/gallery_transfer.h"
#include "longshot/pipeline/gallery_upkeep.h"

namespace longshot::v0 {
namespace {

Transferred outer_transfer(const TransferReport& report) {
  return {report.people, report.photos, door::outer(report.rejections)};
}

AuditAct transfer_act(const std::string& what, const TransferReport& report) {
  AuditAct act = door::act_of(what);
  act.details = {{"people", fmt::format("{}", report.people)},
                 {"photos", fmt::format("{}", report.photos)}};
  return act;
}

// The people of a gallery leave it also by being imported elsewhere.
void log_source(const std::filesystem::path& from, const GalleryStore& into,
                const TransferReport& report) {
  std::error_code error;
  if (!is_gallery_source(from) || std::filesystem::equivalent(from, into.path(), error)) return;
  GalleryStore source = open_source(from, into.key(), GalleryStore::Access::kWriteIfPossible);
  append_audit(source, {transfer_act("export", report)});
}

}  // namespace

Checked Gallery::check(const Progress& progress) const {
  const auto outer = [](const CheckReport& report) {
    return Checked{report.people, report.photos, report.indexes, report.bytes};
  };
  if (OpenShards* shards = use().shards()) {
    return use().ask([&](const std::shared_ptr<AskedGallery>&,
                         longshot::Progress& shown) { return outer(shards->check(shown)); },
                     progress);
  }
  const auto work = [&](const std::shared_ptr<OpenGallery>& gallery, longshot::Progress& shown) {
    return outer(check_gallery(*gallery->connect(), shown));
  };
  return use().ask_file(work, progress);
}

Compacted Gallery::compact(const CompactOptions& options, const Progress& progress) {
  Implementation& own = use();
  const auto work = [&] {
    append_audit(own.store(), {door::act_of("compact")});
    const CompactReport report = compact_gallery(own.store(), options.cache_bytes, own.progress);
    return Compacted{report.bytes_before, report.bytes_after, report.forgotten};
  };
  return own.call(work, progress);
}

void Gallery::backup(const std::filesystem::path& out, const Progress& progress) const {
  const auto acts = [](const AuditKeys&) { return std::vector{door::act_of("backup")}; };
  if (use().shards()) {
    const auto copy = [&](const std::shared_ptr<AskedGallery>&, longshot::Progress& shown) {
      use().note_question(acts);
      use().shards()->back_up(out, shown);
    };
    return use().ask(copy, progress);
  }
  const auto work = [&](const std::shared_ptr<OpenGallery>& gallery, longshot::Progress& shown) {
    const OpenGallery::Connection store = gallery->connect();
    if (is_audited(*store)) require_no_audit(out);
    use().note(*store, acts);
    std::optional<ProgressScope> scope;
    std::int64_t told = 0;
    store->back_up(out, [&](std::int64_t done, std::int64_t all) {
      if (!scope) scope.emplace(shown, "Copying pages", all);
      scope->advance(done - told);
      told = done;
    });
    copy_audit(*store, out);
  };
  use().ask_file(work, progress);
}

Transferred Gallery::export_to(const std::filesystem::path& out, Share share,
                               const Progress& progress) const {
  const auto work = [&](const std::shared_ptr<OpenGallery>& gallery, longshot::Progress& shown) {
    const OpenGallery::Connection store = gallery->connect();
    use().note(*store, [&](const AuditKeys&) {
      AuditAct act = door::act_of("export");
      act.details = {{"share", share == Share::photos ? "photos" : "templates"},
                     {"people", fmt::format("{}", store->person_count())}};
      return std::vector{act};
    });
    return outer_transfer(share == Share::photos ? export_photos(*store, out, shown)
                                                 : export_templates(*store, out, shown));
  };
  return use().ask_file(work, progress);
}

Transferred Gallery::import_from(const std::filesystem::path& from, const Progress& progress) {
  Implementation& own = use();
  const auto work = [&] {
    require_no_shard(own.store());
    GalleryTransaction transaction(own.store());
    const TransferReport report = import_people(own.store(), from, own.progress);
    log_source(from, own.store(), report);
    AuditAct act = transfer_act("import", report);
    act.changes = true;
    append_audit(own.store(), {act});
    transaction.commit();
    return outer_transfer(report);
  };
  return own.call(work, progress);
}

}  // namespace longshot::v0
