// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery/audit_log.h"

namespace longshot::door {

// An act of whom run_as() names for this thread.
AuditAct act_of(std::string act, std::vector<std::string> people = {});
// What run_as() says; empty: nothing.
const std::string& current_actor();

// Adds which camera the answers rest on: the name of one that was stated, "auto" for what was
// learnt from the probes themselves, nothing for none.
void note_camera(AuditAct& act, const std::optional<v0::Camera>& stated,
                 const std::vector<v0::Camera>& learnt = {});

// The hash of the bytes of a picture as they were handed in; empty for one that cannot be read.
std::string input_hash(const AuditKeys& keys, const v0::Picture& picture);
// Of several, without those that cannot be read.
std::vector<std::string> input_hashes(const AuditKeys& keys,
                                      const std::vector<v0::Picture>& pictures,
                                      std::size_t first = 0, std::size_t count = SIZE_MAX);
// The act as several where it has more pictures than one line should hold.
std::vector<AuditAct> with_inputs(const AuditKeys& keys, const AuditAct& act,
                                  const std::vector<v0::Picture>& pictures);

}  // namespace longshot::door
