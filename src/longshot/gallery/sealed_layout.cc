// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/sealed_layout.h"

#include "longshot/gallery/sealed_header.h"

namespace longshot {
namespace {

constexpr std::int64_t kSeal{PageSeal::kBytes};
constexpr std::int64_t kFileHeaderBytes{SealedHeader::kBytes};
constexpr std::int64_t kJournalBlock = 4096;
// https://sqlite.org/fileformat2.html, section 4.1
constexpr std::int64_t kLogHeader = 32;
constexpr std::int64_t kFrameHeader = 24;
constexpr std::int64_t kFrame = kFrameHeader + kPageBytes;
constexpr std::int64_t kSealedFrame = kFrame + kSeal;

SealedPiece log_piece(std::int64_t offset) {
  if (offset < kLogHeader) return {0, kLogHeader, 0, kLogHeader + kSeal, false};
  const std::int64_t frame = (offset - kLogHeader) / kFrame;
  const std::int64_t begin = kLogHeader + frame * kFrame;
  const std::int64_t sealed = kLogHeader + kSeal + frame * kSealedFrame;
  if (offset < begin + kFrameHeader) {
    return {begin, kFrameHeader, sealed, kFrameHeader + kSeal, false};
  }
  return {begin + kFrameHeader, kPageBytes, sealed + kFrameHeader + kSeal, kPageBytes, true};
}

// The piece in which that byte of the file lies.
SealedPiece piece_of_sealed(SealedPart part, std::int64_t at) {
  switch (part) {
    case SealedPart::kDatabase:
      return sealed_piece(part, at < kFileHeaderBytes ? 0 : at - kFileHeaderBytes);
    case SealedPart::kJournal:
      return sealed_piece(part, at / (kJournalBlock + kSeal) * kJournalBlock);
    case SealedPart::kLog:
      break;
  }
  if (at < kLogHeader + kSeal) return log_piece(0);
  const std::int64_t frame = (at - kLogHeader - kSeal) / kSealedFrame;
  const std::int64_t in_frame = (at - kLogHeader - kSeal) % kSealedFrame;
  const std::int64_t header = kLogHeader + frame * kFrame;
  return log_piece(in_frame < kFrameHeader + kSeal ? header : header + kFrameHeader);
}

}  // namespace

SealedPiece sealed_piece(SealedPart part, std::int64_t offset) {
  if (part == SealedPart::kLog) return log_piece(offset);
  if (part == SealedPart::kDatabase) {
    const std::int64_t begin = offset / kPageBytes * kPageBytes;
    return {begin, kPageBytes, kFileHeaderBytes + begin, kPageBytes, true};
  }
  const std::int64_t block = offset / kJournalBlock;
  return {block * kJournalBlock, kJournalBlock, block * (kJournalBlock + kSeal),
          kJournalBlock + kSeal, false};
}

std::int64_t plain_size(SealedPart part, std::int64_t sealed_bytes) {
  if (part == SealedPart::kDatabase && sealed_bytes <= kFileHeaderBytes) return 0;
  // The first byte that is not there lies in a piece that is not whole.
  return piece_of_sealed(part, sealed_bytes).begin;
}

std::int64_t sealed_size(SealedPart part, std::int64_t plain_bytes) {
  if (plain_bytes <= 0) return part == SealedPart::kDatabase ? kFileHeaderBytes : 0;
  const SealedPiece last = sealed_piece(part, plain_bytes - 1);
  return last.sealed_begin + last.sealed_size;
}

}  // namespace longshot
