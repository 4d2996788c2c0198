// SPDX-License-Identifier: Apache-2.0
// Enrolling many photos: in parts that the server takes, with progress, and refusals that can be
// mended in place.

import { About, Enrolled, Job, Rejection, System, follow, get, remove, upload } from "./api";
import { announce, dropZone, h, problemBox } from "./dom";
import { pickEyes } from "./eyes";

const pathOf = (file: File) => file.webkitRelativePath || file.name;

// Parts of at most so many files and bytes.
function parts(files: File[], most: number, bytes: number): File[][] {
  const all: File[][] = [];
  let size = Infinity;
  for (const file of files) {
    if (size + file.size > bytes || all[all.length - 1]!.length >= most) {
      all.push([]);
      size = 0;
    }
    all[all.length - 1]!.push(file);
    size += file.size + 1000;
  }
  return all;
}

export function enrolPart(changed: () => void): HTMLElement {
  const state = h("div", { className: "enrolling" });
  const refusals = h("ul", { className: "refusals", "aria-label": "Refused photos" });

  // A photo that was refused: with eyes from the user, or as it is.
  function refusal(file: File, rejection: Rejection): HTMLElement {
    const again = async (about: About, force: boolean) => {
      try {
        const done = await upload<Enrolled>("/v1/enroll", [file], { force, photos: [about] });
        if (done.photos === 0) throw new Error(done.rejections[0]?.reason ?? "It was refused again.");
        row.remove();
        announce(`${file.name} is enrolled`);
        changed();
      } catch (error) {
        reason.textContent = (error as Error).message;
      }
    };
    const reason = h("span", { className: "reason" }, rejection.reason);
    const eyes = h("button", { type: "button", "aria-label": `Click the eyes of ${file.name}` }, "Click the eyes");
    eyes.addEventListener("click", () => {
      pickEyes(file).then((found) => (found ? again({ eyes: found }, false) : undefined))
        .catch((error: Error) => (reason.textContent = error.message));
    });
    const force = h("button", { type: "button", "aria-label": `Enrol anyway: ${file.name}` }, "Enrol anyway");
    force.addEventListener("click", () => void again({}, true));
    const row = h("li", {}, h("span", { className: "name" }, pathOf(file)), reason, eyes, force);
    return row;
  }

  async function enrol(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const bar = h("progress", { max: files.length, value: 0, "aria-label": "Progress of the enrolment" });
    const text = h("span", {}, `0 of ${files.length} photos`);
    const stop = h("button", { type: "button" }, "Stop");
    let stopped = false;
    let running: Job | null = null;
    stop.addEventListener("click", () => {
      stopped = true;
      if (running) void remove(`/v1/jobs/${running.id}`).catch(() => undefined);
    });
    state.replaceChildren(bar, text, stop);
    refusals.replaceChildren();
    let before = 0;
    let enrolled = 0;
    try {
      const { limits } = await get<System>("/v1/system");
      for (const part of parts(files, Math.min(limits.images!, 64), limits.body_bytes! * 0.9)) {
        if (stopped) break;
        running = await upload<Job>("/v1/enroll", part, {}, true);
        const done = await follow(running, (job) => {
          bar.value = before + (job.total > 0 ? Math.min(job.done, part.length) : 0);
          text.textContent = `${job.task || "Waiting"}: ${bar.value} of ${files.length} photos`;
        });
        if (done.state === "failed") throw new Error(done.problem?.detail ?? "The job failed.");
        enrolled += done.result?.photos ?? 0;
        for (const rejection of done.result?.rejections ?? []) {
          const file = part.find((one) => pathOf(one) === rejection.path);
          if (file) refusals.append(refusal(file, rejection));
        }
        before += part.length;
        changed();
      }
      const summary = `${enrolled} of ${files.length} photos are enrolled${stopped ? "; it was stopped" : ""}.`;
      state.replaceChildren(h("p", {}, summary));
      announce(summary);
    } catch (error) {
      state.replaceChildren(problemBox((error as Error).message));
      changed();
    }
  }
  return h("section", { className: "card", "aria-label": "Enrol" },
    h("p", {}, "A file is named after whom it shows (anna.jpg, anna_2.jpg), or lies in a folder of that name."),
    h("div", { className: "controls" }, dropZone("Drop photos here, or choose files", (files) => void enrol(files)),
      dropZone("Choose a folder", (files) => void enrol(files.filter((file) => /\.(jpe?g|png|bmp|tiff?|webp|p[gp]m)$/i.test(file.name))), { folder: true })),
    state, refusals);
}
