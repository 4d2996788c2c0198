# SPDX-License-Identifier: Apache-2.0
"""FaceRes of npm's @vladmandic/human, read from its own two files.

faceres.json names the layers and weights of a TensorFlow.js graph, faceres.bin holds the weights
in half precision: a convolution and 13 depthwise-separable blocks, each clipped to [0, 6], then
the mean over the picture: 1,024 numbers, compared by their cosine.
"""
import json
import pathlib

import numpy as np

SIDE, LEFT_EYE, EYE_DISTANCE = 224, (74.5, 90.0), 75.0
MEAN = np.array([103.939, 116.779, 123.68], np.float32)  # blue, green, red
BLOCKS = 13
COUNT = 1024
TONE_MEAN, TONE_DEVIATION = 118.0, 50.0  # of a well exposed photo, for faces of another tone


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
        weights[entry["name"]] = values.astype(np.float32).reshape(entry["shape"])
    strides = {node["name"]: int(node["attr"]["strides"]["list"]["i"][1])
               for node in graph["modelTopology"]["node"] if "strides" in node.get("attr", {})}
    return weights, strides


def read_convolutions(folder: pathlib.Path) -> list:
    """In their order: weight (out x in of a group x side x side), bias, stride, groups. Those of
    stride 2 are padded as TensorFlow's SAME does for even sides: below and to the right."""
    weights, strides = read_weights(folder)

    def pointwise(kernel: str, norm: str) -> tuple:
        value = weights[f"{kernel}/convolution/merged_input"].transpose(3, 2, 0, 1)
        return (np.ascontiguousarray(value), weights[f"{norm}/batchnorm_1/sub"],
                strides[f"{norm}/batchnorm_1/mul_1"], 1)

    def depthwise(name: str) -> tuple:
        value = weights[f"{name}/depthwise_kernel"][..., 0] * weights[f"{name}_bn/batchnorm_1/mul"]
        return (np.ascontiguousarray(value.transpose(2, 0, 1)[:, None]),
                weights[f"{name}_bn/batchnorm_1/sub"], strides[f"{name}/depthwise"],
                value.shape[2])

    result = [pointwise("conv1", "conv1_bn")]
    for k in range(1, BLOCKS + 1):
        result += [depthwise(f"conv_dw_{k}"), pointwise(f"conv_pw_{k}", f"conv_pw_{k}_bn")]
    return result
