# SPDX-License-Identifier: Apache-2.0
"""Which people of LFW train, which tune, which test: decided once, by the name alone.

CRC-32 (zlib's) of the UTF-8 name, as the manifest spells it, modulo 100: below 27 test, below 35
tuning, the rest training. Nobody ever moves between the parts, whatever photos are at hand.
"""
import zlib

PARTS = ("train", "tune", "test")


def part_of(name: str) -> str:
    number = zlib.crc32(name.encode("utf-8")) % 100
    if number < 27:
        return "test"
    return "tune" if number < 35 else "train"
