# SPDX-License-Identifier: Apache-2.0
"""The teacher: FaceRes of npm's @vladmandic/human, read from its own two files.

faceres.json names the layers and weights of a TensorFlow.js graph, faceres.bin holds the weights
in half precision: a convolution and 13 depthwise-separable blocks, each clipped to [0, 6], then
the mean over the picture: 1,024 numbers, compared by their cosine.
"""
import json
import pathlib

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as functional

from lfw import eye_transform

SIDE, LEFT_EYE, EYE_DISTANCE = 224, (74.5, 90.0), 75.0
MEAN = np.array([103.939, 116.779, 123.68], np.float32)  # blue, green, red
BLOCKS = 13
COUNT = 1024


def read_weights(folder: pathlib.Path) -> tuple:
    """The weights by name, and the stride of each convolution."""
    graph = json.loads((folder / "faceres.json").read_text())
    data = (folder / "faceres.bin").read_bytes()
    weights, at = {}, 0
    for entry in graph["weightsManifest"][0]["weights"]:
        stored = entry.get("quantization", {}).get("dtype", entry["dtype"])
        if stored not in ("float16", "float32", "int32"):
            raise ValueError(f"{entry['name']}: weights of type {stored} are not understood")
        count = int(np.prod(entry["shape"]))
        values = np.frombuffer(data, stored, count, at)
        at += values.nbytes
        weights[entry["name"]] = torch.tensor(values.astype(np.float32).reshape(entry["shape"]))
    strides = {node["name"]: int(node["attr"]["strides"]["list"]["i"][1])
               for node in graph["modelTopology"]["node"] if "strides" in node.get("attr", {})}
    return weights, strides


class Blocks(nn.ModuleList):
    """Convolutions one after the other, each clipped to [0, 6], then the mean over the picture."""

    def forward(self, x):
        for convolution in self:
            if convolution.padding != (1, 1) and convolution.kernel_size != (1, 1):
                x = functional.pad(x, (0, 1, 0, 1))  # TensorFlow's SAME for even sides
            x = functional.hardtanh_(convolution(x), 0.0, 6.0)
        return x.mean((2, 3), dtype=torch.float32)


class FaceRes:
    def __init__(self, folder: pathlib.Path):
        weights, strides = read_weights(folder)
        self.blocks = Blocks()
        self._add(weights, strides, "conv1/convolution/merged_input", "conv1_bn", strides_of=None)
        for k in range(1, BLOCKS + 1):
            self._add(weights, strides, f"conv_dw_{k}/depthwise_kernel", f"conv_dw_{k}_bn",
                      strides_of=f"conv_dw_{k}/depthwise")
            self._add(weights, strides, f"conv_pw_{k}/convolution/merged_input",
                      f"conv_pw_{k}_bn", strides_of=None)
        blocks = self.blocks.eval().bfloat16().to(memory_format=torch.channels_last)
        with torch.no_grad():
            self.frozen = torch.jit.freeze(torch.jit.trace(blocks, self._given(
                torch.zeros(1, 3, SIDE, SIDE))))

    def _add(self, weights, strides, kernel, norm, strides_of):
        stride = strides[strides_of or f"{norm}/batchnorm_1/mul_1"]
        value = weights[kernel]  # height, width, in, out; of a depthwise one: height, width, in, 1
        if strides_of:
            value = (value[..., 0] * weights[f"{norm}/batchnorm_1/mul"]).permute(2, 0, 1)[:, None]
        else:
            value = value.permute(3, 2, 0, 1)
        groups = len(value) if strides_of else 1
        outputs, inputs, side = value.shape[:3]
        convolution = nn.Conv2d(inputs * groups, outputs, side, stride,
                                side // 2 if stride == 1 else 0, groups=groups)
        convolution.weight.data = value
        convolution.bias.data = weights[f"{norm}/batchnorm_1/sub"]
        self.blocks.append(convolution)

    @staticmethod
    def _given(pictures: torch.Tensor) -> torch.Tensor:
        return pictures.bfloat16().contiguous(memory_format=torch.channels_last)

    @torch.no_grad()
    def __call__(self, pictures: torch.Tensor) -> torch.Tensor:
        """n x 3 x 224 x 224, blue green red minus MEAN -> n x 1024. In bfloat16, a third of the
        time where the processor has it; centred embeddings keep a cosine of 0.98 or more."""
        return self.frozen(self._given(pictures))


def cut_picture(photo: np.ndarray, eyes) -> np.ndarray:
    """What FaceRes sees of a colour photo: 3 x 224 x 224."""
    picture = cv2.warpAffine(photo, eye_transform(eyes, LEFT_EYE, EYE_DISTANCE), (SIDE, SIDE),
                             flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return (picture.astype(np.float32) - MEAN).transpose(2, 0, 1)


def embed_photos(photos, folder: pathlib.Path, cache: pathlib.Path, flip: bool = False,
                 batch: int = 16) -> np.ndarray:
    """n x 1024, of length 1: the mean of a photo and its mirror image; kept in `cache` (.npy)."""
    if cache.exists():
        kept = np.load(cache)
        if len(kept) == len(photos):
            return kept
    network = FaceRes(folder)
    result = np.zeros((len(photos), COUNT), np.float32)
    for first in range(0, len(photos), batch):
        pictures = torch.tensor(np.array([cut_picture(cv2.imread(str(p.path)), p.eyes)
                                          for p in photos[first:first + batch]]))
        values = network(pictures)
        if flip:
            values = values + network(pictures.flip(3))
        result[first:first + batch] = functional.normalize(values).numpy()
        if first // batch % 50 == 0:
            print(f"teacher: {first} of {len(photos)} photos", flush=True)
    cache.parent.mkdir(parents=True, exist_ok=True)
    np.save(cache, result)
    return result
