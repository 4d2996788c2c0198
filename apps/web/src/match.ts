// SPDX-License-Identifier: Apache-2.0
// Match: stills of one camera against everybody who is enrolled.

import { Answers, Camera, Candidate, Person, Probe, get, loadPicture, personPath, upload } from "./api";
import { announce, dropZone, h, problemBox } from "./dom";
import { pickEyes } from "./eyes";
import { choose } from "./compare";

interface Still { file: File; eyes?: number[]; url: string }

// Kept while the user looks at other parts.
const stills: Still[] = [];
let answers: Answers | null = null;
let chosenCamera = "none";

function scoreLine(candidate: Candidate, probe: Probe): HTMLElement {
  const percent = Math.round(candidate.score * 100);
  const bar = h("div", { className: "score", role: "img", "aria-label": `score ${percent} of 100` }, h("div", { className: "fill" }));
  (bar.firstChild as HTMLElement).style.width = `${percent}%`;
  if (probe.threshold !== undefined && probe.threshold >= 0 && probe.threshold <= 1) {
    const line = h("div", { className: "threshold", title: "Below this line: unknown" });
    line.style.left = `${100 * probe.threshold}%`;
    bar.append(line);
  }
  return bar;
}

function candidateRow(candidate: Candidate, probe: Probe, still: Still | undefined): HTMLElement {
  const image = h("img", { className: "face", alt: "", width: 40, height: 48 });
  get<Person>(personPath(candidate.person))
    .then((person) => person.photos[0] && loadPicture(image, `${personPath(person.name)}/photos/${person.photos[0].id}`))
    .catch(() => image.classList.add("missing"));
  const compare = h("button", { type: "button" }, "Compare");
  compare.setAttribute("aria-label", `Compare with ${candidate.person}`);
  compare.disabled = !still;
  compare.addEventListener("click", () => {
    if (!still) return;
    choose({ file: still.file, eyes: still.eyes, person: candidate.person, camera: chosenCamera === "auto" ? "none" : chosenCamera, probe });
    location.hash = "#compare";
  });
  return h("li", { className: "candidate" }, image, h("span", { className: "name" }, candidate.person),
    scoreLine(candidate, probe), h("span", { className: "number" }, candidate.score.toFixed(2)), compare);
}

function answerCard(probe: Probe, still: Still | undefined, mend: (still: Still) => void): HTMLElement {
  const card = h("section", { className: "card answer" }, h("h3", {}, probe.path));
  if (still) card.append(h("img", { className: "still", src: still.url, alt: `The still ${still.file.name}` }));
  if (probe.error) {
    card.append(problemBox(probe.error));
    if (still) {
      const button = h("button", { type: "button" }, "Click the eyes");
      button.addEventListener("click", () => mend(still));
      card.append(button);
    }
    return card;
  }
  const known = probe.decision === "known";
  card.append(h("p", {}, h("span", { className: known ? "badge known" : "badge unknown" }, known ? "known" : "unknown"),
    ` searched at ${probe.size}, ${probe.frames_used} still${probe.frames_used === 1 ? "" : "s"}`));
  const list = h("ol", { className: "candidates" });
  for (const candidate of probe.candidates) list.append(candidateRow(candidate, probe, still));
  card.append(list);
  return card;
}

export function matchPart(main: HTMLElement): void {
  const list = h("ul", { className: "stills", "aria-label": "Stills" });
  const results = h("div", { className: "answers" });
  const camera = h("select", { id: "camera" }, h("option", { value: "none" }, "none"), h("option", { value: "auto" }, "learn from these stills"));
  const joined = h("input", { type: "checkbox", id: "joined" });
  const top = h("input", { type: "number", id: "top", min: "1", max: "50", value: "5" });
  const find = h("button", { type: "button", className: "primary" }, "Find");

  async function setEyes(still: Still): Promise<boolean> {
    const eyes = await pickEyes(still.file, still.eyes);
    if (eyes) still.eyes = eyes;
    showStills();
    return eyes !== null;
  }
  function showStills(): void {
    list.replaceChildren(...stills.map((still) => {
      const eyes = h("button", { type: "button" }, still.eyes ? "Eyes are set" : "Click the eyes");
      eyes.setAttribute("aria-label", `${eyes.textContent}: ${still.file.name}`);
      eyes.addEventListener("click", () => void setEyes(still));
      const drop = h("button", { type: "button", "aria-label": `Remove ${still.file.name}` }, "×");
      drop.addEventListener("click", () => {
        URL.revokeObjectURL(still.url);
        stills.splice(stills.indexOf(still), 1);
        showStills();
      });
      return h("li", {}, h("img", { className: "still", src: still.url, alt: "" }), h("span", { className: "name" }, still.file.name), eyes, drop);
    }));
    find.disabled = stills.length === 0;
  }
  function showAnswers(): void {
    if (!answers) return;
    const fused = answers.probes.length === 1 && stills.length > 1;
    results.replaceChildren(
      h("p", {}, `Compared with ${answers.people} people; a stranger is taken for somebody in ${(100 * answers.fpir).toFixed(1)} % of cases. A candidate is a lead to check, not proof.`),
      ...answers.probes.map((probe, i) => answerCard(probe, stills[fused ? 0 : i], (still) => void setEyes(still).then((done) => (done ? run() : undefined)))));
  }
  async function run(): Promise<void> {
    find.disabled = true;
    results.replaceChildren(h("p", { className: "loading" }, "Searching… the first question of a size takes longer, as the server learns."));
    announce("Searching");
    chosenCamera = camera.value;
    try {
      answers = await upload<Answers>("/v1/identify", stills.map((still) => still.file), {
        top: Number(top.value), camera: camera.value, fuse: joined.checked ? "all" : "none",
        probes: stills.map((still) => (still.eyes ? { eyes: still.eyes } : {})),
      });
      showAnswers();
      announce(`${answers.probes.length} answers`);
    } catch (error) {
      results.replaceChildren(problemBox((error as Error).message));
    }
    find.disabled = stills.length === 0;
  }
  find.addEventListener("click", () => void run());
  const add = (files: File[]) => {
    for (const file of files) stills.push({ file, url: URL.createObjectURL(file) });
    showStills();
    announce(`${stills.length} stills`);
  };
  get<{ cameras: Camera[] }>("/v1/cameras").then(({ cameras }) => {
    for (const one of cameras) camera.append(h("option", { value: one.id }, `${one.id} (${one.size})`));
    camera.value = chosenCamera;
  }).catch(() => undefined);
  main.append(h("h1", {}, "Match"), dropZone("Drop stills here, or choose files", add), list,
    h("div", { className: "controls" },
      h("label", { htmlFor: "camera" }, "Camera ", camera),
      h("label", { htmlFor: "joined" }, joined, " all stills show one person"),
      h("label", { htmlFor: "top" }, "Candidates ", top), find),
    results);
  showStills();
  if (answers) showAnswers();
  else results.append(h("p", { className: "empty" }, "No still yet. A face of six pixels' width can be enough."));
}
