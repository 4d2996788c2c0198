# SPDX-License-Identifier: Apache-2.0
"""The network: from a face of any size, enlarged to one grid, to 128 numbers.

It has the form of dlib's face network (dlib_files.py), whose weights it starts from: a stem that
quarters the grid, then residual blocks at 24x20, 12x10, 6x5 and 3x2 places, one at the end that
makes a single place of these, and one matrix.
"""
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as functional

GRID = (96, 80)  # rows, columns of the input
COUNT = 128  # numbers out
STEM = 7  # side of its kernel
WIDTHS = (32, 64, 128, 256, 256)
DEPTHS = (3, 3, 2, 2, 0)  # residual blocks of each width, beside the one that halves
MAGIC = b"LSNET002"
GROUP = 4  # inputs that the library multiplies together in whole numbers
UNFOLDED_LENGTH = 1.2  # of a row of weights that training goes on from
# What a layer of the weight file does after its product.
RELU, KEEP = 1, 2  # KEEP: keep this output
ADD, ADD_HALVED = 4, 8  # what was kept last, as it is or its mean over 2x2, before the ReLU
POOL = 16  # at last, the largest of 3x3 at every other place
LEVELS = 127  # a weight of the file is a whole number up to this, times the scale of its output;
# so is an input of a layer with such weights, times a scale of its image, where none is negative


def normalise_grid(grid: torch.Tensor) -> torch.Tensor:
    """n x rows x cols grey values -> mean 0, deviation 1, cut off at 3 deviations."""
    grid = grid - grid.mean((1, 2), keepdim=True)
    deviation = (grid ** 2).mean((1, 2), keepdim=True).sqrt()
    return (grid / (deviation + 1e-3)).clamp(-3.0, 3.0)


def halved(kept: torch.Tensor, channels: int) -> torch.Tensor:
    """The mean over 2x2; further channels are 0."""
    pooled = functional.avg_pool2d(kept, 2)
    return functional.pad(pooled, (0, 0, 0, 0, 0, channels - pooled.shape[1]))


def pad(x: torch.Tensor, before: int, behind: int) -> torch.Tensor:
    return functional.pad(x, (before, behind, before, behind))


