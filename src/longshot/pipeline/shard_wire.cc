// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/shard_wire.h"

#include <algorithm>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/gallery/shard_folder.h"

namespace longshot {
namespace {

constexpr std::string_view kMessage = "A message between the processes of a job";
constexpr std::uint32_t kMostText = std::uint32_t{1} << 30;
constexpr std::uint32_t kMostCount = 0xFFFFFFFF;

std::vector<Person> joined_people(std::string_view one, std::string_view other) {
  ByteReader first(one, kMessage);
  ByteReader second(other, kMessage);
  std::vector<Person> people = read_people(first);
  for (Person& person : read_people(second)) people.push_back(std::move(person));
  std::ranges::sort(people, {}, &Person::id);
  return people;
}

// One more reader for the request, behind its operation.
ByteReader request_reader(std::string_view request) {
  ByteReader reader(request, kMessage);
  reader.number<std::uint8_t>();
  return reader;
}

std::vector<Person> combined_people(std::string_view request, std::string_view one,
                                    std::string_view other) {
  std::vector<Person> people = joined_people(one, other);
  if (op_of(request) != ShardOp::kPeople) return people;
  ByteReader reader = request_reader(request);
  reader.number<PersonId>();
  reader.number<PersonId>();
  const auto limit = static_cast<std::size_t>(reader.number<Index>());
  if (people.size() > limit) people.resize(limit);
  return people;
}

// For each id the nearest person from there on; both answers are in the order of the ids.
std::vector<Person> combined_first(std::string_view request, std::string_view one,
                                   std::string_view other) {
  ByteReader reader = request_reader(request);
  const std::vector<Person> people = joined_people(one, other);
  std::vector<Person> chosen;
  for (const PersonId id : read_ids(reader)) {
    const auto found = std::ranges::lower_bound(people, id, {}, &Person::id);
    if (found != people.end()) chosen.push_back(*found);
  }
  return chosen;
}

NearestPeople combined_nearest(std::string_view request, std::string_view one,
                               std::string_view other) {
  ByteReader reader = request_reader(request);
  read_basis(reader);
  const auto top = reader.number<Index>();
  ByteReader first(one, kMessage);
  ByteReader second(other, kMessage);
  NearestPeople nearest = read_nearest(first);
  const NearestPeople more = read_nearest(second);
  if (nearest.size() != more.size()) first.refuse("two shards answer different questions");
  for (std::size_t j = 0; j < nearest.size(); ++j) {
    nearest[j].insert(nearest[j].end(), more[j].begin(), more[j].end());
    keep_nearest(nearest[j], top);
  }
  return nearest;
}

}  // namespace

void write_ids(ByteWriter& out, const std::vector<PersonId>& ids) {
  out.count(std::ssize(ids));
  for (const PersonId id : ids) out.number(id);
}

std::vector<PersonId> read_ids(ByteReader& in) {
  std::vector<PersonId> ids;
  for (Index left = in.count(kMostCount); left > 0; --left) ids.push_back(in.number<PersonId>());
  return ids;
}

void write_people(ByteWriter& out, const std::vector<Person>& people) {
  out.count(std::ssize(people));
  for (const Person& person : people) {
    out.number(person.id);
    out.text(person.name);
    out.number(person.photos);
    out.text(person.enrolled_at);
  }
}

std::vector<Person> read_people(ByteReader& in) {
  std::vector<Person> people;
  for (Index left = in.count(kMostCount); left > 0; --left) {
    Person person;
    person.id = in.number<PersonId>();
    person.name = in.text(kMostText);
    person.photos = in.number<Index>();
    person.enrolled_at = in.text(kMostText);
    people.push_back(std::move(person));
  }
  return people;
}

void write_basis(ByteWriter& out, const SearchBasis& basis) {
  out.text(basis.model);
  out.text(basis.camera);
}

SearchBasis read_basis(ByteReader& in) {
  std::string model = in.text(kMostText);
  return {std::move(model), in.text(kMostText)};
}

void write_photo(ByteWriter& out, const Photo& photo) {
  out.number(photo.id);
  out.number(photo.rows);
  out.number(photo.cols);
  out.text({reinterpret_cast<const char*>(photo.pixels.data()), photo.pixels.size()});
  out.number(static_cast<std::uint8_t>(photo.eyes ? 1 : 0));
  for (int i = 0; photo.eyes && i < 4; ++i) out.number((*photo.eyes)[static_cast<std::size_t>(i)]);
  out.text(photo.source);
  out.text(photo.content_hash);
  out.text(photo.added_at);
  out.count(std::ssize(photo.quality));
  for (const auto& [name, value] : photo.quality) {
    out.text(name);
    out.number(value);
  }
}

Photo read_photo(ByteReader& in) {
  Photo photo;
  photo.id = in.number<PhotoId>();
  photo.rows = in.number<Index>();
  photo.cols = in.number<Index>();
  const std::string pixels = in.text(kMostText);
  photo.pixels.assign(pixels.begin(), pixels.end());
  if (in.number<std::uint8_t>() != 0) {
    photo.eyes.emplace();
    for (double& value : *photo.eyes) value = in.number<double>();
  }
  photo.source = in.text(kMostText);
  photo.content_hash = in.text(kMostText);
  photo.added_at = in.text(kMostText);
  for (Index left = in.count(kMostCount); left > 0; --left) {
    std::string name = in.text(kMostText);
    photo.quality[std::move(name)] = in.number<double>();
  }
  return photo;
}

void write_rows(ByteWriter& out, const std::vector<IdRow>& rows) {
  out.count(std::ssize(rows));
  for (const IdRow& row : rows) {
    out.number(row.id);
    out.matrix(row.values);
  }
}

std::vector<IdRow> read_rows(ByteReader& in) {
  std::vector<IdRow> rows;
  for (Index left = in.count(kMostCount); left > 0; --left) {
    const auto id = in.number<PersonId>();
    rows.push_back({id, in.vector()});
  }
  return rows;
}

void write_nearest(ByteWriter& out, const NearestPeople& nearest) {
  out.count(std::ssize(nearest));
  for (const std::vector<PersonDistance>& people : nearest) {
    out.count(std::ssize(people));
    for (const PersonDistance& one : people) {
      out.number(one.person);
      out.number(one.distance);
    }
  }
}

NearestPeople read_nearest(ByteReader& in) {
  NearestPeople nearest;
  for (Index left = in.count(kMostCount); left > 0; --left) {
    nearest.emplace_back();
    for (Index k = in.count(kMostCount); k > 0; --k) {
      const auto person = in.number<PersonId>();
      nearest.back().push_back({person, in.number<double>()});
    }
  }
  return nearest;
}

void write_totals(ByteWriter& out, const ShardTotals& totals) {
  out.number(totals.people);
  out.number(totals.photos);
  out.number(totals.last);
}

ShardTotals read_totals(ByteReader& in) {
  ShardTotals totals;
  totals.people = in.number<Index>();
  totals.photos = in.number<Index>();
  totals.last = in.number<PersonId>();
  return totals;
}

ByteWriter request_of(ShardOp op) {
  ByteWriter out;
  out.number(static_cast<std::uint8_t>(op));
  return out;
}

ShardOp op_of(std::string_view request) {
  return static_cast<ShardOp>(ByteReader(request, kMessage).number<std::uint8_t>());
}

std::string error_reply(ErrorKind kind, std::string_view sentence) {
  ByteWriter out;
  out.number(static_cast<std::uint8_t>(1 + static_cast<int>(kind)));
  out.text(sentence);
  return out.take();
}

std::string good_reply(std::string content) {
  return std::string(1, '\0') + std::move(content);
}

std::string_view content_of(std::string_view reply) {
  ByteReader in(reply, kMessage);
  const auto mark = in.number<std::uint8_t>();
  if (mark != 0) throw Error(static_cast<ErrorKind>(mark - 1), in.text(kMostText));
  return reply.substr(1);
}

std::string combine_replies(std::string_view request, std::string_view one,
                            std::string_view other) {
  if (one.empty() || other.empty()) return std::string(one.empty() ? other : one);
  if (one.front() != '\0') return std::string(one);
  if (other.front() != '\0') return std::string(other);
  const std::string_view first = content_of(one);
  const std::string_view second = content_of(other);
  ByteWriter out;
  switch (op_of(request)) {
    case ShardOp::kCounts:
    case ShardOp::kRemove: {
      ByteReader a(first, kMessage);
      ByteReader b(second, kMessage);
      const ShardTotals x = read_totals(a);
      const ShardTotals y = read_totals(b);
      write_totals(out, {x.people + y.people, x.photos + y.photos, std::max(x.last, y.last)});
      break;
    }
    case ShardOp::kPeople:
    case ShardOp::kWithIds:
    case ShardOp::kFind:
      write_people(out, combined_people(request, first, second));
      break;
    case ShardOp::kFirstFrom:
      write_people(out, combined_first(request, first, second));
      break;
    case ShardOp::kFaces:
    case ShardOp::kDistances: {
      ByteReader a(first, kMessage);
      ByteReader b(second, kMessage);
      std::vector<IdRow> rows = read_rows(a);
      for (IdRow& row : read_rows(b)) rows.push_back(std::move(row));
      write_rows(out, rows);
      break;
    }
    case ShardOp::kSearch:
    case ShardOp::kSearchTracks:
      write_nearest(out, combined_nearest(request, first, second));
      break;
    case ShardOp::kExamine:
    case ShardOp::kPhotos:
      out.bytes(first);
      out.bytes(second);
      break;
    case ShardOp::kOwners: {
      ByteReader a(first, kMessage);
      ByteReader b(second, kMessage);
      while (a.left() > 0) {
        const std::string name = a.text(kMostText);
        const std::string else_name = b.text(kMostText);
        out.text(name.empty() ? else_name : name);
      }
      break;
    }
    case ShardOp::kAdoptModel:
    case ShardOp::kCompleteIndex:
    case ShardOp::kAdd:
    case ShardOp::kRename:
    case ShardOp::kMerge:
    case ShardOp::kRemovePhoto:
      break;
  }
  return good_reply(out.take());
}

}  // namespace longshot
