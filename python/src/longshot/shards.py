# SPDX-License-Identifier: Apache-2.0
"""Large galleries: folders of ordinary gallery files, which ``Gallery`` opens like one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from longshot import _longshot
from longshot.base import ProgressCallback, Result
from longshot.pictures import PathLike
from longshot.system import KeyLike, key_of
from longshot.upkeep import Checked


@dataclass(frozen=True)
class Sharded(Result):
    """What a change of a folder of shards came to.

    >>> Sharded(shards=2, people=6, photos=6, moved=0).to_dict()["shards"]
    2
    """

    shards: int
    people: int
    photos: int
    moved: int  #: people who are in another shard than before


def split_gallery(
    gallery: PathLike,
    folder: PathLike,
    shards: int,
    *,
    key: KeyLike | None = None,
    progress: ProgressCallback | None = None,
) -> Sharded:
    """Writes the people of a gallery to a new folder; answers stay the same to the last bit.

    All files of the folder have the ``key`` of the gallery. Raises AlreadyThere.

    >>> split_gallery("people.gallery", "people.shards", 2).people
    6
    >>> with Gallery("people.shards") as gallery:
    ...     len(gallery.people)
    6
    """
    return _longshot.split_gallery(Path(gallery), Path(folder), shards, key_of(key), progress)


def merge_shards(
    folder: PathLike,
    gallery: PathLike,
    *,
    key: KeyLike | None = None,
    progress: ProgressCallback | None = None,
) -> Sharded:
    """The other way round.

    >>> _ = split_gallery("people.gallery", "split.shards", 2)
    >>> merge_shards("split.shards", "merged.gallery").people
    6
    """
    return _longshot.merge_shards(Path(folder), Path(gallery), key_of(key), progress)


def add_shard(
    folder: PathLike, *, key: KeyLike | None = None, progress: ProgressCallback | None = None
) -> Sharded:
    """One more shard, and everybody to where they belong.

    Killed at any moment nobody is lost or there twice; ``rebalance_shards`` goes on.

    >>> _ = split_gallery("people.gallery", "grown.shards", 2)
    >>> add_shard("grown.shards").shards
    3
    """
    return _longshot.add_shard(Path(folder), key_of(key), progress)


def rebalance_shards(
    folder: PathLike, *, key: KeyLike | None = None, progress: ProgressCallback | None = None
) -> Sharded:
    """Everybody to where they belong.

    >>> _ = split_gallery("people.gallery", "even.shards", 2)
    >>> rebalance_shards("even.shards").moved
    0
    """
    return _longshot.rebalance_shards(Path(folder), key_of(key), progress)


def check_shards(
    folder: PathLike, *, key: KeyLike | None = None, progress: ProgressCallback | None = None
) -> Checked:
    """Reads everything, and compares the shards with each other. Raises Damaged, naming a shard.

    >>> _ = split_gallery("people.gallery", "checked.shards", 2)
    >>> check_shards("checked.shards").people
    6
    """
    return _longshot.check_shards(Path(folder), key_of(key), progress)
