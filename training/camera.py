# SPDX-License-Identifier: Apache-2.0
"""Random cameras, many at once: from faces with margin (lfw.py) to low-resolution crops.

A crop is JPEG(contrast (light face)^gamma + haze + noise), framed as detectors err, blurred, and
sampled by its pixels. Light is a smooth field and, where normals of the face are given, a lamp
beside the camera. Crops lie in the upper left corner of a canvas of 48x40, their last row and
column repeated beyond.
"""
import dataclasses
import math

import cv2
import numpy as np
import torch
import torch.nn.functional as functional

from gradient_features import imresize_weights
from lfw import FRAME_COLS, FRAME_ROWS, MARGIN

CANVAS_ROWS, CANVAS_COLS = 48, 40
LEAST_ROWS, LEAST_COLS = 5, 4
BLURS = (0.0, 0.2, 0.35, 0.5, 0.7, 0.9, 1.2, 1.6, 2.1, 2.8)  # deviations, pixels of the crop


@dataclasses.dataclass(frozen=True)
class CameraRange:
    """What random cameras are like. Framing: standard deviations; pairs: drawn evenly between."""
    shift: float = 0.027  # of the width and height
    scale: float = 0.035
    aspect: float = 0.02
    turn: float = 2.0  # degrees
    light: float = 0.2  # largest deviation of the logarithm of a smooth field of light
    lit: float = 0.4  # share of crops with such a field
    lamp: float = 0.0  # share of crops that one lamp lights, where normals are given
    lamp_angles: tuple = (38.0, 22.0)  # degrees, aside and above or below; at most twice as much
    ambient: tuple = (0.1, 0.7)  # of the light, beside a lamp
    gamma: tuple = (-0.5, 0.5)  # logarithm
    blur: tuple = (0.25, 1.1)  # pixels of the crop
    far_blur: float = 0.2  # share of crops of 14 rows and more with a blur up to the largest
    contrast: tuple = (-0.5, 0.1)  # logarithm
    brightness: tuple = (0.25, 0.75)
    noise: tuple = (-1.2, 1.6)  # logarithm of grey levels of 255
    jpeg: float = 0.35  # share of crops
    quality: tuple = (35.0, 95.0)


def sampling(count: int, full: int, blur: float, box: bool) -> np.ndarray:
    """count x full: pixels that collect light over their area after a blur, Gaussian or box."""
    source = (np.arange(full) + 0.5) / full * count  # centres of the sharp pixels in crop pixels
    weights = np.zeros((count, full))
    least = 0.5 * count / full
    for part in (np.arange(5) + 0.5) / 5 - 0.5:
        distance = np.abs(source[None] - (np.arange(count)[:, None] + 0.5 + part))
        if box:
            half = max(blur * math.sqrt(3.0), least)
            weights += np.clip((half + 0.5 * least - distance) / least, 0.0, 1.0)
        else:
            weights += np.exp(-0.5 * (distance / max(blur, least)) ** 2)
    return weights / weights.sum(1, keepdims=True)


def on_canvas(weights: np.ndarray, canvas: int) -> np.ndarray:
    """The last row repeated down to the end of the canvas."""
    return np.vstack([weights, np.repeat(weights[-1:], canvas - len(weights), 0)])


def _sampling_bank(least: int, canvas: int, full: int) -> torch.Tensor:
    """By crop size, kind and blur: canvas x full."""
    bank = [[[on_canvas(sampling(max(n, least), full, blur, box), canvas) for blur in BLURS]
             for box in (False, True)] for n in range(canvas + 1)]
    return torch.tensor(np.array(bank, np.float32))


def _enlarging_bank(least: int, canvas: int, grid: int) -> torch.Tensor:
    """By crop size: grid x canvas, imresize of the crop's own pixels."""
    bank = np.zeros((canvas + 1, grid, canvas), np.float32)
    for n in range(canvas + 1):
        count = max(n, least)
        bank[n, :, :count] = imresize_weights(count, grid)
    return torch.tensor(bank)


def _dct() -> torch.Tensor:
    k, i = np.mgrid[0:8, 0:8]
    basis = np.sqrt(np.where(k == 0, 1, 2) / 8.0) * np.cos((2 * i + 1) * k * np.pi / 16)
    return torch.tensor(basis.astype(np.float32))


# Table K.1 of the JPEG standard (ITU T.81), for quality 50.
JPEG_TABLE = torch.tensor([
    [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]],
    dtype=torch.float32)
DCT = _dct()


