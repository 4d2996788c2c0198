// SPDX-License-Identifier: Apache-2.0
// The faces of a still or a whole frame, marked on it: of several, a click chooses one or leaves it
// out.

import { Face } from "./api";
import { h } from "./dom";

// `chosen` changes as the user clicks.
export function markedFrame(picture: string, name: string, faces: Face[], chosen: Set<number>, onChange: () => void): HTMLElement {
  const image = h("img", { src: picture, alt: `The frame ${name}` });
  const stage = h("div", { className: "frame", role: "group", "aria-label": `Faces of ${name}` }, image);
  const marks = faces.map((face, i) => {
    if (faces.length === 1) return h("span", { className: "found", role: "img", "aria-label": `The face of ${name}` });
    const mark = h("button", { type: "button", className: "found", "aria-pressed": String(chosen.has(i)) }, String(i + 1));
    mark.setAttribute("aria-label", `Face ${i + 1} of ${name}, ${Math.round(face.box[2]!)} pixels wide`);
    mark.addEventListener("click", () => {
      if (!chosen.delete(i)) chosen.add(i);
      mark.setAttribute("aria-pressed", String(chosen.has(i)));
      onChange();
    });
    return mark;
  });
  const place = () => faces.forEach(({ box }, i) => {
    const [x, y, width, height] = box as [number, number, number, number];
    const style = marks[i]!.style;
    style.left = `${(100 * x) / image.naturalWidth}%`;
    style.top = `${(100 * y) / image.naturalHeight}%`;
    style.width = `${(100 * width) / image.naturalWidth}%`;
    style.height = `${(100 * height) / image.naturalHeight}%`;
  });
  image.addEventListener("load", () => {
    place();
    stage.append(...marks);
  });
  return stage;
}
