# SPDX-License-Identifier: Apache-2.0
"""One of the teachers: FaceRes of npm's @vladmandic/human, see faceres_files.py."""
import pathlib

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as functional

import lfw
from faceres_files import (COUNT, EYE_DISTANCE, LEFT_EYE, MEAN, SIDE, TONE_DEVIATION, TONE_MEAN,
                           read_convolutions)
from gradient_features import imresize_weights

ENLARGED = (192, 160)  # grey crops, before they are aligned


class Blocks(nn.ModuleList):
    """Convolutions one after the other, each clipped to [0, 6], then the mean over the picture."""

    def forward(self, x):
        for convolution in self:
            if convolution.padding != (1, 1) and convolution.kernel_size != (1, 1):
                x = functional.pad(x, (0, 1, 0, 1))  # TensorFlow's SAME for even sides
            x = functional.hardtanh_(convolution(x), 0.0, 6.0)
        return x.mean((2, 3), dtype=torch.float32)


class FaceRes:
    name, count, side, left_eye, eye_distance = "faceres", COUNT, SIDE, LEFT_EYE, EYE_DISTANCE

    def __init__(self, folder: pathlib.Path):
        self.blocks = Blocks()
        for weight, bias, stride, groups in read_convolutions(folder):
            outputs, inputs, side = weight.shape[:3]
            convolution = nn.Conv2d(inputs * groups, outputs, side, stride,
                                    side // 2 if stride == 1 else 0, groups=groups)
            convolution.weight.data, convolution.bias.data = map(torch.tensor, (weight, bias))
            self.blocks.append(convolution)
        blocks = self.blocks.eval().bfloat16().to(memory_format=torch.channels_last)
        with torch.no_grad():
            self.frozen = torch.jit.freeze(torch.jit.trace(blocks, self._given(
                torch.zeros(1, 3, SIDE, SIDE))))

    def cut(self, photo: np.ndarray, eyes) -> np.ndarray:
        """What it sees of a colour photo (blue, green, red)."""
        picture = cv2.warpAffine(photo, lfw.eye_transform(eyes, LEFT_EYE, EYE_DISTANCE),
                                 (SIDE, SIDE), flags=cv2.INTER_LINEAR,
                                 borderMode=cv2.BORDER_REPLICATE)
        return (picture.astype(np.float32) - MEAN).transpose(2, 0, 1)

    @staticmethod
    def _given(pictures: torch.Tensor) -> torch.Tensor:
        return pictures.bfloat16().contiguous(memory_format=torch.channels_last)

    @torch.no_grad()
    def __call__(self, pictures: torch.Tensor) -> torch.Tensor:
        """n x 3 x 224 x 224, blue green red minus MEAN -> n x 1024. In bfloat16, a third of the
        time where the processor has it; centred embeddings keep a cosine of 0.98 or more."""
        return self.frozen(self._given(pictures))


def cut_crops(crops: np.ndarray) -> np.ndarray:
    """What FaceRes sees of grey crops of one size that show longshot's canonical frame, as
    src/longshot/feature/face_network.cc shows them: n x rows x cols -> n x 3 x 224 x 224."""
    rows, cols = (imresize_weights(count, full).astype(np.float32)
                  for count, full in zip(crops.shape[1:], ENLARGED))
    scale = ENLARGED[1] / lfw.FRAME_COLS
    x, y = (scale * place for place in lfw.LEFT_EYE)
    transform = lfw.eye_transform((x, y, x + scale * lfw.EYE_DISTANCE, y), LEFT_EYE, EYE_DISTANCE)
    seen = np.empty((len(crops), 3, SIDE, SIDE), np.float32)
    for picture, crop in zip(seen, rows @ crops.astype(np.float32) @ cols.T):
        face = cv2.warpAffine(crop, transform, (SIDE, SIDE), flags=cv2.INTER_LINEAR,
                              borderMode=cv2.BORDER_REPLICATE)
        face = (face - face.mean()) / (face.std() + 1e-3)
        picture[:] = TONE_DEVIATION * face + TONE_MEAN - MEAN[:, None, None]
    return seen


def embed_crops(network: FaceRes, crops: np.ndarray, batch: int = 16) -> np.ndarray:
    """n x 1024, of length 1."""
    return np.concatenate([functional.normalize(network(torch.tensor(cut_crops(some)))).numpy()
                           for some in np.split(crops, range(batch, len(crops), batch))])
