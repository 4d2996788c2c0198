// SPDX-License-Identifier: Apache-2.0
import { aboutPart } from "./about";
import { activityPart } from "./activity";
import { camerasPart } from "./cameras";
import { comparePart } from "./compare";
import { matchPart } from "./match";
import { peoplePart } from "./people";

const partsByName: Record<string, (main: HTMLElement) => void> = {
  match: matchPart, compare: comparePart, people: peoplePart, cameras: camerasPart, activity: activityPart, about: aboutPart,
};

function show(moveFocus: boolean): void {
  const name = location.hash.slice(1);
  if (name === "main") return;
  const part = partsByName[name] ? name : "match";
  const main = document.getElementById("main")!;
  main.replaceChildren();
  partsByName[part]!(main);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${part}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${part[0]!.toUpperCase()}${part.slice(1)} · longshot`;
  if (moveFocus) main.focus();
}

window.addEventListener("hashchange", () => show(true));
// A file that misses its place must not replace the page.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
show(false);
