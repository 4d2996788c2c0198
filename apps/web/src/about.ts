// SPDX-License-Identifier: Apache-2.0
// About: version, limits, and what an answer is worth.

import { System, get } from "./api";
import { h, problemBox } from "./dom";

const worth = [
  "A candidate is a lead for a person to check, never proof.",
  "The fewer pixels and the more people, the more often the first candidate is another person.",
  "Unknown means: nobody stands out enough among those enrolled. The person may still be one of them.",
  "Faces must be frontal. Another light, age, pose or camera than that of the photo makes errors more frequent.",
  "The rates in the documentation were measured on few people, of few ages and origins.",
];

export function aboutPart(main: HTMLElement): void {
  const place = h("div", {}, h("p", { className: "loading" }, "Loading…"));
  main.append(h("h1", {}, "About"), h("h2", {}, "What an answer is worth"),
    h("ul", {}, ...worth.map((text) => h("li", {}, text))), place);
  get<System>("/v1/system").then((system) => {
    const line = (name: string, value: string) => [h("dt", {}, name), h("dd", {}, value)];
    place.replaceChildren(h("h2", {}, "This server"), h("dl", {},
      ...line("Version", system.version), ...line("Gallery", system.gallery),
      ...line("People", String(system.people)), ...line("Photos", String(system.photos)),
      ...line("Your role", system.role)),
      h("h2", {}, "Limits"), h("dl", {}, ...Object.entries(system.limits).flatMap(([name, value]) => line(name.replaceAll("_", " "), String(value)))));
  }).catch((error: Error) => place.replaceChildren(problemBox(error.message)));
}
