// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/core/framed_file.h"
#include "longshot/gallery/gallery_types.h"
#include "longshot/pipeline/gallery_search.h"

namespace longshot {

// What is asked of all shards at once, and what they answer. A request goes as bytes to whoever
// holds shards; two answers are combined to one, in any order of shards, so that an answer does not
// depend on who holds which. The bytes stay inside one job: they are no format to keep.
enum class ShardOp : std::uint8_t {
  kCounts,         // -> ShardCountsReply
  kPeople,         // range, limit -> people
  kFirstFrom,      // ids -> people, one for each id that has one
  kWithIds,        // ids -> people
  kFind,           // names -> people
  kFaces,          // ids, size -> rows: a face for each id
  kAdoptModel,     // key, bytes, keys to keep -> nothing
  kCompleteIndex,  // key -> nothing
  kSearch,         // basis, top, probes -> nearest
  kSearchTracks,   // basis, top, zero, unit, tracks, weights, count, probes -> nearest
  kDistances,      // basis, ids, probes -> rows: the distances of each id
  kExamine,        // first, last of the inputs -> examined photos
  kOwners,         // hashes of photos -> names, empty where there is none
  kAdd,            // new photos -> nothing
  kPhotos,         // id of a person -> photos
  kRename,         // name, new name -> nothing
  kMerge,          // name of who stays, who goes, photos of who goes -> nothing
  kRemovePhoto,    // name, id of a photo -> nothing
  kRemove          // name -> ShardCountsReply: people who are left, photos of nobody
};

// What probes are compared by.
struct SearchBasis {
  std::string model;   // its key
  std::string camera;  // that took the probes, as its file has it; may be empty
};

struct ShardTotals {
  Index people = 0;
  Index photos = 0;
  PersonId last = 0;
};

// A row of values for one id, say the distances of a person.
struct IdRow {
  PersonId id = 0;
  Vector values;
};

void write_ids(ByteWriter& out, const std::vector<PersonId>& ids);
std::vector<PersonId> read_ids(ByteReader& in);
void write_people(ByteWriter& out, const std::vector<Person>& people);
std::vector<Person> read_people(ByteReader& in);
void write_basis(ByteWriter& out, const SearchBasis& basis);
SearchBasis read_basis(ByteReader& in);
void write_photo(ByteWriter& out, const Photo& photo);
Photo read_photo(ByteReader& in);
void write_rows(ByteWriter& out, const std::vector<IdRow>& rows);
std::vector<IdRow> read_rows(ByteReader& in);
void write_nearest(ByteWriter& out, const NearestPeople& nearest);
NearestPeople read_nearest(ByteReader& in);
void write_totals(ByteWriter& out, const ShardTotals& totals);
ShardTotals read_totals(ByteReader& in);

// Beginning of a request.
ByteWriter request_of(ShardOp op);
ShardOp op_of(std::string_view request);

// An answer that is an Error, and back: throws it. Others are left as they are.
std::string error_reply(ErrorKind kind, std::string_view sentence);
std::string good_reply(std::string content);
std::string_view content_of(std::string_view reply);

// Both answers to one request as one. The first Error wins; nothing is the answer of who holds no
// shard.
std::string combine_replies(std::string_view request, std::string_view one, std::string_view other);

}  // namespace longshot
