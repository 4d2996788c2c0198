#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Teaches a small network to judge what a face detector proposes: is it a face, and where are its
eyes really?

Its input is the patch around a proposed pair of eyes. Its six outputs: the logarithm of the odds
that this is a face; where the middle of the eyes really is (x, y, in distances of the proposed
eyes, along them and across); the logarithm of their real distance over the proposed one; their
tilt; and the logarithm of the squared error of an eye that is left after that.
"""
import argparse
import math
import pathlib

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as functional

from lfw import read_photos
from network import RELU, write_layers

GRID = 24  # rows and columns of a patch
FINE = 3 * GRID  # it is sampled on this first
LEFT, RIGHT, HEIGHT = 0.316, 0.684, 0.40  # where proposed eyes lie in a patch
LEAST, MOST = 2.3, 26.0  # pixels between the eyes of what is learnt from
CASCADES = "/usr/share/opencv4/haarcascades/"


def cut_patch(image: np.ndarray, left: complex, right: complex) -> np.ndarray:
    """As src/longshot/face/face_judge.cc cuts it out; the border of the image is repeated."""
    turn = (RIGHT - LEFT) * FINE / (right - left)
    move = complex(LEFT * FINE, HEIGHT * FINE) - turn * left
    half = complex(0.5, 0.5)
    move += turn * half - half
    matrix = np.array([[turn.real, -turn.imag, move.real], [turn.imag, turn.real, move.imag]])
    fine = cv2.warpAffine(image, matrix, (FINE, FINE), flags=cv2.INTER_LINEAR,
                          borderMode=cv2.BORDER_REPLICATE)
    return cv2.resize(fine, (GRID, GRID), interpolation=cv2.INTER_AREA)


def normalise(patches: torch.Tensor) -> torch.Tensor:
    """n x GRID x GRID grey levels -> mean 0, deviation 1, cut off at 3 deviations."""
    values = patches.float() - patches.float().mean((1, 2), keepdim=True)
    deviation = (values ** 2).mean((1, 2), keepdim=True).sqrt()
    return (values / (deviation + 0.5)).clamp(-3.0, 3.0)


class Judge(nn.Module):
    def __init__(self, outputs: int = 6):
        super().__init__()
        widths = (1, 16, 32, 48)
        self.parts = nn.ModuleList(nn.Conv2d(a, b, 3, 2, 1) for a, b in zip(widths, widths[1:]))
        self.whole = nn.Conv2d(48, 64, GRID // 8)
        self.last = nn.Conv2d(64, outputs, 1)

    def forward(self, patches):
        x = patches[:, None]
        for part in self.parts:
            x = functional.relu(part(x))
        return self.last(functional.relu(self.whole(x))).flatten(1)

    def write(self, file: pathlib.Path):
        layers = [(layer.weight.data, layer.bias.data, layer.stride[0], layer.padding,
                   0 if layer is self.last else RELU)
                  for layer in (*self.parts, self.whole, self.last)]
        write_layers(layers, file, (GRID, GRID), eight_bits=False)


class Scenes:
    """Degraded photos, and textures that show nobody."""

    def __init__(self, seed: int):
        self.random = np.random.default_rng(seed)

    def light(self, image: np.ndarray) -> np.ndarray:
        knots = self.random.normal(0, self.random.uniform(0, 0.5), (3, 3)).astype(np.float32)
        field = cv2.resize(knots, image.shape[::-1], interpolation=cv2.INTER_LINEAR)
        return np.clip(image * np.exp(field), 0, 255)

    def spoil(self, image: np.ndarray) -> np.ndarray:
        """Contrast, noise and JPEG of a camera."""
        random = self.random
        image = image.astype(np.float32)
        if random.random() < 0.3:
            contrast = math.exp(random.uniform(-1.2, 0.1))
            image = (image - image.mean()) * contrast + random.uniform(60, 190)
        if random.random() < 0.8:
            image = image + random.normal(0, math.exp(random.uniform(-1.5, 2.2)), image.shape)
        image = np.clip(image, 0, 255).round().astype(np.uint8)
        if random.random() < 0.5 and min(image.shape) >= 8:
            quality = int(random.uniform(40, 95))
            image = cv2.imdecode(cv2.imencode(".jpg", image, [1, quality])[1], 0)
        return image

    def photo(self, photo: np.ndarray, eyes: tuple):
        """A photo as a camera far away takes it, and the eyes in it; flipped as often as not."""
        random = self.random
        left, right = complex(*eyes[:2]), complex(*eyes[2:])
        if random.random() < 0.5:
            photo = photo[:, ::-1]
            width = photo.shape[1]
            left, right = (complex(width - right.real, right.imag),
                           complex(width - left.real, left.imag))
        distance = math.exp(random.uniform(math.log(LEAST), math.log(MOST)))
        scale = min(1.0, distance / abs(right - left))
        size = tuple(max(4, round(side * scale)) for side in photo.shape[::-1])
        image = np.ascontiguousarray(photo).astype(np.float32)
        if random.random() < 0.3:
            image = self.light(image)
        if random.random() < 0.6:
            image = cv2.GaussianBlur(image, (0, 0), max(0.1, random.uniform(0.0, 0.9) / scale))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        stretch = complex(size[0] / photo.shape[1], size[1] / photo.shape[0])
        scaled = lambda p: complex(p.real * stretch.real, p.imag * stretch.imag)
        left, right = scaled(left), scaled(right)
        image = self.spoil(image)
        if random.random() < 0.35:
            image, left, right = self.tight(image, left, right)
        return image, left, right

    def tight(self, image, left, right):
        """About the crop that faces are passed around in."""
        random, middle, distance = self.random, (left + right) / 2, abs(right - left)
        near, far = random.uniform(0.75, 1.3, 2), random.uniform([0.45, 1.1], [1.1, 1.8])
        x0 = round(max(0, middle.real - near[0] * distance))
        x1 = round(min(image.shape[1], middle.real + near[1] * distance))
        y0 = round(max(0, middle.imag - far[0] * distance))
        y1 = round(min(image.shape[0], middle.imag + far[1] * distance))
        if x1 - x0 < 4 or y1 - y0 < 4:
            return image, left, right
        moved = complex(x0, y0)
        return np.ascontiguousarray(image[y0:y1, x0:x1]), left - moved, right - moved

    def texture(self) -> np.ndarray:
        """Noise, clouds, stripes, checks, blobs and tiles: what is no face."""
        random = self.random
        side = int(math.exp(random.uniform(math.log(5), math.log(90))))
        y, x = np.mgrid[0:side, 0:side].astype(np.float32)
        kind = random.integers(0, 8)
        if kind in (0, 7):
            image = random.normal(0, 1, (side, side))
        elif kind == 1:
            image = sum(cv2.resize(random.normal(0, 1, (n, n)).astype(np.float32), (side, side),
                                   interpolation=cv2.INTER_CUBIC) / n ** random.uniform(0, 1)
                        for n in (3, 5, 9, 17))
        elif kind == 2:
            angle, period = random.uniform(0, math.pi), random.uniform(2, side)
            image = np.sin((x * math.cos(angle) + y * math.sin(angle)) * 2 * math.pi / period)
            if random.random() < 0.5:
                image = np.sign(image)
        elif kind == 3:
            period = random.uniform(2, side / 1.5, 2)
            image = np.sign(np.sin(x * 2 * math.pi / period[0] + random.uniform(0, 6))
                            * np.sin(y * 2 * math.pi / period[1] + random.uniform(0, 6)))
        elif kind == 4:
            image = np.zeros((side, side))
            for _ in range(random.integers(1, 9)):
                cx, cy, sx, sy = *random.uniform(0, side, 2), *random.uniform(1, side / 3, 2)
                image += random.normal() * np.exp(-((x - cx) / sx) ** 2 - ((y - cy) / sy) ** 2)
        elif kind == 5:
            a, b, m = random.integers(1, 12, 3)
            image = (y * a + x * b) % (m + 2)
        else:
            image = np.zeros((side, side))
            for _ in range(random.integers(2, 12)):
                (x0, x1), (y0, y1) = np.sort(random.integers(0, side, (2, 2)), 1)
                image[y0:y1 + 1, x0:x1 + 1] = random.normal()
        image = (image - image.mean()) / (image.std() + 1e-6)
        image = cv2.GaussianBlur(image.astype(np.float32), (0, 0), random.uniform(0.2, 1.5))
        return self.spoil(random.uniform(60, 190) + math.exp(random.uniform(0.7, 4)) * image)


def misplaced(random, left, right, shift, scale, tilt):
    """Eyes beside the real ones, and what leads from them back: middle x, y, log distance, tilt."""
    turn = complex(math.exp(random.normal(0, scale)), 0) * np.exp(1j * random.normal(0, tilt))
    span = (right - left) * turn
    middle = (left + right) / 2 + complex(*random.normal(0, shift, 2)) * (right - left)
    return middle - span / 2, middle + span / 2


def way_back(wrong, real):
    span, truth = wrong[1] - wrong[0], real[1] - real[0]
    move, turn = (sum(real) - sum(wrong)) / 2 / span, np.log(truth / span)
    return move.real, move.imag, turn.real, turn.imag


def box_eyes(x, y, side):
    return complex(x + LEFT * side, y + HEIGHT * side), complex(x + RIGHT * side, y + HEIGHT * side)


def is_near(back) -> bool:
    return math.hypot(*back[:2]) < 0.33 and abs(back[2]) < 0.33 and abs(back[3]) < 0.4


def is_far(back) -> bool:
    return math.hypot(*back[:2]) > 0.6 or abs(back[2]) > 0.6


@torch.no_grad()
def settled(judge, image, left, right, rounds: int = 3) -> tuple:
    """Where the judge moves proposed eyes, as src/longshot/face/face_judge.cc does."""
    mirrored = torch.tensor([1.0, -1.0, 1.0, 1.0, -1.0, 1.0])
    for _ in range(rounds):
        patch = cut_patch(image, left, right)
        pair = normalise(torch.tensor(np.array([patch, patch[:, ::-1]])))
        said = judge(pair)
        _, x, y, size, tilt, _ = ((said[0] + said[1] * mirrored) / 2).tolist()
        bound = min(1.0, 0.35 / max(1e-9, math.hypot(x, y)))
        span, middle = right - left, (left + right) / 2 + complex(x, y) * bound * (right - left)
        span *= np.exp(complex(np.clip(size, -0.35, 0.35), np.clip(tilt, -0.4, 0.4)))
        left, right = middle - span / 2, middle + span / 2
    return left, right


class Examples:
    """Proposals with their truth; with a judge, what is no face is shown where that settles."""

    def __init__(self, judge=None):
        self.judge, self.patches, self.labels, self.back = judge, [], [], []

    def add(self, image, eyes, face: bool, back=(0, 0, 0, 0)):
        if self.judge is not None and not face:
            eyes = settled(self.judge, image, *eyes)
        self.patches.append(cut_patch(image, *eyes))
        self.labels.append(float(face))
        self.back.append(back)

    def tensors(self):
        return (torch.tensor(np.array(self.patches)), torch.tensor(self.labels),
                torch.tensor(np.array(self.back, np.float32)))


def add_photo(examples: Examples, scenes: Scenes, photo, eyes):
    random = scenes.random
    image, *real = scenes.photo(photo, eyes)
    for shift, scale, tilt in ((0.04, 0.04, 0.03), (0.1, 0.1, 0.1), (0.15, 0.15, 0.15)):
        wrong = misplaced(random, *real, shift, scale, tilt)
        back = way_back(wrong, real)
        if is_near(back):
            examples.add(image, wrong, True, back)
    for _ in range(4):
        side = abs(real[1] - real[0]) / (RIGHT - LEFT) * math.exp(random.uniform(-1.2, 1.2))
        corner = -0.4 * side + random.random(2) * np.maximum(
            0.1 * side, np.array(image.shape[::-1]) - 0.2 * side)
        wrong = box_eyes(*corner, side)
        if is_far(way_back(wrong, real)):
            examples.add(image, wrong, False)


def add_texture(examples: Examples, scenes: Scenes):
    image, random = scenes.texture(), scenes.random
    rows, cols = image.shape
    whole = (complex(0.25 * cols, 0.34 * rows), complex(0.75 * cols, 0.34 * rows))
    examples.add(image, misplaced(random, *whole, 0.05, 0.05, 0.03), False)
    side = random.uniform(0.4, 1.1) * min(rows, cols)
    examples.add(image, box_eyes(*random.uniform(-0.2, 0.6, 2) * side, side), False)


def add_false_alarms(examples: Examples, scenes: Scenes, photos, yunet: str, limit: int):
    """What the cascades take for faces where a network sees none."""
    cascades = [cv2.CascadeClassifier(CASCADES + f"haarcascade_frontalface_{name}.xml")
                for name in ("alt2", "default")]
    network = cv2.FaceDetectorYN.create(yunet, "", (64, 64), 0.3)
    count = 0
    for photo, eyes in photos:
        image, *_ = scenes.photo(photo, eyes)
        if min(image.shape) < 22:  # the network needs 64 pixels
            continue
        large = cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
        boxes = [b for c in cascades for b in c.detectMultiScale(large, 1.15, 0, 0, (22, 22))]
        if not boxes:
            continue
        network.setInputSize(large.shape[::-1])
        seen = network.detect(cv2.cvtColor(large, cv2.COLOR_GRAY2BGR))[1]
        if seen is None:
            continue
        for x, y, w, h in (boxes[i] for i in scenes.random.permutation(len(boxes))[:6]):
            overlaps = any(min(x + w, a + c) > max(x, a) and min(y + h, b + d) > max(y, b)
                           for a, b, c, d in seen[:, :4])
            if not overlaps:
                examples.add(image, box_eyes(x / 3, y / 3, w / 3), False)
                count += 1
        if count >= limit:
            return


def grey_photos(list_of, limit):
    for photo in list_of[:limit]:
        yield cv2.imread(str(photo.path), cv2.IMREAD_GRAYSCALE), photo.eyes


def make_examples(photos, synthetic, yunet, count, seed):
    scenes, examples = Scenes(seed), Examples()
    order = scenes.random.permutation(len(photos))
    real = list(grey_photos([photos[i] for i in order], count))
    for photo, eyes in real:
        for _ in range(3):
            add_photo(examples, scenes, photo, eyes)
    for photo, eyes in grey_photos(synthetic, count // 3):
        add_photo(examples, scenes, photo, eyes)
    for _ in range(2 * count):
        add_texture(examples, scenes)
    add_false_alarms(examples, scenes, real, yunet, 2 * count)
    return examples.tensors()


def make_hard_ones(judge, photos, yunet, count, seed):
    """What is no face where the judge so far settles on it."""
    judge.eval()
    scenes, examples = Scenes(seed), Examples(judge)
    for _ in range(3 * count):
        add_texture(examples, scenes)
    order = scenes.random.permutation(len(photos))
    real = list(grey_photos([photos[i] for i in order], count))
    add_false_alarms(examples, scenes, real, yunet, count)
    return examples.tensors()


def losses(outputs, labels, back):
    odds = functional.binary_cross_entropy_with_logits(outputs[:, 0], labels)
    faces = labels > 0.5
    error = (outputs[faces, 1:5] - back[faces]) * torch.tensor([1.0, 1.0, 0.5, 0.5])
    squared, uncertain = (error ** 2).sum(1), outputs[faces, 5].clamp(-10, 2)
    return odds, (squared * torch.exp(-uncertain) + uncertain).mean(), squared.mean()


def teach(judge, data, epochs: int, seed: int):
    patches, labels, back = data
    patches = normalise(patches)
    torch.manual_seed(seed)
    batch, steps = 256, 0
    total = epochs * (len(labels) // batch)
    optimiser = torch.optim.AdamW(judge.parameters(), 2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=total + 1)
    for epoch in range(epochs):
        judge.train()
        sums = np.zeros(3)
        order = torch.randperm(len(labels))
        for i in range(len(labels) // batch):
            chosen = order[i * batch:(i + 1) * batch]
            parts = losses(judge(patches[chosen]), labels[chosen], back[chosen])
            optimiser.zero_grad()
            (parts[0] + 0.1 * parts[1]).backward()
            optimiser.step()
            schedule.step()
            sums += [float(p) for p in parts]
            steps += 1
        print(epoch, (sums / (len(labels) // batch)).round(4), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--synthetic", type=pathlib.Path, required=True,
                        help="what longshot synth --people 300 --photos 4 wrote")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--photos", type=int, default=3000)
    parser.add_argument("--epochs", type=int, default=10)
    arguments = parser.parse_args()
    photos = read_photos(arguments.data)
    synthetic = read_photos(arguments.synthetic.parent, arguments.synthetic.name)
    yunet = str(arguments.data / "models/yunet_120x160.onnx")
    part = lambda name: [p for p in photos if p.part == name]
    data = make_examples(part("train"), synthetic, yunet, arguments.photos, 1)
    tune = make_examples(part("tune"), synthetic[-200:], yunet, 500, 2)
    print(len(data[1]), "examples,", int(data[1].sum()), "faces", flush=True)
    judge = Judge()
    teach(judge, data, arguments.epochs, 1)
    for seed in (3, 4):
        hard = make_hard_ones(judge, part("train"), yunet, arguments.photos // 2, seed)
        data = tuple(torch.cat(both) for both in zip(data, hard))
        print(len(hard[1]), "hard ones", flush=True)
        teach(judge, data, arguments.epochs // 2, seed)
    judge.eval()
    with torch.no_grad():
        outputs = judge(normalise(tune[0]))
        odds, _, squared = losses(outputs, *tune[1:])
        faces = tune[1] > 0.5
        print("tuning people: loss", float(odds), "eye error", float(squared.sqrt()))
        for limit in (-2, -1, 0, 1, 2, 3):
            print(limit, "missed", float((outputs[faces, 0] < limit).float().mean()),
                  "false", float((outputs[~faces, 0] > limit).float().mean()))
    judge.write(arguments.out)


if __name__ == "__main__":
    main()
