# SPDX-License-Identifier: Apache-2.0
"""Gradient orientations of a small face: the definition that the library's C++ follows.

1. The crop (any size, canonical frame) is brought to one grid by Matlab's antialiased bicubic
   `imresize` (src/longshot/image/resize.cc), rows and columns apart.
2. Its grey values get mean 0 and deviation 1 (of a flat crop: all 0).
3. Central differences, the border repeated:
     gx(r, c) = x(r, c + 1) - x(r, c - 1),  gy(r, c) = x(r + 1, c) - x(r - 1, c).
4. Of the gradient's length m = |g| direction k (angle 2 pi k / directions) gets
     e_k = max(0, gx cos + gy sin)^4 / m^3,  0 where m = 0.
5. All e_k are divided by the local gradient energy: the mean of sum_k e_k over a square window
   (cut off at the border), plus a floor.
6. Each direction is pooled over overlapping cells, separably: cell i of n along an axis of N
   pixels weighs pixel j by a triangle of half-width `overlap` N / n around (i + 1/2) N / n (pixel
   centres at j + 1/2), the weights of a cell summing to 1.
7. Square root of each number, minus their mean, divided by their Euclidean norm (0 stays 0).

Order: grids of cells one after the other; in each, direction after direction; in each, column
after column, rows running fastest (Eigen's storage of rows x columns).
"""
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class GradientOptions:
    rows: int = 48  # of the grid
    cols: int = 40
    directions: int = 8
    window: int = 9  # side of the square of the local energy, odd
    floor: float = 0.05  # added to the local energy
    overlap: float = 1.0  # half-width of a cell's triangle in cell distances
    cells: tuple = ((7, 6),)  # rows, columns of each grid of cells

    @property
    def count(self) -> int:
        return self.directions * sum(rows * cols for rows, cols in self.cells)


def keys_cubic(t: float) -> float:
    t = abs(t)
    if t <= 1.0:
        return (1.5 * t - 2.5) * t * t + 1.0
    return ((-0.5 * t + 2.5) * t - 4.0) * t + 2.0 if t <= 2.0 else 0.0


def imresize_weights(count_in: int, count_out: int) -> np.ndarray:
    """out x in, as imresize_weights of src/longshot/image/resize.h."""
    factor = max(1.0, count_in / count_out)
    weights = np.zeros((count_out, count_in))
    for i in range(count_out):
        centre = (i + 0.5) * count_in / count_out - 0.5
        first, last = int(np.floor(centre - 2 * factor)), int(np.ceil(centre + 2 * factor))
        for j in range(first, last + 1):
            inside = j % (2 * count_in)
            inside = inside if inside < count_in else 2 * count_in - 1 - inside
            weights[i, inside] += keys_cubic((centre - j) / factor)
        weights[i] /= weights[i].sum()
    return weights


def window_weights(count: int, window: int) -> np.ndarray:
    """count x count: the mean over the window around each pixel, cut off at the border."""
    distance = np.abs(np.arange(count)[:, None] - np.arange(count)[None])
    weights = (distance <= window // 2).astype(float)
    return weights / weights.sum(1, keepdims=True)


def cell_weights(count: int, cells: int, overlap: float) -> np.ndarray:
    """cells x count."""
    step = count / cells
    centres = (np.arange(cells) + 0.5) * step
    distance = np.abs(np.arange(count) + 0.5 - centres[:, None])
    weights = np.maximum(0.0, 1.0 - distance / (overlap * step))
    return weights / weights.sum(1, keepdims=True)


def normalise(values: np.ndarray) -> np.ndarray:
    """Each row minus its mean, to length 1."""
    values = values - values.mean(1, keepdims=True)
    length = np.linalg.norm(values, axis=1, keepdims=True)
    return np.divide(values, length, out=np.zeros_like(values), where=length > 0)


def to_grid(crops: np.ndarray, options: GradientOptions) -> np.ndarray:
    """Steps 1 and 2: n x h x w -> n x rows x cols."""
    up = imresize_weights(crops.shape[1], options.rows).astype(crops.dtype)
    across = imresize_weights(crops.shape[2], options.cols).astype(crops.dtype)
    grid = up @ crops @ across.T
    grid = grid - grid.mean((1, 2), keepdims=True)
    deviation = np.sqrt((grid ** 2).mean((1, 2), keepdims=True))
    return np.divide(grid, deviation, out=np.zeros_like(grid), where=deviation > 1e-6)


def gradient_features(grid: np.ndarray, options: GradientOptions) -> np.ndarray:
    """Steps 3 to 7: n x rows x cols, as to_grid gives them -> n x options.count."""
    kind = grid.dtype
    padded = np.pad(grid, ((0, 0), (1, 1), (1, 1)), mode="edge")
    gx = padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]
    gy = padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]
    squared = gx * gx + gy * gy
    cubed = np.maximum(squared * np.sqrt(squared), kind.type(1e-12))

    angles = 2.0 * np.pi * np.arange(options.directions) / options.directions
    energies = []
    for angle in angles:
        along = np.maximum(0, gx * kind.type(np.cos(angle)) + gy * kind.type(np.sin(angle)))
        along *= along
        energies.append(along * along / cubed)
    rows = window_weights(options.rows, options.window).astype(kind)
    cols = window_weights(options.cols, options.window).astype(kind)
    local = rows @ sum(energies) @ cols.T + kind.type(options.floor)

    parts = []
    for cell_rows, cell_cols in options.cells:
        down = cell_weights(options.rows, cell_rows, options.overlap).astype(kind)
        across = cell_weights(options.cols, cell_cols, options.overlap).astype(kind)
        for energy in energies:
            pooled = down @ (energy / local) @ across.T
            parts.append(pooled.transpose(0, 2, 1).reshape(len(grid), -1))
    return normalise(np.sqrt(np.concatenate(parts, 1)))


def features_of_crops(crops: np.ndarray, options: GradientOptions) -> np.ndarray:
    """n crops of one size (n x h x w, any grey scale) -> n x options.count."""
    return gradient_features(to_grid(crops, options), options)
