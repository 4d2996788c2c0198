# SPDX-License-Identifier: Apache-2.0
"""The examples of the docstrings are true."""

import doctest
import importlib

import pytest

import longshot as ls

MODULES = ["longshot", "longshot._longshot", "longshot.camera", "longshot.errors", "longshot.evaluation", "longshot.gallery",
           "longshot.pictures", "longshot.results"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(folder, name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, extraglobs={"Gallery": ls.Gallery})
    assert result.attempted > 0 and result.failed == 0


def test_everything_public_says_what_it_is():
    for name in ls.__all__:
        thing = getattr(ls, name)
        assert thing.__doc__ and not thing.__doc__.startswith("__init__"), name
