#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes FaceRes as the face network that longshot reads: faceres_onnx.py FOLDER OUT.onnx

The input is a face of 224 x 224 in three channels of mean 0 and deviation 1; the tone that FaceRes
expects is put on by a first layer.
"""
import argparse
import pathlib

import numpy as np
import onnx
from onnx import helper, numpy_helper

from faceres_files import COUNT, MEAN, SIDE, TONE_DEVIATION, TONE_MEAN, read_convolutions


class Graph:
    def __init__(self):
        self.nodes, self.values, self.last = [], [], "faces"

    def constant(self, value: np.ndarray) -> str:
        name = f"value{len(self.values)}"
        self.values.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, *inputs: str, **attributes):
        output = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, [self.last, *inputs], [output], **attributes))
        self.last = output

    def convolution(self, weight, bias, stride: int, groups: int):
        side = weight.shape[2]
        pads = [side // 2] * 4 if stride == 1 else [0, 0, 1, 1]
        self.add("Conv", self.constant(weight), self.constant(bias), group=groups,
                 kernel_shape=[side, side], strides=[stride, stride], pads=pads)


def model_of(graph: Graph, name: str, count: int) -> onnx.ModelProto:
    """With a last layer that makes `count` numbers of each face one row."""
    graph.add("Flatten")
    number = onnx.TensorProto.FLOAT
    network = helper.make_graph(
        graph.nodes, name, [helper.make_tensor_value_info("faces", number, ["n", 3, SIDE, SIDE])],
        [helper.make_tensor_value_info(graph.last, number, ["n", count])], graph.values)
    model = helper.make_model(network, opset_imports=[helper.make_opsetid("", 9)],
                              producer_name="longshot")
    model.ir_version = 6
    onnx.checker.check_model(model)
    return model


def face_res(folder: pathlib.Path) -> onnx.ModelProto:
    graph = Graph()
    graph.convolution(np.full((3, 1, 1, 1), TONE_DEVIATION, np.float32),
                      (TONE_MEAN - MEAN).astype(np.float32), 1, 3)
    for layer in read_convolutions(folder):
        graph.convolution(*layer)
        graph.add("Clip", min=0.0, max=6.0)
    # Not a global mean: a picture of another size must be refused.
    graph.add("AveragePool", kernel_shape=[7, 7])
    return model_of(graph, "FaceRes", COUNT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="of faceres.json and faceres.bin")
    parser.add_argument("out", type=pathlib.Path)
    arguments = parser.parse_args()
    onnx.save(face_res(arguments.folder), str(arguments.out))


if __name__ == "__main__":
    main()
