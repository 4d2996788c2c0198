# SPDX-License-Identifier: Apache-2.0
"""Keys of galleries, and what there is to say about a machine and a gallery."""

from __future__ import annotations

from pathlib import Path
from typing import Union

from longshot import _longshot
from longshot._longshot import Key
from longshot.pictures import PathLike, given
from longshot.upkeep import Finding

#: A key, or the file that holds it: 32 bytes or more that nobody can guess.
KeyLike = Union[Key, PathLike]


def key_of(key: KeyLike | None) -> Key:
    """The key that is meant, or the absence of one."""
    if key is None:
        return Key()
    return key if isinstance(key, Key) else Key.from_file(Path(key))


def encrypt_gallery(gallery: PathLike, key: KeyLike) -> None:
    """Writes a gallery anew, encrypted. Killed at any moment, the old file or the new one is there.

    Raises Busy if another program has the gallery open.

    >>> secret = Key.from_passphrase("correct horse battery staple")
    >>> encrypt_gallery("people.gallery", secret)
    >>> with Gallery("people.gallery", key=secret) as gallery:
    ...     len(gallery.people)
    6
    >>> decrypt_gallery("people.gallery", secret)
    """
    _longshot.encrypt_gallery(Path(gallery), key_of(key))


def decrypt_gallery(gallery: PathLike, key: KeyLike) -> None:
    """Writes a gallery anew, readable by everybody who has the file.

    >>> secret = Key.from_passphrase("correct horse battery staple")
    >>> encrypt_gallery("people.gallery", secret)
    >>> decrypt_gallery("people.gallery", secret)
    >>> Gallery("people.gallery").close()
    """
    _longshot.decrypt_gallery(Path(gallery), key_of(key))


def rekey_gallery(
    gallery: PathLike, key: KeyLike, new_key: KeyLike, *, full: bool = False
) -> None:
    """From now on ``new_key`` opens the gallery.

    ``full``: with other keys inside too, by writing it anew; otherwise who has an old copy of the
    file and its key can also read the new one.

    >>> old, new = map(Key.from_passphrase, ("correct horse battery", "staple of another"))
    >>> encrypt_gallery("people.gallery", old)
    >>> rekey_gallery("people.gallery", old, new)
    >>> decrypt_gallery("people.gallery", new)
    """
    _longshot.rekey_gallery(Path(gallery), key_of(key), key_of(new_key), full)


def seal_file(file: PathLike, sealed: PathLike, key: KeyLike) -> None:
    """Writes a file (a model, a camera, a report) that only the key opens.

    >>> secret = Key.from_passphrase("correct horse battery staple")
    >>> _ = Path("notes.txt").write_text("Ada Lovelace")
    >>> seal_file("notes.txt", "notes.sealed", secret)
    >>> unseal_file("notes.sealed", "again.txt", secret)
    >>> Path("again.txt").read_text()
    'Ada Lovelace'
    """
    _longshot.seal_file(Path(file), Path(sealed), key_of(key))


def unseal_file(sealed: PathLike, file: PathLike, key: KeyLike) -> None:
    """Writes what was sealed as it was, readable by its owner only.

    >>> secret = Key.from_passphrase("correct horse battery staple")
    >>> _ = Path("notes.txt").write_text("Ada Lovelace")
    >>> seal_file("notes.txt", "notes.sealed", secret)
    >>> unseal_file("notes.sealed", "notes.txt", secret)
    """
    _longshot.unseal_file(Path(sealed), Path(file), key_of(key))


def examine_system(*, detector: PathLike | None = None) -> tuple[Finding, ...]:
    """Looks at the processor, the memory, the libraries and the detector, as ``longshot doctor``.

    >>> any(finding.level == "problem" for finding in examine_system())
    False
    """
    return _longshot.examine_system(given(detector))


def examine_gallery(gallery: PathLike, *, key: KeyLike | None = None) -> tuple[Finding, ...]:
    """Reads all of a gallery and changes nothing; what is wrong with it is a finding.

    >>> {finding.level for finding in examine_gallery("people.gallery")}
    {'fine'}
    """
    return _longshot.examine_gallery(Path(gallery), key_of(key))
