// SPDX-License-Identifier: Apache-2.0
// Cameras: what was learnt of each, how sure that is, and for which answers it was used.

import { Camera, CameraUse, CameraUses, Measured, get, loadPicture, remove, upload } from "./api";
import { announce, dropZone, h, problemBox } from "./dom";

const words: [string, string][] = [
  ["right", "faces further right, of the width"], ["down", "further down, of the height"],
  ["wider", "wider by"], ["taller", "taller by"], ["blur", "blur, pixels"],
  ["noise", "noise, of the brightness"],
];

function figuresTable(camera: Camera): HTMLElement {
  const rows = words.map(([name, text]) => {
    const figure = camera.figures[name] as Measured | number;
    const shown = typeof figure === "number" ? figure.toFixed(3) : `${figure.value.toFixed(3)} ± ${figure.deviation.toFixed(3)}`;
    return h("tr", {}, h("th", { scope: "row" }, text), h("td", {}, shown));
  });
  return h("table", {}, h("caption", {}, camera.learnt ? `Learnt from ${camera.crops} crops of ${camera.size}` : `${camera.crops} crops said too little: nothing changes`), h("tbody", {}, ...rows));
}

const usesPage = 5;

function useLine(use: CameraUse): HTMLElement {
  const stills = `${use.images} still${use.images === 1 ? "" : "s"}`;
  const found = use.people.length ? use.people.join(", ") : "nobody known";
  const what = use.act === "verify" ? `compared with ${found}` : found;
  return h("li", {}, `${use.time.replace("T", " ").replace("Z", "")}: ${stills}, ${what}`);
}

// The answers that rest on it, the newest first.
function usesPart(camera: Camera): HTMLElement {
  const list = h("ul", { className: "uses" });
  const state = h("p", { className: "loading" }, "Loading…");
  const more = h("button", { type: "button", hidden: true, "aria-label": `More answers of ${camera.id}` }, "More");
  let last = 0;
  async function load(): Promise<void> {
    try {
      const uses = await get<CameraUses>(`/v1/cameras/${camera.id}/answers?limit=${usesPage}&before=${last}`);
      list.append(...uses.answers.map(useLine));
      last = uses.answers.at(-1)?.line ?? last;
      more.hidden = !uses.more;
      state.className = "empty";
      state.textContent = !uses.logged ? "The gallery keeps no log that could say." : list.childElementCount ? "" : "None yet.";
    } catch (error) {
      state.replaceWith(problemBox((error as Error).message));
    }
  }
  more.addEventListener("click", () => void load());
  void load();
  return h("div", {}, h("h3", {}, "Answers that rest on it (UTC)"), list, state, more);
}

export function camerasPart(main: HTMLElement): void {
  const list = h("div", { className: "cards" });
  const state = h("div", {});
  const id = h("input", { id: "camera-id", pattern: "[A-Za-z0-9_\\-]{1,64}", value: "" });
  function card(camera: Camera): HTMLElement {
    const sheet = h("img", { className: "sheet", alt: `Sheet of ${camera.id}: mean face, through the camera, mean crop, difference` });
    void loadPicture(sheet, `/v1/cameras/${camera.id}/sheet`);
    const drop = h("button", { type: "button", className: "danger", "aria-label": `Forget ${camera.id}` }, "Forget");
    drop.addEventListener("click", () => {
      remove(`/v1/cameras/${camera.id}`).then(load).catch((error: Error) => state.replaceChildren(problemBox(error.message)));
    });
    return h("section", { className: "card" }, h("h2", {}, camera.id), sheet, figuresTable(camera), usesPart(camera), drop);
  }
  async function load(): Promise<void> {
    try {
      const { cameras } = await get<{ cameras: Camera[] }>("/v1/cameras");
      list.replaceChildren(...(cameras.length ? cameras.map(card) : [h("p", { className: "empty" }, "No camera is saved yet.")]));
    } catch (error) {
      list.replaceChildren(problemBox((error as Error).message));
    }
  }
  async function learn(crops: File[]): Promise<void> {
    if (!id.value || !id.checkValidity()) {
      state.replaceChildren(problemBox("Give the camera a name of letters, digits, - and _ first."));
      id.focus();
      return;
    }
    state.replaceChildren(h("p", { className: "loading" }, `Learning from ${crops.length} crops…`));
    announce("Learning");
    try {
      await upload<Camera>("/v1/cameras", crops, { id: id.value });
      state.replaceChildren();
      announce(`${id.value} is learnt`);
      await load();
    } catch (error) {
      state.replaceChildren(problemBox((error as Error).message));
    }
  }
  main.append(h("h1", {}, "Cameras"),
    h("section", { className: "card", "aria-label": "Learn a camera" },
      h("p", {}, "Crops of one camera, of whomever they show, teach its blur, tone, noise and framing."),
      h("div", { className: "controls" }, h("label", { htmlFor: "camera-id" }, "Name ", id), dropZone("Drop crops here, or choose files", (files) => void learn(files))),
      state),
    list);
  void load();
}
