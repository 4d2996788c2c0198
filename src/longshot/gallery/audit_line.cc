// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/audit_line.h"

#include <charconv>

#include <nlohmann/json.hpp>
#include <sodium.h>

#include "longshot/core/error.h"
#include "longshot/core/json_integer.h"

namespace longshot {
namespace {

using AuditJson = nlohmann::ordered_json;

constexpr std::size_t kAuditKeyBytes = 32;
constexpr std::size_t kHashBytes = 16;
constexpr std::size_t kNonceBytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kTagBytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t kChainDigits = 2 * sizeof(AuditChain);
constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL_NO_PADDING;

const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string hex_of(const unsigned char* bytes, std::size_t count) {
  std::string digits(2 * count + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), bytes, count);
  digits.pop_back();
  return digits;
}

bool from_hex(std::string_view digits, unsigned char* bytes, std::size_t count) {
  std::size_t size = 0;
  return digits.size() == 2 * count &&
         sodium_hex2bin(bytes, count, digits.data(), digits.size(), nullptr, &size, nullptr) == 0 &&
         size == count;
}

Secret key_from_hex(std::string_view digits) {
  Secret key(kAuditKeyBytes);
  if (!from_hex(digits, key.data(), key.size())) {
    throw Error(ErrorKind::damaged, "The key of the audit log is damaged.");
  }
  return key;
}

Secret derived_key(std::string_view digits, std::string_view purpose) {
  const Secret key = key_from_hex(digits);
  Secret derived(kAuditKeyBytes);
  crypto_generichash(derived.data(), derived.size(), raw(purpose), purpose.size(), key.data(),
                     key.size());
  return derived;
}

std::string body_of(const AuditRecord& record) {
  AuditJson body = {{"time", record.time},
                    {"actor", record.actor},
                    {"uid", record.uid},
                    {"act", record.act},
                    {"revision", record.revision}};
  if (!record.people.empty()) body["people"] = record.people;
  if (!record.inputs.empty()) body["inputs"] = record.inputs;
  if (!record.details.empty()) body["details"] = record.details;
  if (record.unconfirmed > 0) body["unconfirmed"] = record.unconfirmed;
  return body.dump(-1, ' ', true, AuditJson::error_handler_t::replace);
}

}  // namespace

std::string to_hex(const AuditChain& chain) {
  return hex_of(chain.data(), chain.size());
}

std::optional<AuditChain> chain_from_hex(std::string_view text) {
  AuditChain chain{};
  if (!from_hex(text, chain.data(), chain.size())) return std::nullopt;
  return chain;
}

std::string AuditKeys::create() {
  Secret key(kAuditKeyBytes);
  randombytes_buf(key.data(), key.size());
  return hex_of(key.data(), key.size());
}

AuditKeys::AuditKeys(std::string_view digits)
    : people_(derived_key(digits, "longshot audit people")),
      inputs_(derived_key(digits, "longshot audit inputs")),
      chain_(derived_key(digits, "longshot audit chain")),
      lines_(derived_key(digits, "longshot audit lines")) {}

std::string AuditKeys::person_hash(std::string_view name) const {
  std::array<unsigned char, kHashBytes> hash{};
  crypto_generichash(hash.data(), hash.size(), raw(name), name.size(), people_.data(),
                     people_.size());
  return hex_of(hash.data(), hash.size());
}

AuditKeys::InputHash::InputHash(const Secret& key) : state_{} {
  static_assert(sizeof(crypto_generichash_state) <= sizeof(state_));
  crypto_generichash_init(reinterpret_cast<crypto_generichash_state*>(state_.data()), key.data(),
                          key.size(), kHashBytes);
}

void AuditKeys::InputHash::add(const void* bytes, std::size_t count) {
  crypto_generichash_update(reinterpret_cast<crypto_generichash_state*>(state_.data()),
                            static_cast<const unsigned char*>(bytes), count);
}

std::string AuditKeys::InputHash::digits() {
  std::array<unsigned char, kHashBytes> hash{};
  crypto_generichash_final(reinterpret_cast<crypto_generichash_state*>(state_.data()), hash.data(),
                           hash.size());
  return hex_of(hash.data(), hash.size());
}

