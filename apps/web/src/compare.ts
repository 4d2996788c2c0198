// SPDX-License-Identifier: Apache-2.0
// Compare: the pictures that explain an answer, and what the user makes of them.

import { Comparison, put, save, upload } from "./api";
import { announce, h, problemBox } from "./dom";

// `report` and `answer` say where the server keeps the answer.
interface Choice { file: File; eyes?: number[]; person: string; camera: string; report: string | null; answer: number }
type Verdict = "lead" | "excluded" | "inconclusive";

let choice: Choice | null = null;
const verdicts = new Map<string, { verdict?: Verdict; note: string }>();

export function choose(chosen: Choice): void {
  choice = chosen;
}

const captions: [keyof Comparison, string][] = [
  ["probe", "Probe"],
  ["photo", "Photo"],
  ["relit", "Photo in the probe's light"],
  ["through", "The same through the camera"],
  ["difference", "Difference"],
];

function figure(source: string, caption: string): HTMLElement {
  return h("figure", {}, h("img", { src: source, alt: caption, className: "pixels" }), h("figcaption", {}, caption));
}

function sideBySide(result: Comparison): HTMLElement {
  return h("div", { className: "figures" }, ...captions.map(([key, caption]) => figure(String(result[key]), caption)));
}

// Both in one place, one after the other.
function blink(result: Comparison): HTMLElement {
  const image = h("img", { className: "pixels large", src: result.probe, alt: "Probe" });
  const caption = h("figcaption", {}, "Probe");
  const swap = () => {
    const probe = caption.textContent !== "Probe";
    image.src = probe ? result.probe : result.through;
    image.alt = caption.textContent = probe ? "Probe" : "Photo through the camera";
  };
  const button = h("button", { type: "button" }, "Swap");
  button.addEventListener("click", swap);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const timer = still ? 0 : window.setInterval(() => (image.isConnected ? swap() : clearInterval(timer)), 700);
  return h("figure", {}, image, caption, button);
}

// One over the other, as far as the slider says.
function slider(result: Comparison): HTMLElement {
  const over = h("img", { className: "pixels large over", src: result.through, alt: "Photo through the camera" });
  const range = h("input", { type: "range", min: "0", max: "100", value: "50", id: "part" });
  const show = () => (over.style.clipPath = `inset(0 ${100 - Number(range.value)}% 0 0)`);
  range.addEventListener("input", show);
  show();
  return h("figure", {}, h("div", { className: "stack" }, h("img", { className: "pixels large", src: result.probe, alt: "Probe" }), over),
    h("label", { htmlFor: "part" }, "Photo on the left, probe on the right ", range));
}

// One self-contained page for a colleague, made by the server from the answer as it was given.
async function saveReport(chosen: Choice, judged: { verdict?: Verdict; note: string }): Promise<void> {
  if (!chosen.report) throw new Error("The stills are too large to be kept for a report.");
  if (judged.note && !judged.verdict) throw new Error("Mark it as lead, excluded or inconclusive first.");
  const path = `/v1/report/${chosen.report}`;
  if (judged.verdict) {
    const mark = { probe: chosen.answer, person: chosen.person, mark: judged.verdict, note: judged.note };
    await put(`${path}/marks`, { marks: [mark] });
  }
  await save(`${path}?probe=${chosen.answer}`, "report.html");
  announce("The report is saved");
}

function judgement(chosen: Choice): HTMLElement {
  const key = `${chosen.report}\n${chosen.answer}\n${chosen.person}`;
  const judged = verdicts.get(key) ?? { note: "" };
  verdicts.set(key, judged);
  const names: [Verdict, string][] = [["lead", "Lead (L)"], ["excluded", "Excluded (E)"], ["inconclusive", "Inconclusive (I)"]];
  const buttons = names.map(([verdict, text]) => {
    const button = h("button", { type: "button" }, text);
    button.addEventListener("click", () => judge(verdict));
    return button;
  });
  function judge(verdict: Verdict): void {
    judged.verdict = verdict;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(names[i]![0] === verdict)));
    announce(`Marked as ${verdict}`);
  }
  if (judged.verdict) judge(judged.verdict);
  else buttons.forEach((button) => button.setAttribute("aria-pressed", "false"));
  const note = h("textarea", { id: "note", rows: 2, value: judged.note });
  note.addEventListener("input", () => (judged.note = note.value));
  const saving = h("button", { type: "button" }, "Save as a report");
  const state = h("div", {});
  saving.addEventListener("click", () => {
    state.replaceChildren(h("p", { className: "loading" }, "Writing the report…"));
    saveReport(chosen, judged).then(() => state.replaceChildren())
      .catch((error: Error) => state.replaceChildren(problemBox(error.message)));
  });
  const part = h("div", { className: "judgement" }, h("div", { className: "controls", role: "group", "aria-label": "Judgement" }, ...buttons),
    h("label", { htmlFor: "note" }, "Note"), note, saving, state);
  const keys = (event: KeyboardEvent) => {
    if (!part.isConnected) return document.removeEventListener("keydown", keys);
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = names.find(([verdict]) => verdict[0] === event.key.toLowerCase());
    if (found) judge(found[0]);
  };
  document.addEventListener("keydown", keys);
  return part;
}

// A camera that was learnt from the stills is kept with their answer.
function cameraOf({ camera, report, answer }: Choice): Record<string, unknown> {
  return camera !== "auto" ? { camera } : report ? { camera, report, answer } : {};
}

export function comparePart(main: HTMLElement): void {
  main.append(h("h1", {}, "Compare"));
  if (!choice) {
    main.append(h("p", { className: "empty" }, "Nothing is chosen: match a still first, then press Compare beside a candidate."));
    return;
  }
  const chosen = choice;
  const place = h("div", {}, h("p", { className: "loading" }, "Working out what the camera would have seen…"));
  main.append(h("p", {}, `${chosen.file.name} and ${chosen.person}`), place);
  const options = { person: chosen.person, probes: [chosen.eyes ? { eyes: chosen.eyes } : {}], ...cameraOf(chosen) };
  upload<Comparison>("/v1/compare", [chosen.file], options).then((result) => {
    const shown = h("div", { className: "comparison" });
    const modes: [string, (result: Comparison) => HTMLElement][] = [["Side by side", sideBySide], ["Blink", blink], ["Slider", slider]];
    const buttons = modes.map(([name, make]) => {
      const button = h("button", { type: "button", "aria-pressed": String(make === sideBySide) }, name);
      button.addEventListener("click", () => {
        buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
        shown.replaceChildren(make(result));
      });
      return button;
    });
    shown.append(sideBySide(result));
    place.replaceChildren(h("div", { className: "controls", role: "group", "aria-label": "View" }, ...buttons), shown,
      h("p", {}, `Compared at ${result.size}; the light of the probe comes from ${Math.abs(result.azimuth).toFixed(0)}° ${result.azimuth < 0 ? "left" : "right"}, ${Math.abs(result.elevation).toFixed(0)}° ${result.elevation < 0 ? "below" : "above"}.`),
      judgement(chosen));
    announce("The comparison is ready");
  }).catch((error: Error) => place.replaceChildren(problemBox(error.message)));
}
