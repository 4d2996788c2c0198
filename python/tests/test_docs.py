# SPDX-License-Identifier: Apache-2.0
"""The examples of the docstrings are true."""

import doctest
import importlib
import inspect

import pytest

import longshot as ls

MODULES = [
    "longshot", "longshot._longshot", "longshot.audit", "longshot.base", "longshot.camera",
    "longshot.clips", "longshot.errors",
    "longshot.evaluation", "longshot.gallery", "longshot.methods", "longshot.people",
    "longshot.pictures", "longshot.results", "longshot.sparse", "longshot.system",
    "longshot.upkeep",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(folder, name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={**vars(module), **vars(ls)})
    assert result.attempted > 0 and result.failed == 0


def test_everything_public_says_what_it_is():
    for name in ls.__all__:
        thing = getattr(ls, name)
        assert thing.__doc__ and not thing.__doc__.startswith("__init__"), name


def public_functions():
    """Everything that a user calls, by the name under which it is found."""
    for name in ls.__all__:
        thing = getattr(ls, name)
        if inspect.isclass(thing) and issubclass(thing, Exception):
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            yield name, thing
    for owner in (ls.Gallery, *ls.Gallery.__bases__, ls.sparse):
        for name, thing in vars(owner).items():
            ours = getattr(thing, "__module__", "").startswith("longshot")
            if inspect.isfunction(thing) and not name.startswith("_") and ours and name != "close":
                yield f"{owner.__name__}.{name}", thing


@pytest.mark.parametrize("name, thing", public_functions())
def test_what_is_called_has_an_example(name, thing):
    assert ">>>" in thing.__doc__
