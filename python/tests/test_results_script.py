# SPDX-License-Identifier: Apache-2.0
"""scripts/results: tables and tests from the files of an experiment."""

import json
import subprocess
from pathlib import Path

import pytest

from conftest import run_program

SCRIPT = Path(__file__).parents[2] / "scripts" / "results"
HEAD = "method,size,noise,run,probe,person,enrolled,decision,candidate_1,distance_1,score_1\n"


def results(*arguments, code=0):
    done = subprocess.run([SCRIPT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def scores(path, named, score=0.75):
    """One probe of anna for each name."""
    lines = [f"m,7x6,0,1,{k}.png,anna,yes,{name},{name},1,{score}\n" for k, name in enumerate(named)]
    path.write_text(HEAD + "".join(lines))
    return path


def test_a_difference_is_tested_on_the_probes_that_differ(tmp_path):
    a = scores(tmp_path / "a.csv", ["anna"] * 10)
    b = scores(tmp_path / "b.csv", ["anna"] * 4 + ["ben"] * 6)
    size, probes, *rates, only_a, only_b, p = results("compare", a, b).splitlines()[1].split()
    assert (size, probes, rates) == ("7x6", "10", ["100.0", "40.0"])
    assert (only_a, only_b) == ("6", "0")
    assert float(p) == pytest.approx(2 / 2**6, rel=0.02)
    assert results("compare", a, a).splitlines()[1].split()[-1] == "1"


def test_rates_by_condition(tmp_path):
    (tmp_path / "manifest.csv").write_text("path,subject,condition\n0.png,anna,dark\n1.png,anna,\n")
    (tmp_path / "s.csv").write_text(
        HEAD + "".join(f"m,7x6,0,1,{tmp_path}/{k}.png,anna,yes,x,{who},1,0.5\n"
                       for k, who in enumerate(["ben", "anna", "anna"])))
    told = results("conditions", tmp_path / "s.csv", tmp_path / "manifest.csv")
    assert [line.split()[2:5] for line in told.splitlines()[1:3]] == [
        ["(none)", "1", "100.0"], ["dark", "1", "0.0"]]
    assert "1 probes are not in the manifest" in told


def test_reliability(tmp_path):
    file = scores(tmp_path / "s.csv", ["anna", "anna", "anna", "ben"])
    told = results("reliability", file, tmp_path / "r.svg")
    assert told.splitlines()[2] == "| `m` | 7x6 | 0.7 to 0.8 | 4 | 0.75 | 75.0 |"
    assert (tmp_path / "r.svg").read_text().startswith("<svg")


def test_a_table_for_a_paper_from_an_experiment(made, tmp_path):
    run_program("evaluate", "--protocol", "roles", "--data", made / "people", "--methods",
                "pca,subspace", "--sizes", "7x6", "--no-train", "--no-tune",
                "--json", tmp_path / "r.json")
    told = results("latex", tmp_path / "r.json")
    assert r"\toprule" in told and r"\texttt{subspace} & " in told and r"\textbf{" in told
    best = max(one["rank1"] for one in json.loads((tmp_path / "r.json").read_text())["results"])
    assert rf"\textbf{{{best:.1f}}}" in told


def test_wrong_files_are_one_sentence(tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    for arguments in (["latex", other], ["reliability", other], ["compare", other, tmp_path / "no"]):
        message = results(*arguments, code=1)
        assert message.startswith("scripts/results: ") and message.count("\n") == 1
