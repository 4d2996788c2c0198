// SPDX-License-Identifier: Apache-2.0
// Match: stills of one camera against everybody who is enrolled.

import { About, Answers, Camera, Candidate, Face, FacesOf, Person, Probe, get, loadPicture, personPath, upload } from "./api";
import { announce, dropZone, h, problemBox } from "./dom";
import { drawCrop, pickEyes } from "./eyes";
import { markedFrame } from "./faces";
import { choose } from "./compare";

// The server looks for faces until `faces` is there; clicked eyes count more.
interface Still { file: File; url: string; eyes?: number[]; faces?: Face[]; chosen: Set<number>; crop?: boolean }

// What is asked about: a still, or one of its faces.
interface Subject { still: Still; eyes?: number[]; face?: number }

// Kept while the user looks at other parts.
const stills: Still[] = [];
let asked: Subject[] = [];
let answers: Answers | null = null;
let chosenCamera = "none";

// At which the last still was searched.
export function lastSize(): string | null {
  return answers?.probes.find((probe) => probe.size)?.size ?? null;
}

// A frame with several faces is asked about each that was chosen.
function subjectsOf(still: Still): Subject[] {
  const { faces } = still;
  if (still.eyes || !faces || faces.length < 2 || still.chosen.size === 0) return [{ still, eyes: still.eyes }];
  return [...still.chosen].sort((a, b) => a - b).map((i) => ({ still, eyes: faces[i]!.eyes, face: i + 1 }));
}

// Elements made anew keep the focus, by what they are about: "Click the eyes: a.png".
function refocus(list: HTMLElement, label: string | null | undefined): void {
  if (!label || list.contains(document.activeElement)) return;
  const about = label.slice(label.indexOf(": ") + 1);
  const buttons = [...list.querySelectorAll("button")];
  const same = buttons.find((one) => one.ariaLabel === label) ?? buttons.find((one) => one.ariaLabel?.endsWith(about));
  same?.focus();
}

// What is small may be the face alone, and is taken as that where none is found.
const largestCrop = 64;

async function findFaces(still: Still): Promise<void> {
  try {
    const { images } = await upload<{ images: FacesOf[] }>("/v1/faces", [still.file], {});
    still.faces = images[0]!.faces;
    if (still.faces.length > 0) still.chosen.add(0);
    const picture = await createImageBitmap(still.file);
    still.crop = Math.max(picture.width, picture.height) <= largestCrop;
  } catch {
    still.faces = [];  // asked about it, the server says why
  }
}

function stillNote(still: Still): string {
  if (still.eyes) return "eyes are set";
  if (!still.faces) return "looking for faces…";
  if (still.faces.length > 1) return `${still.chosen.size} of ${still.faces.length} faces chosen`;
  if (still.faces.length === 1) return "one face found";
  return still.crop ? "taken as a face crop" : "no face found: click the eyes";
}

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

function candidateRow(candidate: Candidate, probe: Probe, answer: number, subject: Subject): HTMLElement {
  const image = h("img", { className: "face", alt: "", width: 40, height: 48 });
  get<Person>(personPath(candidate.person))
    .then((person) => person.photos[0] && loadPicture(image, `${personPath(person.name)}/photos/${person.photos[0].id}`))
    .catch(() => image.classList.add("missing"));
  const compare = h("button", { type: "button" }, "Compare");
  compare.setAttribute("aria-label", `Compare with ${candidate.person}`);
  compare.addEventListener("click", () => {
    choose({ file: subject.still.file, eyes: subject.eyes, person: candidate.person,
      camera: chosenCamera, report: answers!.report, answer });
    location.hash = "#compare";
  });
  return h("li", { className: "candidate" }, image, h("span", { className: "name" }, candidate.person),
    scoreLine(candidate, probe), h("span", { className: "number" }, candidate.score.toFixed(2)), compare);
}

// The still, or the face of it that was asked about.
function subjectPicture({ still, eyes }: Subject): HTMLElement {
  const alt = `The still ${still.file.name}`;
  if (!eyes) return h("img", { className: "still", src: still.url, alt });
  const canvas = h("canvas", { className: "still", width: 96, height: 115, role: "img", "aria-label": alt });
  void createImageBitmap(still.file).then((picture) => drawCrop(canvas, picture, { x: eyes[0]!, y: eyes[1]! }, { x: eyes[2]!, y: eyes[3]! }));
  return canvas;
}

