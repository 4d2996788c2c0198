# SPDX-License-Identifier: Apache-2.0
"""The small network: from a face of any size, enlarged to one grid, to 128 numbers."""
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as functional

GRID = (40, 32)  # rows, columns of the input
COUNT = 128  # numbers out
WIDTHS = (32, 64, 128)
DEPTHS = (1, 2)  # residual blocks of the second and of the third width
MAGIC = b"LSNET001"
UNFOLDED_LENGTH = 1.2  # of a row of weights that training goes on from
# What a layer of the weight file does after its product.
RELU, KEEP, ADD = 1, 2, 4  # ADD: the output kept last, before the ReLU; KEEP: keep this output


def normalise_grid(grid: torch.Tensor) -> torch.Tensor:
    """n x rows x cols grey values -> mean 0, deviation 1, cut off at 3 deviations."""
    grid = grid - grid.mean((1, 2), keepdim=True)
    deviation = (grid ** 2).mean((1, 2), keepdim=True).sqrt()
    return (grid / (deviation + 1e-3)).clamp(-3.0, 3.0)


class Convolution(nn.Sequential):
    def __init__(self, inputs, outputs, kernel, stride):
        super().__init__(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
                         nn.BatchNorm2d(outputs))

    def folded(self):
        """Weight and bias of the convolution with its normalisation, as they are at test."""
        weight, norm = self[0].weight.data, self[1]
        scale = norm.weight.data / torch.sqrt(norm.running_var + norm.eps)
        return weight * scale.view(-1, 1, 1, 1), norm.bias.data - norm.running_mean * scale


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = Convolution(width, width, 3, 1), Convolution(width, width, 3, 1)

    def forward(self, x):
        return functional.relu(x + self.second(functional.relu(self.first(x))))


def restore_norm(norm, values: torch.Tensor, scale: torch.Tensor, bias: torch.Tensor):
    """Lets a normalisation give scale values + bias of channels x n values."""
    norm.running_mean.copy_(values.mean(1))
    norm.running_var.copy_(values.var(1))
    norm.weight.copy_(scale * torch.sqrt(norm.running_var + norm.eps))
    norm.bias.copy_(bias + scale * norm.running_mean)


