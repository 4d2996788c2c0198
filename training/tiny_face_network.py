#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a face network of the right shape that knows no face, for tests: tiny_face_network.py OUT

One convolution with random weights, seed 1, and means over 4 x 4 places: 1,024 numbers of a face.
"""
import sys

import numpy as np
import onnx

from faceres_onnx import Graph, model_of

CHANNELS, PLACES, STRIDE = 64, 4, 2
WIDE, APART = 60, 17  # of the places, so wide that pictures of half the size have none


def main():
    random, graph = np.random.default_rng(1), Graph()
    weight = random.integers(-9, 10, (CHANNELS, 3, 3, 3)) / 9
    graph.convolution(weight.astype(np.float32), np.zeros(CHANNELS, np.float32), STRIDE, 1)
    graph.add("Relu")
    graph.add("AveragePool", kernel_shape=[WIDE, WIDE], strides=[APART, APART])
    onnx.save(model_of(graph, "tiny", CHANNELS * PLACES ** 2), sys.argv[1])


if __name__ == "__main__":
    main()