def jpeg(canvas: torch.Tensor, quality: torch.Tensor) -> torch.Tensor:
    """n x 48 x 40 in 0..255, compressed and read again, without its rounding to bytes."""
    n, rows, cols = canvas.shape
    blocks = canvas.view(n, rows // 8, 8, cols // 8, 8).permute(0, 1, 3, 2, 4) - 128
    percent = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)
    steps = (JPEG_TABLE * percent.view(n, 1, 1, 1, 1) / 100).clamp(min=1)
    spectrum = torch.round(DCT @ blocks @ DCT.T / steps) * steps
    return (DCT.T @ spectrum @ DCT + 128).permute(0, 1, 3, 2, 4).reshape(n, rows, cols)


def read_normals(file) -> torch.Tensor:
    """3 x 96 x 80, of a picture by `longshot normals --size 96x80 --picture`; 0 beside the face."""
    picture = cv2.imread(str(file))
    if picture is None or picture.shape != (FRAME_ROWS, FRAME_COLS, 3):
        raise ValueError(f"{file} is no picture of normals of {FRAME_ROWS}x{FRAME_COLS}")
    picture = picture.astype(np.float32)[:, :, ::-1]
    on_face = picture.any(2, keepdims=True)
    return torch.tensor(np.where(on_face, picture / 127.5 - 1, 0).transpose(2, 0, 1).copy())


