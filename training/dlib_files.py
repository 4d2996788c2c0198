#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dlib's face network, as npm's @vladmandic/face-api brings it: a teacher, and the first weights.

Its author has put the weights into the public domain (davisking/dlib-models), and says that nobody
of LFW was learnt from. Used as a program, it writes them as a weight file of ours for one grey
channel: what the training starts from.
"""
import argparse
import json
import pathlib

import cv2
import numpy as np
import torch
import torch.nn.functional as functional

import lfw
from network import (ADD, ADD_HALVED, COUNT, DEPTHS, KEEP, POOL, RELU, WIDTHS, halved,
                     write_layers)

FILE = "face_recognition_model"
MEAN, SCALE = np.array([122.782, 117.001, 104.298], np.float32), 256.0  # red, green, blue
TONE_DEVIATION = 50.0  # of a well exposed photo, in grey levels


def read_weights(folder: pathlib.Path) -> dict:
    manifest = json.loads((folder / f"{FILE}-weights_manifest.json").read_text())[0]
    data, weights, at = (folder / f"{FILE}.bin").read_bytes(), {}, 0
    for entry in manifest["weights"]:
        stored = entry.get("quantization", {"dtype": "float32", "scale": 1.0, "min": 0.0})
        values = np.frombuffer(data, stored["dtype"], int(np.prod(entry["shape"])), at)
        at += values.nbytes
        weights[entry["name"]] = (values * np.float32(stored["scale"])
                                  + np.float32(stored["min"])).reshape(entry["shape"])
    if at != len(data):
        raise ValueError(f"{FILE}.bin has {len(data)} bytes, its manifest {at}")
    return weights


def names() -> list:
    """The convolutions in their order, and what comes after each."""
    result = [("conv32_down", RELU | POOL | KEEP)]
    for level, (width, depth) in enumerate(zip(WIDTHS, DEPTHS)):
        blocks = [f"conv{width}_{k + 1}" for k in range(depth)]
        if level:
            blocks.insert(0, f"conv{width}_down{'_out' if width == WIDTHS[level - 1] else ''}")
        for block in blocks:
            join = ADD_HALVED if "down" in block else ADD
            result += [(f"{block}/conv1", RELU), (f"{block}/conv2", RELU | join | KEEP)]
    return result


def convolution(weights: dict, name: str) -> tuple:
    """Out x in x rows x columns, and bias, with the scale that follows."""
    scale = weights[f"{name}/scale/weights"]
    kernel = weights[f"{name}/conv/filters"].transpose(3, 2, 0, 1) * scale[:, None, None, None]
    bias = weights[f"{name}/conv/bias"] * scale + weights[f"{name}/scale/biases"]
    return torch.tensor(np.ascontiguousarray(kernel)), torch.tensor(bias)


def halves(name: str) -> bool:
    return name.endswith(("_down", "_down/conv1", "_out/conv1"))


class Dlib:
    """The teacher: colour pictures of 150x150 -> 128 numbers."""
    name, count, side, left_eye, eye_distance = "dlib", 128, 150, (46.0, 44.0), 58.0

    def __init__(self, folder: pathlib.Path):
        weights = read_weights(folder)
        self.layers = [(*convolution(weights, name), flags, halves(name))
                       for name, flags in names()]
        self.last = torch.tensor(weights["fc"])

    def cut(self, photo: np.ndarray, eyes) -> np.ndarray:
        """What it sees of a colour photo (blue, green, red)."""
        picture = cv2.warpAffine(
            photo, lfw.eye_transform(eyes, self.left_eye, self.eye_distance),
            (self.side, self.side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return ((picture[..., ::-1].astype(np.float32) - MEAN) / SCALE).transpose(2, 0, 1)

    @torch.no_grad()
    def __call__(self, pictures: torch.Tensor) -> torch.Tensor:
        """Nothing is padded where a layer halves: so it was trained."""
        x, kept = pictures, None
        for weight, bias, flags, halves in self.layers:
            x = functional.conv2d(x, weight, bias, 2 if halves else 1, 0 if halves else 1)
            if flags & ADD_HALVED:
                shortcut = halved(kept, len(weight))
                missing = [a - b for a, b in zip(shortcut.shape[2:], x.shape[2:])]
                x = shortcut + functional.pad(x, (0, missing[1], 0, missing[0]))
            elif flags & ADD:
                x = x + kept
            x = functional.relu(x)
            if flags & POOL:
                x = functional.max_pool2d(x, 3, 2)
            kept = x if flags & KEEP else kept
        return x.mean((2, 3)) @ self.last


def first_weights(weights: dict) -> list:
    """Layers of a weight file, for grey grids of mean 0 and deviation 1."""
    layers = []
    for name, flags in names():
        kernel, bias = convolution(weights, name)
        if flags & POOL:
            kernel = kernel.sum(1, keepdim=True) * (TONE_DEVIATION / SCALE)
        side = kernel.shape[-1]
        padding = (0 if halves(name) and side == 3 else side // 2, side // 2)
        layers.append((kernel, bias, 2 if halves(name) else 1, padding, flags))
    last = torch.tensor(weights["fc"].T.copy())[:, :, None, None]
    return layers + [(last, torch.zeros(COUNT), 1, (0, 0), 0)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help=f"of {FILE}.bin")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the weight file")
    arguments = parser.parse_args()
    write_layers(first_weights(read_weights(arguments.folder)), arguments.out)


if __name__ == "__main__":
    main()
