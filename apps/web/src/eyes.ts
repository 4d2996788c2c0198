// SPDX-License-Identifier: Apache-2.0
// Two clicks on the eyes make the crop: a magnifier, marks that are dragged or moved by keys, and
// the crop as it changes.

import { h, showDialog } from "./dom";

interface Point { x: number; y: number }

// Where the eyes of a crop are: fractions of its width and height.
const cropEyes = { y: 0.35, left: 0.28, right: 0.72, aspect: 1.2 };

function drawMagnified(canvas: HTMLCanvasElement, image: CanvasImageSource, at: Point, span: number): void {
  const context = canvas.getContext("2d")!;
  context.imageSmoothingEnabled = false;
  context.fillStyle = "#808080";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, at.x - span / 2, at.y - span / 2, span, span, 0, 0, canvas.width, canvas.height);
  context.strokeStyle = "#ff5a1f";
  context.beginPath();
  context.moveTo(canvas.width / 2, 0);
  context.lineTo(canvas.width / 2, canvas.height);
  context.moveTo(0, canvas.height / 2);
  context.lineTo(canvas.width, canvas.height / 2);
  context.stroke();
}

// The face turned and scaled so that the eyes lie where they do in every crop.
export function drawCrop(canvas: HTMLCanvasElement, image: CanvasImageSource, left: Point, right: Point): void {
  const context = canvas.getContext("2d")!;
  const distance = Math.hypot(right.x - left.x, right.y - left.y);
  const scale = ((cropEyes.right - cropEyes.left) * canvas.width) / Math.max(distance, 0.5);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = "#808080";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = scale < 2;
  context.translate(cropEyes.left * canvas.width, cropEyes.y * canvas.height);
  context.rotate(-Math.atan2(right.y - left.y, right.x - left.x));
  context.scale(scale, scale);
  context.translate(-left.x, -left.y);
  context.drawImage(image, 0, 0);
  context.setTransform(1, 0, 0, 1, 0, 0);
}

// Asks for the eyes of a picture; null if the user gave up. Coordinates are the picture's pixels.
// Throws for what the browser cannot show.
export async function pickEyes(file: File, before?: number[]): Promise<number[] | null> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(`The browser cannot show ${file.name} as a picture.`);
  });
  const points: Point[] = before
    ? [{ x: before[0]!, y: before[1]! }, { x: before[2]!, y: before[3]! }]
    : [];
  const view = h("canvas", { width: picture.width, height: picture.height, className: "view" });
  view.getContext("2d")!.drawImage(picture, 0, 0);
  view.setAttribute("aria-hidden", "true");
  const glass = h("canvas", { width: 160, height: 160, className: "glass" });
  const crop = h("canvas", { width: 120, height: 120 * cropEyes.aspect, className: "crop" });
  glass.setAttribute("aria-hidden", "true");
  crop.setAttribute("role", "img");
  crop.setAttribute("aria-label", "The crop that these eyes make");
  const stage = h("div", { className: "stage" }, view);
  const marks = ["Left eye", "Right eye"].map((name) => h("button", { type: "button", className: "mark", title: name }));
  stage.append(...marks);
  const use = h("button", { type: "button", className: "primary" }, "Use these eyes");
  const hint = h("p", { id: "eyes-hint" });
  const span = Math.max(8, Math.min(picture.width, picture.height) / 6);

  const clamp = (value: number, top: number) => Math.min(Math.max(value, 0), top);
  function show(focus?: Point): void {
    const names = ["Left eye", "Right eye"];
    marks.forEach((mark, i) => {
      const point = points[i];
      mark.hidden = !point;
      if (!point) return;
      mark.style.left = `${(100 * point.x) / picture.width}%`;
      mark.style.top = `${(100 * point.y) / picture.height}%`;
      mark.setAttribute("aria-label", `${names[i]}: ${point.x.toFixed(1)}, ${point.y.toFixed(1)}; arrow keys move it`);
    });
    hint.textContent = points.length === 0
      ? "Click the eye on the left of the picture, or press Enter to place both and move them by keys."
      : points.length === 1 ? "Now the eye on the right." : "Drag the marks, or move them with the arrow keys.";
    use.disabled = points.length < 2;
    if (points.length === 2) drawCrop(crop, picture, points[0]!, points[1]!);
    const at = focus ?? points[points.length - 1];
    if (at) drawMagnified(glass, picture, at, span);
  }
  function pointOf(event: MouseEvent): Point {
    const box = view.getBoundingClientRect();
    return {
      x: clamp(((event.clientX - box.left) / box.width) * picture.width, picture.width),
      y: clamp(((event.clientY - box.top) / box.height) * picture.height, picture.height),
    };
  }
  view.addEventListener("pointermove", (event) => drawMagnified(glass, picture, pointOf(event), span));
  view.addEventListener("click", (event) => {
    if (points.length < 2) points.push(pointOf(event));
    if (points.length === 2 && points[0]!.x > points[1]!.x) points.reverse();
    show();
  });
  marks.forEach((mark, i) => {
    mark.addEventListener("pointerdown", (event) => mark.setPointerCapture(event.pointerId));
    mark.addEventListener("pointermove", (event) => {
      if (!mark.hasPointerCapture(event.pointerId)) return;
      points[i] = pointOf(event);
      show(points[i]);
    });
    mark.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 0.1 : Math.max(0.25, picture.width / 200);
      const moves: Record<string, Point> = {
        ArrowLeft: { x: -step, y: 0 }, ArrowRight: { x: step, y: 0 },
        ArrowUp: { x: 0, y: -step }, ArrowDown: { x: 0, y: step },
      };
      const move = moves[event.key];
      const point = points[i];
      if (!move || !point) return;
      event.preventDefault();
      points[i] = { x: clamp(point.x + move.x, picture.width), y: clamp(point.y + move.y, picture.height) };
      show(points[i]);
    });
  });
  const place = h("button", { type: "button" }, "Place both in the middle");
  place.addEventListener("click", () => {
    points.splice(0, 2, { x: picture.width * 0.38, y: picture.height * 0.42 }, { x: picture.width * 0.62, y: picture.height * 0.42 });
    show();
    marks[0]!.focus();
  });

  let result: number[] | null = null;
  const side = h("div", { className: "side" }, glass, crop, place, use);
  const { dialog, closed } = showDialog(`Eyes of ${file.name}`, hint, h("div", { className: "picker" }, stage, side));
  use.addEventListener("click", () => {
    result = [points[0]!.x, points[0]!.y, points[1]!.x, points[1]!.y];
    dialog.close();
  });
  show();
  (points.length === 2 ? marks[0]! : place).focus();
  await closed;
  return result;
}
