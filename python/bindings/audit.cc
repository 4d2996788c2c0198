// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include <longshot/gallery.h>
#include <pybind11/stl.h>

#include "gallery.h"
#include "opened_gallery.h"
#include "pictures.h"
#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

py::tuple texts_of(const std::vector<std::string>& texts) {
  py::list all;
  for (const std::string& one : texts) all.append(to_text(one));
  return all;
}

py::object entry_of(const AuditEntry& entry, const py::object& type) {
  py::dict details;
  for (const auto& [name, text] : entry.details) details[to_text(name)] = to_text(text);
  return type(entry.number, to_text(entry.time), to_text(entry.actor), entry.uid,
              to_text(entry.act), entry.revision, texts_of(entry.people), texts_of(entry.inputs),
              details, entry.unconfirmed);
}

py::object audit(const OpenedGallery& own, std::int64_t after, std::int64_t before,
                 const py::str& actor, const py::str& act, const py::str& person,
                 const py::str& input, const py::str& camera, bool newest_first,
                 std::ptrdiff_t limit) {
  AuditQuery query;
  query.after = after;
  query.before = before;
  query.actor = to_bytes(actor);
  query.act = to_bytes(act);
  query.person = to_bytes(person);
  query.input = to_bytes(input);
  query.camera = to_bytes(camera);
  query.newest_first = newest_first;
  query.limit = limit;
  const std::shared_ptr<Gallery> gallery = own.use();
  const AuditPage page =
      run_for(py::none(), [&](const Progress&) { return gallery->audit(query); });
  const py::module_ package = py::module_::import("longshot");
  const py::object type = package.attr("AuditEntry");
  py::list entries;
  for (const AuditEntry& one : page.entries) entries.append(entry_of(one, type));
  return package.attr("AuditPage")(py::tuple(entries), page.more);
}

py::object verify_audit(const OpenedGallery& own) {
  const std::shared_ptr<Gallery> gallery = own.use();
  const AuditVerdict verdict =
      run_for(py::none(), [&](const Progress&) { return gallery->verify_audit(); });
  return py::module_::import("longshot")
      .attr("AuditVerdict")(verdict.whole, verdict.lines, verdict.unconfirmed,
                            to_text(verdict.finding));
}

void record(const OpenedGallery& own, const py::str& act,
            const std::map<std::string, std::string>& details) {
  const std::string name = to_bytes(act);
  own.ask([&](Gallery& gallery) { gallery.record(name, details); });
}

}  // namespace

void bind_audit(py::class_<OpenedGallery>& type) {
  type.def("set_audit", [](const OpenedGallery& own,
                           bool on) { own.ask([&](Gallery& gallery) { gallery.set_audit(on); }); })
      .def("audited",
           [](const OpenedGallery& own) {
             return own.ask([](Gallery& gallery) { return gallery.audited(); });
           })
      .def("record", &record)
      .def("audit", &audit)
      .def("verify_audit", &verify_audit)
      .def("input_hash", [](const OpenedGallery& own, const Picture& picture) {
        return to_text(own.ask([&](Gallery& gallery) { return gallery.input_hash(picture); }));
      });
}

}  // namespace longshot::python
