// SPDX-License-Identifier: Apache-2.0
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery_implementation.h"
#include "longshot/pipeline/gallery_transfer.h"
#include "longshot/pipeline/gallery_upkeep.h"

namespace longshot::v0 {
namespace {

Transferred outer_transfer(const TransferReport& report) {
  return {report.people, report.photos, door::outer(report.rejections)};
}

}  // namespace

Checked Gallery::check(const Progress& progress) const {
  const auto work = [&](const std::shared_ptr<OpenGallery>& gallery, longshot::Progress& shown) {
    const CheckReport report = check_gallery(*gallery->connect(), shown);
    return Checked{report.people, report.photos, report.indexes, report.bytes};
  };
  return use().ask(work, progress);
}

Compacted Gallery::compact(const CompactOptions& options, const Progress& progress) {
  Implementation& own = use();
  const auto work = [&] {
    const CompactReport report = compact_gallery(own.store, options.cache_bytes, own.progress);
    return Compacted{report.bytes_before, report.bytes_after, report.forgotten};
  };
  return own.call(work, progress);
}

void Gallery::backup(const std::filesystem::path& out, const Progress& progress) const {
  const auto work = [&](const std::shared_ptr<OpenGallery>& gallery, longshot::Progress& shown) {
    std::optional<ProgressScope> scope;
    std::int64_t told = 0;
    gallery->connect()->back_up(out, [&](std::int64_t done, std::int64_t all) {
      if (!scope) scope.emplace(shown, "Copying pages", all);
      scope->advance(done - told);
      told = done;
    });
  };
  use().ask(work, progress);
}

Transferred Gallery::export_to(const std::filesystem::path& out, Share share,
                               const Progress& progress) const {
  const auto work = [&](const std::shared_ptr<OpenGallery>& gallery, longshot::Progress& shown) {
    const OpenGallery::Connection store = gallery->connect();
    return outer_transfer(share == Share::photos ? export_photos(*store, out, shown)
                                                 : export_templates(*store, out, shown));
  };
  return use().ask(work, progress);
}

Transferred Gallery::import_from(const std::filesystem::path& from, const Progress& progress) {
  Implementation& own = use();
  return own.call([&] { return outer_transfer(import_people(own.store, from, own.progress)); },
                  progress);
}

}  // namespace longshot::v0