class RandomCameras:
    """Owns the resampling matrices and the stream of random numbers."""

    def __init__(self, seed: int, grid: tuple = (CANVAS_ROWS, CANVAS_COLS),
                 ranges: CameraRange = CameraRange(), normals: torch.Tensor = None):
        self.ranges, self.grid, self.normals = ranges, grid, normals
        self.random = torch.Generator().manual_seed(seed)
        self.rows = _sampling_bank(LEAST_ROWS, CANVAS_ROWS, FRAME_ROWS)
        self.cols = _sampling_bank(LEAST_COLS, CANVAS_COLS, FRAME_COLS)
        self.up_rows = _enlarging_bank(LEAST_ROWS, CANVAS_ROWS, grid[0])
        self.up_cols = _enlarging_bank(LEAST_COLS, CANVAS_COLS, grid[1])
        self.blurs = torch.tensor(BLURS)

    def uniform(self, n: int, bounds) -> torch.Tensor:
        return torch.rand(n, generator=self.random) * (bounds[1] - bounds[0]) + bounds[0]

    def chance(self, n: int, share: float) -> torch.Tensor:
        return torch.rand(n, generator=self.random) < share

    def frame(self, faces: torch.Tensor, error: float, flip: bool) -> torch.Tensor:
        """n x 128 x 112 -> n x 96 x 80: the frame, moved as detectors err times `error`."""
        n, height, width = faces.shape
        normal = lambda deviation: torch.randn(n, generator=self.random) * deviation * error
        x, y = (normal(self.ranges.shift).clamp(-0.1, 0.1) for _ in range(2))
        scale, aspect = 1 + normal(self.ranges.scale), 1 + normal(self.ranges.aspect)
        angle = normal(math.radians(self.ranges.turn))
        side = torch.where(self.chance(n, 0.5), -1.0, 1.0) if flip else torch.ones(n)
        cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
        # From the frame's coordinates (-1..1) to the canvas's.
        theta = torch.zeros(n, 2, 3)
        theta[:, 0, 0] = side * cos * FRAME_COLS / width
        theta[:, 0, 1] = -sin * FRAME_ROWS / width
        theta[:, 0, 2] = 2 * x * FRAME_COLS / width
        theta[:, 1, 0] = side * sin * aspect * FRAME_COLS / height
        theta[:, 1, 1] = cos * aspect * FRAME_ROWS / height
        theta[:, 1, 2] = 2 * y * FRAME_ROWS / height
        places = functional.affine_grid(theta, (n, 1, FRAME_ROWS, FRAME_COLS), align_corners=False)
        return functional.grid_sample(faces[:, None], places, mode="bilinear",
                                      padding_mode="border", align_corners=False)[:, 0]

    def light(self, n: int) -> torch.Tensor:
        """Smooth fields of light, 1 for the crops that have none."""
        strength = self.uniform(n, (0.0, self.ranges.light)) * self.chance(n, self.ranges.lit)
        knots = torch.randn(n, 1, 3, 3, generator=self.random) * strength.view(n, 1, 1, 1)
        field = torch.exp(functional.interpolate(knots, (FRAME_ROWS, FRAME_COLS), mode="bilinear",
                                                 align_corners=True)[:, 0])
        return field if self.normals is None else field * self.lamp(n)

    def lamp(self, n: int) -> torch.Tensor:
        """What a lamp adds to a photo whose own light is even: Lambert's law, of mean 1."""
        aside, above = ((torch.randn(n, generator=self.random).clamp(-2, 2) * math.radians(angle))
                        for angle in self.ranges.lamp_angles)
        towards = torch.stack([torch.sin(aside) * torch.cos(above), torch.sin(above),
                               torch.cos(aside) * torch.cos(above)], 1)
        shading = (towards @ self.normals.flatten(1)).clamp(min=0).view(n, FRAME_ROWS, FRAME_COLS)
        ambient = self.uniform(n, self.ranges.ambient).view(n, 1, 1)
        field = ambient + (1 - ambient) * shading
        field = field / field.mean((1, 2), keepdim=True)
        return torch.where(self.chance(n, self.ranges.lamp).view(n, 1, 1), field,
                           torch.ones(()))

    def random_blur(self, rows: torch.Tensor) -> torch.Tensor:
        n = len(rows)
        far = self.chance(n, self.ranges.far_blur) & (rows >= 14)
        return torch.where(far, self.uniform(n, (0.8, BLURS[-1])),
                           self.uniform(n, self.ranges.blur))

    def sample(self, sharp, rows, cols, blur, blur_across, box) -> torch.Tensor:
        nearest = lambda values: (values.view(-1, 1) - self.blurs).abs().argmin(1)
        down = self.rows[rows, box, nearest(blur)]
        across = self.cols[cols, box, nearest(blur_across)]
        return down @ sharp @ across.transpose(1, 2)

    def take(self, faces: torch.Tensor, rows: torch.Tensor, cols: torch.Tensor, error: float = 1.0,
             flip: bool = False, sharp: torch.Tensor = None) -> torch.Tensor:
        """Crops on the canvas, 0..255, of faces n x 128 x 112 (0..255). `sharp`: the crops that are
        taken with hardly any blur and noise, as photos of a gallery are."""
        n, ranges = len(faces), self.ranges
        sharp = torch.zeros(n, dtype=torch.bool) if sharp is None else sharp
        face = self.frame(faces, error, flip) / 255.0 * self.light(n)
        face = face.clamp(1e-3, 1.2) ** torch.exp(self.uniform(n, ranges.gamma)).view(n, 1, 1)
        blur = torch.where(sharp, self.uniform(n, (0.0, 0.6)), self.random_blur(rows))
        oval = torch.exp(self.uniform(n, (-0.4, 0.4)) * self.chance(n, 0.4))
        crop = self.sample(face, rows, cols, blur * oval, blur / oval, self.chance(n, 0.3).long())

        contrast = torch.exp(self.uniform(n, ranges.contrast)).view(n, 1, 1)
        crop = (crop - crop.mean((1, 2), keepdim=True)) * contrast
        crop = 255 * (crop + self.uniform(n, ranges.brightness).view(n, 1, 1))
        noise = torch.where(sharp, self.uniform(n, (0.0, 2.0)),
                            torch.exp(self.uniform(n, ranges.noise)))
        crop = crop + torch.randn(crop.shape, generator=self.random) * noise.view(n, 1, 1)
        crop = crop.clamp(0, 255)
        pressed = self.chance(n, ranges.jpeg)
        quality = self.uniform(n, ranges.quality)
        if pressed.any():
            crop[pressed] = jpeg(crop[pressed], quality[pressed])
        return crop.round().clamp(0, 255)

    def enlarge(self, canvas: torch.Tensor, rows: torch.Tensor, cols: torch.Tensor) -> torch.Tensor:
        """Crops of any sizes -> the grid, by imresize."""
        return self.up_rows[rows] @ canvas @ self.up_cols[cols].transpose(1, 2)


def plain_crops(faces: np.ndarray, size: tuple) -> np.ndarray:
    """As `longshot evaluate` brings faces down: the mean over the pixels of 48x40, then imresize.
    n x 128 x 112 bytes -> n x rows x cols."""
    frame = faces[:, MARGIN:-MARGIN, MARGIN:-MARGIN].astype(np.float32)
    high = frame.reshape(len(frame), FRAME_ROWS // 2, 2, FRAME_COLS // 2, 2).mean((2, 4))
    down = imresize_weights(FRAME_ROWS // 2, size[0]).astype(np.float32)
    across = imresize_weights(FRAME_COLS // 2, size[1]).astype(np.float32)
    return down @ high @ across.T
