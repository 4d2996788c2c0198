# SPDX-License-Identifier: Apache-2.0
"""Two covariances: how people differ, and how photos of one person differ (PLDA).

In the directions that make both diagonal, photos of one person differ by variance 1 and people by
`between`; the score of two photos is the logarithm of the likelihood ratio "one person" over "two".
"""
import numpy as np
import scipy.linalg


def shrunk(covariance: np.ndarray, share: float) -> np.ndarray:
    """Drawn towards the multiple of the identity that has its trace."""
    size = len(covariance)
    return (1 - share) * covariance + share * np.trace(covariance) / size * np.eye(size)


class Plda:
    def __init__(self, mean, directions, between):
        self.mean = mean  # K
        self.directions = directions  # M x K
        self.between = between  # M

    @staticmethod
    def learn(values: np.ndarray, people: np.ndarray, keep: int, ridge: float = 0.03,
              shrinkage: float = 0.0):
        """From n x K values and the number of each one's person. How photos differ is learnt from
        people with several photos: `people` < 0 marks those of whom it must not be learnt."""
        mean = values.mean(0)
        values = values - mean
        known = people >= 0
        labels = np.unique(people[known], return_inverse=True)[1]
        count = np.bincount(labels)
        centres = np.zeros((len(count), values.shape[1]))
        np.add.at(centres, labels, values[known])
        centres /= count[:, None]
        rest = values[known] - centres[labels]
        within = rest.T @ rest / (len(rest) - len(count))
        between = values.T @ values / len(values) - within
        within, between = (shrunk(covariance, shrinkage) for covariance in (within, between))
        within += ridge * np.trace(within) / len(within) * np.eye(len(within))
        variance, directions = scipy.linalg.eigh((between + between.T) / 2, within)
        order = np.argsort(-variance)[:keep]
        return Plda(mean, directions[:, order].T, np.clip(variance[order], 0.0, None))

    def project(self, values: np.ndarray, mean=None) -> np.ndarray:
        return (values - (self.mean if mean is None else mean)) @ self.directions.T

    def scores(self, probes: np.ndarray, gallery: np.ndarray, centred: bool) -> np.ndarray:
        """probes x gallery, of n x K values. `centred`: each side minus its own mean."""
        p = self.project(probes, probes.mean(0) if centred else None)
        g = self.project(gallery, gallery.mean(0) if centred else None)
        b = self.between
        total, determinant = 1 + b, 1 + 2 * b
        square = -0.5 * (total / determinant - 1 / total)
        constant = -0.5 * (np.log(determinant) - 2 * np.log(total)).sum()
        own = (p ** 2 @ square)[:, None] + g ** 2 @ square
        return own + (p * (b / determinant)) @ g.T + constant
