# SPDX-License-Identifier: Apache-2.0
"""The examples run, on a few people who do not exist."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(monkeypatch, name, *arguments):
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def test_a_table_with_a_plot(monkeypatch, capsys, made, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    run(monkeypatch, "pie_table.py", made / "people", "--protocol", "roles", "--methods", "pca",
        "--sizes", "7x6", "--out", tmp_path)
    assert "correlation" in capsys.readouterr().out
    assert {one.name for one in tmp_path.iterdir()} == {"cmc.png", "report.html", "table.csv"}


def test_a_camera(monkeypatch, capsys, tmp_path):
    pytest.importorskip("matplotlib")
    run(monkeypatch, "camera.py", "--people", 6, "--out", tmp_path)
    assert "right person first" in capsys.readouterr().out
    assert (tmp_path / "compared.png").stat().st_size > 10_000
    assert (tmp_path / "camera.png").stat().st_size > 1_000
