# SPDX-License-Identifier: Apache-2.0
"""Experiments: the figures of the program, as tables, curves and a report."""

import inspect

import numpy as np
import pytest

import longshot as ls
from longshot import _longshot

TIMES = ("enroll_ms_per_person", "identify_ms_per_probe")


@pytest.fixture(scope="module")
def result(made):
    return ls.evaluate(
        protocol="roles", data=made / "people", methods=["pca", "slrfr"], sizes=["7x6", (12, 10)],
        use_training=False, tune=False,
    )


def test_the_figures_are_those_of_the_program(asked, result):
    told = asked("evaluate", "--protocol", "roles", "--data", "people", "--methods", "pca,slrfr",
                 "--sizes", "7x6,12x10", "--no-train", "--no-tune")
    ours = result.to_dict()
    for document in (told, ours):
        for one in document["results"]:
            for name in TIMES:
                assert one.pop(name) > 0
    assert ours == told


def test_results_are_a_table_with_curves(result):
    assert [(one.method, str(one.size)) for one in result] == [
        ("pca", "7x6"), ("slrfr", "7x6"), ("pca", "12x10"), ("slrfr", "12x10"),
    ]
    assert len(result) == 4 and result[1].gallery == 6
    for one in result:
        assert one.cmc.shape == (20,) and one.cmc[0] == one.rank1
        assert np.all(np.diff(one.cmc) >= 0) and one.cmc[-1] == 100
        assert one.rank1_interval[0] <= one.rank1 <= one.rank1_interval[1]
    frame = result.to_frame()
    assert list(frame["rank1"]) == [one.rank1 for one in result]
    assert result.csv().startswith("method,")


def test_draws_and_reports(result, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = result.plot_cmc()
    assert [line.get_label() for line in axes.get_lines()][0] == "pca 7x6"
    assert np.array_equal(axes.get_lines()[0].get_ydata(), result[0].cmc)
    result.report(tmp_path / "report.html")
    assert "<html" in (tmp_path / "report.html").read_text()


def test_every_option_of_the_library_can_be_given():
    options = {name for name in dir(_longshot.EvaluateOptions) if not name.startswith("_")}
    given = set(inspect.signature(ls.evaluate).parameters) - {"data", "progress"}
    assert given == options - {"learn_camera", "know_camera", "own_method"}


def test_cameras_of_an_evaluation(made):
    auto = ls.evaluate(
        made / "people", methods=["pca"], sizes=["7x6"], use_training=False, simulated_cameras=1,
        camera="known",
    )
    assert auto[0].probes > 0
    with pytest.raises(ls.LongshotError):
        ls.evaluate(made / "people", methods=["pca"], camera=made / "nowhere.camera")


def test_bad_options_are_one_sentence(made):
    for options in ({"methods": ["magic"]}, {"protocol": "luck"}, {"fpir": 2.0}, {"sizes": ["x"]}):
        with pytest.raises(ls.LongshotError):
            ls.evaluate(made / "people", **{"use_training": False, **options})
    with pytest.raises(ls.Cancelled):
        ls.evaluate(made / "people", methods=["pca"], progress=lambda *step: False)
