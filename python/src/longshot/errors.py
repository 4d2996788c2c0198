# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package, after the kinds of errors of the library (docs/library.md).

>>> import longshot as ls
>>> try:
...     ls.Gallery("nowhere/people.gallery")
... except ls.NotFound as error:
...     print(error.kind)
not_found
"""

from __future__ import annotations

from typing import ClassVar


class LongshotError(Exception):
    """What went wrong, in one sentence for the user; ``kind`` is for the program."""

    kind: ClassVar[str] = "error"


class BadInput(LongshotError, ValueError):
    """An argument, option, image or file that cannot be used."""

    kind = "bad_input"


class NotFound(LongshotError, LookupError):
    """No such file, person or photo."""

    kind = "not_found"


class AlreadyThere(LongshotError):
    """The name is taken."""

    kind = "already_there"


class Damaged(LongshotError):
    """A file of ours is not whole: restore it from a copy."""

    kind = "damaged"


class Busy(LongshotError):
    """Another program keeps writing: try again later."""

    kind = "busy"


class ReadOnly(LongshotError):
    """Write-protected, or opened for reading."""

    kind = "read_only"


class NoSpace(LongshotError):
    """The disk is full."""

    kind = "no_space"


class Cancelled(LongshotError):
    """The progress callback returned False; what was committed before stays."""

    kind = "cancelled"


class Unsupported(LongshotError):
    """Written by a newer version, or not built into this one."""

    kind = "unsupported"