AuditChain AuditKeys::link(const AuditChain& before, std::string_view text) const {
  crypto_generichash_state state;
  crypto_generichash_init(&state, chain_.data(), chain_.size(), before.size());
  crypto_generichash_update(&state, before.data(), before.size());
  crypto_generichash_update(&state, raw(text), text.size());
  AuditChain chain{};
  crypto_generichash_final(&state, chain.data(), chain.size());
  return chain;
}

std::string AuditKeys::seal(std::int64_t number, std::string_view body) const {
  std::string sealed(kNonceBytes + body.size() + kTagBytes, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(sealed.data());
  const std::string place = fmt::format("{}", number);
  randombytes_buf(bytes, kNonceBytes);
  crypto_aead_xchacha20poly1305_ietf_encrypt(bytes + kNonceBytes, nullptr, raw(body), body.size(),
                                             raw(place), place.size(), nullptr, bytes,
                                             lines_.data());
  std::string text(sodium_base64_ENCODED_LEN(sealed.size(), kBase64), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes, sealed.size(), kBase64);
  text.pop_back();
  return text;
}

std::optional<std::string> AuditKeys::open(std::int64_t number, std::string_view sealed) const {
  std::string bytes(sealed.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), sealed.data(),
                        sealed.size(), nullptr, &size, nullptr, kBase64) != 0 ||
      size < kNonceBytes + kTagBytes) {
    return std::nullopt;
  }
  const std::string place = fmt::format("{}", number);
  std::string body(size - kNonceBytes - kTagBytes, '\0');
  const int code = crypto_aead_xchacha20poly1305_ietf_decrypt(
      reinterpret_cast<unsigned char*>(body.data()), nullptr, nullptr, raw(bytes) + kNonceBytes,
      size - kNonceBytes, raw(place), place.size(), raw(bytes), lines_.data());
  return code == 0 ? std::optional(std::move(body)) : std::nullopt;
}

std::optional<AuditLine> AuditLine::parse(std::string_view line) {
  AuditLine parsed;
  if (line.size() < kChainDigits + 4 || line[kChainDigits] != ' ') return std::nullopt;
  const std::optional<AuditChain> chain = chain_from_hex(line.substr(0, kChainDigits));
  if (!chain) return std::nullopt;
  parsed.chain = *chain;
  parsed.text = line.substr(kChainDigits + 1);
  const char* const end = parsed.text.data() + parsed.text.size();
  const auto [rest, error] = std::from_chars(parsed.text.data(), end, parsed.number);
  if (error != std::errc() || rest == end || *rest != ' ' || parsed.number < 1) return std::nullopt;
  parsed.body = parsed.text.substr(static_cast<std::size_t>(rest + 1 - parsed.text.data()));
  return parsed;
}

std::string format_line(const AuditRecord& record, const AuditKeys& keys, bool sealed,
                        AuditChain& before) {
  const std::string body = body_of(record);
  const std::string text =
      fmt::format("{} {}", record.number, sealed ? keys.seal(record.number, body) : body);
  before = keys.link(before, text);
  return fmt::format("{} {}\n", to_hex(before), text);
}

std::optional<AuditRecord> read_record(const AuditLine& line, const AuditKeys& keys) {
  std::string body(line.body);
  if (!body.starts_with('{')) {
    std::optional<std::string> opened = keys.open(line.number, line.body);
    if (!opened) return std::nullopt;
    body = *std::move(opened);
  }
  try {
    const AuditJson found = AuditJson::parse(body);
    AuditRecord record;
    record.number = line.number;
    found.at("time").get_to(record.time);
    found.at("actor").get_to(record.actor);
    found.at("act").get_to(record.act);
    record.people = found.value("people", record.people);
    record.inputs = found.value("inputs", record.inputs);
    record.details = found.value("details", record.details);
    const auto uid = json_integer(found.at("uid"));
    const auto revision = json_integer(found.at("revision"));
    const auto unconfirmed = json_integer(found.value("unconfirmed", AuditJson(0)));
    if (!uid || !revision || !unconfirmed) return std::nullopt;
    record.uid = *uid;
    record.revision = *revision;
    record.unconfirmed = *unconfirmed;
    return record;
  } catch (const AuditJson::exception&) {
    return std::nullopt;
  }
}

}  // namespace longshot