class Network(nn.Module):
    """Three halvings of the grid: 20x16, 10x8, 5x4; then one matrix."""

    def __init__(self, depths: tuple = DEPTHS):
        super().__init__()
        small, middle, large = WIDTHS
        self.stem = Convolution(1, small, 5, 2)
        self.down1 = Convolution(small, middle, 3, 2)
        self.blocks1 = nn.Sequential(*[Residual(middle) for _ in range(depths[0])])
        self.down2 = Convolution(middle, large, 3, 2)
        self.blocks2 = nn.Sequential(*[Residual(large) for _ in range(depths[1])])
        self.drop = nn.Dropout(0.2)
        self.last = nn.Linear(large * (GRID[0] // 8) * (GRID[1] // 8), COUNT, bias=False)
        self.norm = nn.BatchNorm1d(COUNT)

    def order(self, depths: tuple = (None, None)) -> list:
        """The convolutions, and what is done after each; of the first `depths` blocks alone."""
        result = [(self.stem, RELU)]
        for down, blocks, depth in ((self.down1, self.blocks1, depths[0]),
                                    (self.down2, self.blocks2, depths[1])):
            result.append((down, RELU | KEEP))
            for block in blocks[:depth]:
                result += [(block.first, RELU), (block.second, RELU | ADD | KEEP)]
            result[-1] = (result[-1][0], result[-1][1] & ~KEEP)
        return result

    def forward(self, grid):
        """n x rows x cols, as normalise_grid gives them -> n x COUNT."""
        x = functional.relu(self.stem(grid[:, None]))
        x = self.blocks1(functional.relu(self.down1(x)))
        x = self.blocks2(functional.relu(self.down2(x)))
        return self.norm(self.last(self.drop(x.flatten(1))))

    @torch.no_grad()
    def unfold(self, stored, turn: torch.Tensor, grid: torch.Tensor):
        """Takes the weights of a StoredNetwork, its answers turned by an orthogonal matrix. Of the
        `grid` each normalisation learns its mean and deviation, so that training goes on from
        where it was. Blocks that the stored network does not have change nothing at first."""
        self.eval()
        depths = stored.depths()
        for block in (*self.blocks1[depths[0]:], *self.blocks2[depths[1]:]):
            nn.init.zeros_(block.second[1].weight)
        x, kept = grid[:, None], None
        for (module, _), (weight, bias, stride, padding, flags) in zip(self.order(depths),
                                                                       stored.layers):
            length = weight.flatten(1).norm(dim=1).view(-1, 1, 1, 1) / UNFOLDED_LENGTH
            module[0].weight.copy_(weight / length)
            y = functional.conv2d(x, weight / length, None, stride, padding)
            restore_norm(module[1], y.transpose(0, 1).flatten(1), length.flatten(), bias)
            y = module[1](y) + (kept if flags & ADD else 0.0)
            x = functional.relu(y) if flags & RELU else y
            kept = x if flags & KEEP else kept
        weight, bias = stored.layers[-1][0].flatten(1), stored.layers[-1][1]
        weight, bias = turn @ weight, turn @ bias
        length = weight.norm(dim=1, keepdim=True) / UNFOLDED_LENGTH
        self.last.weight.copy_(weight / length)
        restore_norm(self.norm, (x.flatten(1) @ (weight / length).T).T, length.flatten(), bias)

    @torch.no_grad()
    def embed(self, grid, batch: int = 256):
        """Of length 1: the mean of a face and its mirror image."""
        self.eval()
        parts = [functional.normalize(self(g)) + functional.normalize(self(g.flip(2)))
                 for g in grid.split(batch)]
        return functional.normalize(torch.cat(parts))


def folded_layers(network: Network):
    """Convolutions as (weight out x in x k x k, bias, stride, flags), the last as a full matrix."""
    network.eval()
    layers = [(*conv.folded(), conv[0].stride[0], flags) for conv, flags in network.order()]
    scale = network.norm.weight.data / torch.sqrt(network.norm.running_var + network.norm.eps)
    rows, cols = GRID[0] // 8, GRID[1] // 8
    weight = (network.last.weight.data * scale[:, None]).view(COUNT, WIDTHS[-1], rows, cols)
    layers.append((weight, network.norm.bias.data - network.norm.running_mean * scale, 1, 0))
    return layers


def write_network(network: Network, file):
    """Magic; u32 grid rows, cols, layers; per layer u32 outputs, inputs, kernel rows, kernel
    columns, stride, padding, flags; f32 bias; f16 weights, out x in x rows x columns. Little
    endian. The last layer's kernel covers all of its input and is not padded."""
    layers = folded_layers(network)
    with open(file, "wb") as out:
        out.write(MAGIC + struct.pack("<3I", *GRID, len(layers)))
        for weight, bias, stride, flags in layers:
            whole = weight is layers[-1][0]
            padding = 0 if whole else weight.shape[2] // 2
            out.write(struct.pack("<7I", *weight.shape, stride, padding, flags))
            out.write(bias.numpy().astype("<f4").tobytes())
            out.write(weight.numpy().astype("<f2").tobytes())


class StoredNetwork:
    """Runs a weight file, step by step as the library does."""

    def __init__(self, file):
        data = open(file, "rb").read()
        if data[:8] != MAGIC:
            raise ValueError(f"{file} is not a network of longshot")
        *self.grid, count = struct.unpack_from("<3I", data, 8)
        at, self.layers = 20, []
        for _ in range(count):
            shape, rest = struct.unpack_from("<4I", data, at), struct.unpack_from("<3I", data,
                                                                                  at + 16)
            at += 28
            bias = np.frombuffer(data, "<f4", shape[0], at)
            at += bias.nbytes
            weight = np.frombuffer(data, "<f2", int(np.prod(shape)), at)
            at += weight.nbytes
            self.layers.append((torch.tensor(weight.astype(np.float32).reshape(shape)),
                                torch.tensor(bias.copy()), *rest))

    def depths(self) -> tuple:
        """How many residual blocks come after the second and after the third halving."""
        strides, flags = (np.array([layer[k] for layer in self.layers]) for k in (2, 4))
        halvings, ends = np.cumsum(strides == 2), flags & ADD > 0
        return int((ends & (halvings == 2)).sum()), int((ends & (halvings == 3)).sum())

    def __call__(self, grid: torch.Tensor) -> torch.Tensor:
        x, kept = grid[:, None], None
        for weight, bias, stride, padding, flags in self.layers:
            x = functional.conv2d(x, weight, bias, stride, padding)
            if flags & ADD:
                x = x + kept
            if flags & RELU:
                x = functional.relu(x)
            if flags & KEEP:
                kept = x
        return x.flatten(1)

    def embed(self, grid: torch.Tensor) -> torch.Tensor:
        return functional.normalize(functional.normalize(self(grid))
                                    + functional.normalize(self(grid.flip(2))))
