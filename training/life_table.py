# SPDX-License-Identifier: Apache-2.0
"""The tables that ship: features in a basis, and their two covariances per size.

Little endian. "LSLIFE02"; u32 features (1 gradients, 2 network, 3 face network); u32 grid rows,
grid cols, directions, window; f32 floor, overlap; u32 number of grids of cells, for each u32 rows,
cols; u32 features D, basis directions K, kept directions M, sizes S. The basis: f32 scale[K],
i8 values[K][D]; direction k is scale[k] values[k]. For each size: u32 rows, cols; f32 mean[K]; f32
between[M]; f32 scale[M]; i8 values[M][K].
"""
import struct

import numpy as np

from gradient_features import GradientOptions
from plda import Plda

MAGIC = b"LSLIFE02"
GRADIENTS, NETWORK, FACE_NETWORK = 1, 2, 3


def to_integers(rows: np.ndarray, bits: int) -> tuple:
    """Each row as whole numbers and one scale."""
    largest = 2 ** (bits - 1) - 1
    scale = (np.abs(rows).max(1) / largest).astype("<f4")
    return scale, np.round(rows / scale[:, None]).astype(f"<i{bits // 8}")


def write_table(file, kind: int, options: GradientOptions, basis: np.ndarray, models: dict):
    """`basis` K x D; `models` Plda by (rows, cols)."""
    kept = len(next(iter(models.values())).between)
    with open(file, "wb") as out:
        out.write(MAGIC + struct.pack("<5I2f", kind, options.rows, options.cols, options.directions,
                                      options.window, options.floor, options.overlap))
        out.write(struct.pack("<I", len(options.cells)))
        for cells in options.cells:
            out.write(struct.pack("<2I", *cells))
        out.write(struct.pack("<4I", basis.shape[1], basis.shape[0], kept, len(models)))
        for part in to_integers(basis, 8):
            out.write(part.tobytes())
        for size, model in models.items():
            out.write(struct.pack("<2I", *size))
            out.write(model.mean.astype("<f4").tobytes())
            out.write(model.between.astype("<f4").tobytes())
            for part in to_integers(model.directions, 8):
                out.write(part.tobytes())


class Reader:
    def __init__(self, data: bytes):
        self.data, self.at = data, len(MAGIC)

    def fields(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def array(self, kind: str, *shape) -> np.ndarray:
        values = np.frombuffer(self.data, kind, int(np.prod(shape)), self.at)
        self.at += values.nbytes
        return values.reshape(shape)

    def scaled(self, kind: str, rows: int, cols: int) -> np.ndarray:
        scale = self.array("<f4", rows)
        return scale[:, None] * self.array(kind, rows, cols)


def read_table(file) -> tuple:
    """kind, options, basis, models: what write_table was given, as rounded."""
    data = open(file, "rb").read()
    if data[:len(MAGIC)] != MAGIC:
        raise ValueError(f"{file} is not a table of longshot")
    reader = Reader(data)
    kind, rows, cols, directions, window, floor, overlap = reader.fields("5I2f")
    cells = tuple(reader.fields("2I") for _ in range(reader.fields("I")[0]))
    options = GradientOptions(rows, cols, directions, window, floor, overlap, cells)
    count, wide, kept, sizes = reader.fields("4I")
    basis = reader.scaled("<i1", wide, count)
    models = {}
    for _ in range(sizes):
        size = reader.fields("2I")
        mean, between = reader.array("<f4", wide), reader.array("<f4", kept)
        models[size] = Plda(mean, reader.scaled("<i1", kept, wide), between)
    if reader.at != len(data):
        raise ValueError(f"{file} has bytes too many")
    return kind, options, basis, models


def nearest_size(size: tuple, sizes) -> tuple:
    """The size of the table with the most similar number of pixels."""
    pixels = lambda s: np.log(s[0] * s[1])
    return min(sizes, key=lambda s: abs(pixels(s) - pixels(size)))