class Convolution(nn.Module):
    """With its normalisation. One that halves is padded behind alone."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 3, stride: int = 1, flags: int = 0):
        super().__init__()
        before = 0 if stride == 2 and kernel == 3 else kernel // 2
        self.padding, self.stride, self.flags = (before, kernel // 2), stride, flags
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return self.norm(self.convolution(pad(x, *self.padding)))

    def folded(self) -> tuple:
        """Weight and bias of the convolution with its normalisation, as they are at test."""
        scale = self.norm.weight.data / torch.sqrt(self.norm.running_var + self.norm.eps)
        return (self.convolution.weight.data * scale.view(-1, 1, 1, 1),
                self.norm.bias.data - self.norm.running_mean * scale)


def after_product(y: torch.Tensor, kept, flags: int) -> tuple:
    """What a layer passes on, and what is kept."""
    if flags & ADD:
        y = y + kept
    if flags & ADD_HALVED:
        y = y + halved(kept, y.shape[1])
    if flags & RELU:
        y = functional.relu(y)
    if flags & POOL:
        y = functional.max_pool2d(y, 3, 2, 1)
    return y, (y if flags & KEEP else kept)


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        layers, inputs = [Convolution(1, WIDTHS[0], STEM, 2, RELU | POOL | KEEP)], WIDTHS[0]
        for level, (width, depth) in enumerate(zip(WIDTHS, DEPTHS)):
            if level:
                layers += [Convolution(inputs, width, 3, 2, RELU),
                           Convolution(width, width, flags=RELU | ADD_HALVED | KEEP)]
            for _ in range(depth):
                layers += [Convolution(width, width, flags=RELU),
                           Convolution(width, width, flags=RELU | ADD | KEEP)]
            inputs = width
        self.layers = nn.ModuleList(layers)
        self.last = nn.Linear(WIDTHS[-1], COUNT)

    def trunk(self, grid: torch.Tensor) -> torch.Tensor:
        """n x rows x cols, as normalise_grid gives them -> n x WIDTHS[-1]."""
        x, kept = grid[:, None], None
        for layer in self.layers:
            x, kept = after_product(layer(x), kept, layer.flags)
        return x.flatten(1)

    def forward(self, grid):
        return self.last(self.trunk(grid))

    @torch.no_grad()
    def unfold(self, stored, grid: torch.Tensor):
        """Takes the weights of a StoredNetwork. Of the `grid` each normalisation learns its mean
        and deviation, so that training goes on from where it was."""
        self.eval()
        x, kept = grid[:, None], None
        for layer, (weight, bias, stride, padding, flags) in zip(self.layers, stored.layers):
            if (stride, padding, flags) != (layer.stride, layer.padding, layer.flags):
                raise ValueError("the weight file is of a network of another form")
            length = weight.flatten(1).norm(dim=1) / UNFOLDED_LENGTH
            layer.convolution.weight.copy_(weight / length.view(-1, 1, 1, 1))
            values = layer.convolution(pad(x, *padding))
            norm, places = layer.norm, values.transpose(0, 1).flatten(1)
            norm.running_mean.copy_(places.mean(1))
            norm.running_var.copy_(places.var(1))
            norm.weight.copy_(length * torch.sqrt(norm.running_var + norm.eps))
            norm.bias.copy_(bias + length * norm.running_mean)
            x, kept = after_product(norm(values), kept, flags)
        self.last.weight.copy_(stored.layers[-1][0].flatten(1))
        self.last.bias.copy_(stored.layers[-1][1])

    @torch.no_grad()
    def fit_last(self, grid: torch.Tensor, targets: torch.Tensor, ridge: float = 1e-2):
        """The matrix that brings what the trunk says of `grid` nearest to the targets."""
        self.eval()
        said = torch.cat([self.trunk(some) for some in grid.split(256)]).double()
        mean, wanted = said.mean(0), targets.double()
        around = said - mean
        covariance = around.T @ around
        covariance += ridge * covariance.trace() / len(mean) * torch.eye(len(mean))
        weight = torch.linalg.solve(covariance, around.T @ (wanted - wanted.mean(0))).T
        self.last.weight.copy_(weight)
        self.last.bias.copy_(wanted.mean(0) - weight @ mean)

    @torch.no_grad()
    def embed(self, grid, batch: int = 256):
        """Of length 1."""
        self.eval()
        return functional.normalize(torch.cat([self(some) for some in grid.split(batch)]))


def folded_layers(network: Network) -> list:
    """Weight out x in x k x k, bias, stride, padding before and behind, flags."""
    network.eval()
    layers = [(*layer.folded(), layer.stride, layer.padding, layer.flags)
              for layer in network.layers]
    layers.append((network.last.weight.data[:, :, None, None], network.last.bias.data, 1, (0, 0), 0))
    return layers


def write_layers(layers: list, file, grid: tuple = GRID, eight_bits: bool = True):
    """Magic; u32 grid rows, cols, layers; per layer u32 outputs, inputs, kernel rows, kernel
    columns, stride, padding before and behind, flags, bytes of a weight; f32 bias and scale of each
    output; weights, i8 or f16, out x in x rows x columns. Little endian."""
    with open(file, "wb") as out:
        out.write(MAGIC + struct.pack("<3I", *grid, len(layers)))
        for weight, bias, stride, padding, flags in layers:
            rows = weight.flatten(1).numpy()
            scale = (np.maximum(np.abs(rows).max(1), 1e-12) / LEVELS if eight_bits
                     else np.ones(len(rows)))
            stored = (np.rint(rows / scale[:, None]).astype("i1") if eight_bits
                      else rows.astype("<f2"))
            out.write(struct.pack("<9I", *weight.shape, stride, *padding, flags, stored.itemsize))
            out.write(bias.numpy().astype("<f4").tobytes() + scale.astype("<f4").tobytes())
            out.write(stored.tobytes())


def write_network(network: Network, file):
    write_layers(folded_layers(network), file)


def in_levels(x: torch.Tensor) -> torch.Tensor:
    """n x channels x rows x columns >= 0, each image in whole numbers of its largest / LEVELS."""
    unit = x.amax((1, 2, 3), keepdim=True).clamp(min=1e-30) / LEVELS
    return torch.floor(x * (1 / unit) + 0.5) * unit


class StoredNetwork:
    """Runs a weight file, step by step as the library does."""

    def __init__(self, file):
        data = open(file, "rb").read()
        if data[:8] != MAGIC:
            raise ValueError(f"{file} is not a network of longshot")
        *self.grid, count = struct.unpack_from("<3I", data, 8)
        at, self.layers, self.whole = 20, [], []
        for _ in range(count):
            *shape, stride, before, behind, flags, width = struct.unpack_from("<9I", data, at)
            at += 36
            bias, scale = np.frombuffer(data, "<f4", 2 * shape[0], at).reshape(2, -1)
            at += 8 * shape[0]
            kind = {1: "i1", 2: "<f2"}[width]
            weight = np.frombuffer(data, kind, int(np.prod(shape)), at).reshape(shape)
            at += weight.nbytes
            self.layers.append((torch.tensor(weight * scale.reshape(-1, 1, 1, 1)),
                                torch.tensor(bias), stride, (before, behind), flags))
            self.whole.append(width == 1 and shape[1] % GROUP == 0)

    def __call__(self, grid: torch.Tensor) -> torch.Tensor:
        x, kept, rectified = grid[:, None], None, False
        for whole, (weight, bias, stride, padding, flags) in zip(self.whole, self.layers):
            x = in_levels(x) if whole and rectified else x
            y = functional.conv2d(pad(x, *padding), weight, bias, stride)
            x, kept = after_product(y, kept, flags)
            rectified = bool(flags & RELU)
        return x.flatten(1)

    def embed(self, grid: torch.Tensor) -> torch.Tensor:
        return functional.normalize(self(grid))
