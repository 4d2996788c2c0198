# SPDX-License-Identifier: Apache-2.0
"""Built-in methods alone, and methods of one's own beside them in experiments."""

import threading

import numpy as np
import pytest

import longshot as ls


class Borrowed:
    """Does what a built-in method does, as someone else's class would."""

    def __init__(self):
        self.inner = ls.recognizers["subspace"]

    def learn(self, training):
        self.inner.learn(training)

    def enrol(self, person):
        return self.inner.enrol(person)

    def distances(self, people, probes):
        return self.inner.distances(people, probes)


class Nearest:
    """The nearest photo, in a feature of one's own: rows and columns without their means."""

    name = "nearest"
    threads = set()

    def learn(self, training):
        assert training.size == (48, 40) and training.probe_size == (7, 6)
        assert training.enrolled_high.shape == (6, 48, 40)

    def feature(self, images):
        flat = images - images.mean(axis=1, keepdims=True) - images.mean(axis=2, keepdims=True)
        flat = flat.reshape(len(images), -1)
        return flat / np.linalg.norm(flat, axis=1, keepdims=True)

    def enrol(self, person):
        self.threads.add(threading.get_ident())
        assert person.relit_high.shape[1:] == (48, 40)
        return self.feature(person.relit_low)

    def distances(self, people, probes):
        wanted = self.feature(probes)
        return np.array([1 - (one @ wanted.T).max(axis=0) for one in people])


def evaluate(made, **options):
    return ls.evaluate(
        made / "people", **{"sizes": ["7x6"], "use_training": False, "tune": False, **options}
    )


def test_a_class_is_tried_beside_the_built_in_methods(made):
    result = evaluate(made, methods=["subspace", Borrowed, Nearest], noise=[0.0, 10.0])
    assert [one.method for one in result] == ["subspace", "Borrowed", "nearest"] * 2
    for built_in, borrowed, nearest in (result[:3], result[3:]):
        assert np.array_equal(built_in.cmc, borrowed.cmc)
        assert (built_in.eer, built_in.probes) == (borrowed.eer, borrowed.probes)
        assert built_in.dir_at_fpir == borrowed.dir_at_fpir
        assert nearest.rank1 > 50
    assert [one["method"] for one in result.to_dict()["results"]][2] == "nearest"


def test_what_a_class_raises_is_raised(made):
    class Broken(Nearest):
        def enrol(self, person):
            raise ZeroDivisionError("no people")

    with pytest.raises(ZeroDivisionError, match="no people"):
        evaluate(made, methods=[Broken])


def test_a_class_that_is_no_method_is_refused_in_one_sentence(made):
    class Short(Nearest):
        def distances(self, people, probes):
            return np.zeros((1, 1))

    class Endless(Nearest):
        def distances(self, people, probes):
            return np.full((len(people), len(probes)), np.nan)

    class Words(Nearest):
        def distances(self, people, probes):
            return "near"

    for method, sentence in [
        (object, "has no learn"),
        (Short, r"shape \(people, probes\), here \(6, 6\), not \(1, 1\)"),
        (Endless, "no finite number"),
        (Words, "Distances are a matrix"),
        (7, "or a class of one's own"),
        (type("pca", (Nearest,), {"name": "pca"}), "built-in"),
    ]:
        with pytest.raises(ls.BadInput, match=sentence):
            evaluate(made, methods=[method])


@pytest.fixture(scope="module")
def photos(made):
    return np.stack([ls.relight(one).face for one in ls.load(made / "people")])


@pytest.mark.parametrize("name", ["slrfr", "longshot"])
def test_a_recogniser_alone(photos, name):
    recognizer = ls.Recognizer(name, tune=False)
    with pytest.raises(ls.BadInput, match="not learnt anything"):
        recognizer.enrol(photos[0])
    assert recognizer.fit(photos[:0], []) is recognizer  # nobody to learn from
    people = [recognizer.enrol(photo) for photo in photos]
    probes = np.stack([ls.degrade(np.rint(one * 255).astype(np.uint8), (12, 10)) for one in photos])
    distances = recognizer.distances(people, probes)
    assert distances.shape == (6, 6) and np.array_equal(distances.argmin(axis=0), range(6))
    bytes_ = recognizer.distances(people, np.rint(probes * 255).astype(np.uint8))
    assert np.array_equal(bytes_.argmin(axis=0), range(6))


def test_recognisers_are_a_mapping():
    assert "longshot" in ls.recognizers and "magic" not in ls.recognizers
    assert len(ls.recognizers) == len(list(ls.recognizers)) > 20
    assert ls.recognizers["pca"] is not ls.recognizers["pca"]
    with pytest.raises(KeyError):
        ls.recognizers["magic"]
    with pytest.raises(ls.BadInput, match="not a method"):
        ls.Recognizer("magic")


def test_training_sets(photos):
    training = ls.TrainingSet(photos, ["a", "b", "a", "c", "b", "a"], probe_size="7x6")
    assert training.subjects == [0, 1, 0, 2, 1, 0]
    assert (training.size, training.probe_size) == ((48, 40), (7, 6))
    assert np.array_equal(training.photos_high, photos.astype(np.float64))
    low = ls.degrade(np.full((48, 40), 51, np.uint8), (7, 6))
    assert np.allclose(training.extend(np.full((48, 40), 0.2)).photos_low[0], low, atol=1e-6)
    nobody = ls.TrainingSet(np.zeros((0, 48, 40)), [])
    assert nobody.photos_low.shape == (0, 12, 10)


def test_what_is_no_image_is_refused_in_one_sentence(photos):
    fitted = ls.Recognizer("pca", tune=False).fit(photos, range(6))
    people = [fitted.enrol(photos[0])]
    for wrong in (np.zeros((12, 10), int), np.zeros(120), np.zeros((7, 6)), None, "probe",
                  np.full((12, 10), np.nan)):
        with pytest.raises(ls.BadInput, match=r"^[A-Z].*\.$"):
            fitted.distances(people, wrong)
    for wrong in ([3], [None], people + ["anna"]):
        with pytest.raises(ls.BadInput, match="what enrol has returned"):
            fitted.distances(wrong, photos[:1])
    with pytest.raises(ls.BadInput):
        fitted.enrol(np.zeros((12, 10)))
    with pytest.raises(ls.BadInput, match="6 photos but 2 labels"):
        ls.TrainingSet(photos, [1, 2])