function answerCard(probe: Probe, answer: number, subject: Subject, mend: (still: Still) => void): HTMLElement {
  const card = h("section", { className: "card answer" }, h("h3", {}, subject.face ? `${probe.path}, face ${subject.face}` : probe.path), subjectPicture(subject));
  if (probe.error) {
    const button = h("button", { type: "button" }, "Click the eyes");
    button.addEventListener("click", () => mend(subject.still));
    card.append(problemBox(probe.error), button);
    return card;
  }
  const known = probe.decision === "known";
  card.append(h("p", {}, h("span", { className: known ? "badge known" : "badge unknown" }, known ? "known" : "unknown"),
    ` searched at ${probe.size}, ${probe.frames_used} still${probe.frames_used === 1 ? "" : "s"}`));
  const list = h("ol", { className: "candidates" });
  for (const candidate of probe.candidates) list.append(candidateRow(candidate, probe, answer, subject));
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
    const eyes = await pickEyes(still.file, still.eyes).catch((error: Error) => {
      results.replaceChildren(problemBox(error.message));
      return null;
    });
    if (eyes) still.eyes = eyes;
    showStills();
    return eyes !== null;
  }
  function showStills(): void {
    const focused = (document.activeElement as HTMLElement | null)?.ariaLabel;
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
      const note = h("span", { className: "note" }, stillNote(still));
      const several = !still.eyes && (still.faces?.length ?? 0) > 1;
      const picture = !still.eyes && still.faces?.length
        ? markedFrame(still.url, still.file.name, still.faces!, still.chosen, () => (note.textContent = stillNote(still)))
        : h("img", { className: "still", src: still.url, alt: "" });
      return h("li", { className: several ? "wide" : "" }, picture, h("span", { className: "name" }, still.file.name), note, eyes, drop);
    }));
    find.disabled = stills.length === 0;
    refocus(list, focused);
  }
  function showAnswers(): void {
    if (!answers) return;
    results.replaceChildren(
      h("p", {}, `Compared with ${answers.people} people; a stranger is taken for somebody in ${(100 * answers.fpir).toFixed(1)} % of cases. A candidate is a lead to check, not proof.`),
      ...answers.probes.map((probe, i) => answerCard(probe, i, asked[i]!, (still) => void setEyes(still).then((done) => (done ? run() : undefined)))));
  }
  async function run(): Promise<void> {
    find.disabled = true;
    results.replaceChildren(h("p", { className: "loading" }, "Searching… the first question of a size takes longer, as the server learns."));
    announce("Searching");
    chosenCamera = camera.value;
    try {
      asked = stills.flatMap(subjectsOf);
      const about: About[] = asked.map(({ still, eyes }) => ({ file: stills.indexOf(still), eyes }));
      answers = await upload<Answers>("/v1/identify", stills.map((still) => still.file), {
        top: Number(top.value), camera: camera.value, fuse: joined.checked ? "all" : "none", probes: about,
      });
      showAnswers();
      announce(`${answers.probes.length} answers`);
    } catch (error) {
      results.replaceChildren(problemBox((error as Error).message));
    }
    find.disabled = stills.length === 0;
  }
  find.addEventListener("click", () => void run());
  async function look(added: Still[]): Promise<void> {
    for (const still of added) {
      await findFaces(still);
      showStills();
    }
    announce(added.map((still) => `${still.file.name}: ${stillNote(still)}`).join("; "));
  }
  const add = (files: File[]) => {
    const added = files.map((file): Still => ({ file, url: URL.createObjectURL(file), chosen: new Set() }));
    stills.push(...added);
    showStills();
    announce(`${stills.length} stills`);
    void look(added);
  };
  get<{ cameras: Camera[] }>("/v1/cameras").then(({ cameras }) => {
    for (const one of cameras) camera.append(h("option", { value: one.id }, `${one.id} (${one.size})`));
    camera.value = chosenCamera;
  }).catch(() => undefined);
  main.append(h("h1", {}, "Match"), dropZone("Drop stills or whole frames here, or choose files", add), list,
    h("div", { className: "controls" },
      h("label", { htmlFor: "camera" }, "Camera ", camera),
      h("label", { htmlFor: "joined" }, joined, " all stills show one person"),
      h("label", { htmlFor: "top" }, "Candidates ", top), find),
    results);
  showStills();
  if (answers) showAnswers();
  else results.append(h("p", { className: "empty" }, "No still yet. A face of six pixels' width can be enough."));
}
