// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "router.h"
#include "service.h"
#include "uploads.h"

namespace longshot::server {

// Each adds its routes; the service outlives the router.
void add_system_routes(Router& router, Service& service);
void add_people_routes(Router& router, Service& service);
void add_enroll_routes(Router& router, Service& service);
void add_identify_routes(Router& router, Service& service);
void add_face_routes(Router& router, Service& service);
void add_report_routes(Router& router, Service& service);
void add_audit_routes(Router& router, Service& service);
void add_camera_routes(Router& router, Service& service);
void add_job_routes(Router& router, Service& service);
void add_page_routes(Router& router);

inline constexpr double kMostLines = 1e15;  // of an audit log

// Runs the work with this name in the audit log; empty: the user of the process.
void as_actor(const std::string& actor, const std::function<void()>& work);

// The images that a call may decode at once are as many as it has threads.
PixelBudget::Share share_for(Service& service, const Upload& upload);

Json rejections_document(const std::vector<Rejection>& rejections);

// Runs the work at once, or as a job, answered with 202, if the request prefers that (RFC 7240).
Response now_or_later(Service& service, const Request& request, const char* kind,
                      std::function<Json(const Progress&)> work, int status);

// The id of a photo in a path. Throws Problem 404 for what is none.
std::int64_t photo_id(const std::string& text);

}  // namespace longshot::server
