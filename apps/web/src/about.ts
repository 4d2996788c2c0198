// SPDX-License-Identifier: Apache-2.0
// About: version, limits, and what an answer is worth.

import { System, get } from "./api";
import { h, problemBox } from "./dom";
import { expectations, measuredSize, measuredSizes } from "./expect";
import { lastSize } from "./match";

const worth = [
  "A candidate is a lead for a person to check, never proof.",
  "The fewer pixels and the more people, the more often the first candidate is another person.",
  "Unknown means: nobody stands out enough among those enrolled. The person may still be one of them.",
  "Faces must be frontal. Another light, age, pose or camera than that of the photo makes errors more frequent.",
  "The rates below were measured on few people, of few ages and origins. Whether they differ between groups of people is not known.",
];

// How often it is wrong, for so many people and a size that the user may change.
function ratesPart(people: number): HTMLElement {
  const last = lastSize();
  const known = last ? measuredSize(last) : null;
  const sizes = measuredSizes.map((size) => h("option", { value: size }, `${size} pixels`));
  const size = h("select", { id: "rate-size" }, ...sizes);
  size.value = known ?? (last ? measuredSizes[0]! : "12x10");
  const count = h("input", { type: "number", id: "rate-people", min: "1", value: String(Math.max(1, people)) });
  const list = h("ul", { "aria-live": "polite" });
  const show = () => list.replaceChildren(...expectations(size.value, Number(count.value)).map((text) => h("li", {}, text)));
  size.addEventListener("change", show);
  count.addEventListener("input", show);
  show();
  const about = last
    ? `Your last answer was searched at ${last}${known ? "" : ", below which nothing was measured: expect less than this"}.`
    : "Sizes are rows x columns of the face, from above the brows to the chin.";
  return h("section", { "aria-label": "How often it is wrong" }, h("h2", {}, "How often it is wrong"), h("p", {}, about),
    h("div", { className: "controls" }, h("label", { htmlFor: "rate-size" }, "Size of the face ", size),
      h("label", { htmlFor: "rate-people" }, "People enrolled ", count)), list);
}

export function aboutPart(main: HTMLElement): void {
  const place = h("div", {}, h("p", { className: "loading" }, "Loading…"));
  main.append(h("h1", {}, "About"), h("h2", {}, "What an answer is worth"),
    h("ul", {}, ...worth.map((text) => h("li", {}, text))), place);
  get<System>("/v1/system").then((system) => {
    const line = (name: string, value: string) => [h("dt", {}, name), h("dd", {}, value)];
    place.replaceChildren(ratesPart(system.people), h("h2", {}, "This server"), h("dl", {},
      ...line("Version", system.version), ...line("Gallery", system.gallery),
      ...line("People", String(system.people)), ...line("Photos", String(system.photos)),
      ...line("Your role", system.role)),
      h("h2", {}, "Limits"), h("dl", {}, ...Object.entries(system.limits).flatMap(([name, value]) => line(name.replaceAll("_", " "), String(value)))));
  }).catch((error: Error) => place.replaceChildren(problemBox(error.message)));
}
