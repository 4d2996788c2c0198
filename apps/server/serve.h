// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "longshot/gallery.h"
#include "longshot/key.h"

#include "http.h"
#include "http_server.h"

namespace longshot::server {

struct ServeOptions {
  std::filesystem::path gallery;        // made if there is none
  std::shared_ptr<v0::Gallery> opened;  // if it is open already, as the shards of a job are
  v0::Key key;                          // of an encrypted one
  Listening listening;
  Limits limits;
  std::filesystem::path token_file;  // empty: beside the gallery, where tokens are needed
  bool behind_proxy = false;         // which brings TLS
  bool no_audit = false;             // otherwise the gallery's log of who did what is turned on
  std::string cors;                  // the origin of another site that may ask
};

// What the owner of the server is told.
struct ServeMessages {
  // It listens: at which address, and which file holds the tokens (empty: none are needed).
  std::function<void(const std::string& address, const std::filesystem::path& tokens)> ready;
  std::function<void(const std::string& sentence)> warn;
};

// Serves until SIGTERM or SIGINT. Throws Error if it cannot begin, or for an address that others
// reach without TLS.
void serve(const ServeOptions& options, const ServeMessages& messages);

}  // namespace longshot::server
