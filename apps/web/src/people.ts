// SPDX-License-Identifier: Apache-2.0
// People: who is enrolled, and all that can be done about it.

import { Person, PersonLine, Photo, Receipt, get, loadPicture, patch, personPath, remove } from "./api";
import { announce, h, problemBox, showDialog } from "./dom";
import { enrolPart } from "./enrol";

const pageSize = 24;

function photoImage(person: string, photo: Photo): HTMLImageElement {
  const image = h("img", { className: "face", alt: `Photo ${photo.id} of ${person}`, width: 80, height: 96 });
  void loadPicture(image, `${personPath(person)}/photos/${photo.id}`);
  return image;
}

function receiptText(receipt: Receipt): HTMLElement {
  const line = (name: string, value: string) => [h("dt", {}, name), h("dd", {}, value)];
  return h("dl", { className: "receipt" }, ...line("Erased", receipt.person), ...line("Photos", receipt.photos.join(", ")),
    ...line("When", receipt.erased_at), ...line("From", receipt.gallery),
    ...line("Indexes", receipt.indexes.length ? String(receipt.indexes.length) : "none"),
    ...line("Log", receipt.log_holds_bytes ? "still holds bytes until the next change" : "holds nothing of it"));
}

const percent = (value: number) => `${(100 * value).toFixed(0)} %`;
const figures: [string, (value: number) => string][] = [
  ["eye_distance", (value) => `eyes ${value.toFixed(0)} px apart`],
  ["sharpness", (value) => `fine detail ${percent(value)}`],
  ["brightness", (value) => `brightness ${percent(value)}`],
  ["contrast", (value) => `contrast ${percent(value)}`],
  ["saturated", (value) => `plain white ${percent(value)}`],
];

function qualityLine(photo: Photo, most = figures.length): string {
  const known = figures.filter(([name]) => name in photo.quality);
  return known.slice(0, most).map(([name, say]) => say(photo.quality[name]!)).join(", ") || "no figures";
}

// One word about a photo: what is amiss first of all.
function qualityBadge(photo: Photo): HTMLElement {
  const remark = photo.remarks[0];
  const measured = Object.keys(photo.quality).length > 0;
  const word = remark?.problem ?? (measured ? "good" : "not measured");
  return h("span", { className: word === "good" ? "badge known" : "badge doubtful", title: remark?.reason ?? "" }, word);
}

// One person: photos, another name, erasure.
async function showPerson(name: string, changed: () => void): Promise<void> {
  const content = h("div", {}, h("p", { className: "loading" }, "Loading…"));
  const { dialog } = showDialog(name, content);
  const fail = (error: Error) => content.prepend(problemBox(error.message));

  async function fill(current: string): Promise<void> {
    const person = await get<Person>(personPath(current));
    const photos = h("ul", { className: "photos" }, ...person.photos.map((photo) => {
      const drop = h("button", { type: "button", "aria-label": `Erase photo ${photo.id}` }, "Erase photo");
      drop.disabled = person.photos.length === 1;
      drop.addEventListener("click", () => {
        remove<Receipt>(`${personPath(current)}/photos/${photo.id}`).then(() => {
          announce("The photo is erased");
          changed();
          return fill(current);
        }).catch(fail);
      });
      return h("li", {}, photoImage(current, photo), h("span", {}, photo.source), qualityBadge(photo), h("span", { className: "figures-line" }, qualityLine(photo)),
        ...photo.remarks.map((remark) => h("span", { className: "reason" }, remark.reason)), drop);
    }));
    const input = h("input", { id: "new-name", value: current });
    const rename = h("form", { className: "controls" }, h("label", { htmlFor: "new-name" }, "Name"), input, h("button", {}, "Rename"));
    rename.addEventListener("submit", (event) => {
      event.preventDefault();
      patch<Person>(personPath(current), { name: input.value }).then((renamed) => {
        announce(`The name is now ${renamed.name}`);
        changed();
        return fill(renamed.name);
      }).catch(fail);
    });
    const erase = h("button", { type: "button", className: "danger" }, "Erase this person");
    erase.addEventListener("click", () => {
      const sure = h("button", { type: "button", className: "danger" }, `Erase ${current} for good`);
      const back = h("button", { type: "button" }, "Keep");
      const question = h("p", { role: "alert" }, "Name, photos and templates are erased from the file. ", sure, " ", back);
      erase.replaceWith(question);
      sure.focus();
      back.addEventListener("click", () => question.replaceWith(erase));
      sure.addEventListener("click", () => {
        remove<Receipt>(personPath(current)).then((receipt) => {
          content.replaceChildren(h("h3", {}, "Receipt"), receiptText(receipt!));
          announce(`${current} is erased`);
          changed();
        }).catch(fail);
      });
    });
    dialog.querySelector("h2")!.textContent = current;
    content.replaceChildren(h("p", {}, `Enrolled ${person.enrolled_at}`), photos, rename, erase);
  }
  await fill(name).catch(fail);
}

function personCard(person: PersonLine, changed: () => void): HTMLElement {
  const image = h("img", { className: "face", alt: "", width: 80, height: 96, loading: "lazy" });
  const quality = h("span", { className: "figures-line" }, "…");
  get<Person>(personPath(person.name)).then(({ photos }) => {
    // The best of them is what counts.
    const best = photos.find((photo) => photo.remarks.length === 0) ?? photos[0];
    if (!best) return;
    void loadPicture(image, `${personPath(person.name)}/photos/${best.id}`);
    quality.replaceChildren(qualityBadge(best), h("br"), qualityLine(best, 2));
  }).catch(() => {
    image.classList.add("missing");
    quality.textContent = "not there";
  });
  const count = h("span", { className: "badge" }, `${person.photos} photo${person.photos === 1 ? "" : "s"}`);
  const button = h("button", { type: "button", className: "person" }, image, h("span", { className: "name" }, person.name), count, quality);
  button.addEventListener("click", () => void showPerson(person.name, changed));
  return h("li", {}, button);
}

export function peoplePart(main: HTMLElement): void {
  const grid = h("ul", { className: "grid", "aria-label": "Enrolled people" });
  const count = h("p", {});
  const more = h("button", { type: "button", hidden: true }, "More");
  const search = h("input", { type: "search", id: "search" });
  let shown = 0;
  let question = 0;
  async function load(fresh: boolean): Promise<void> {
    const own = ++question;
    if (fresh) shown = 0;
    try {
      const query = new URLSearchParams({ search: search.value, offset: String(shown), limit: String(pageSize) });
      const { people, total } = await get<{ people: PersonLine[]; total: number }>(`/v1/people?${query}`);
      if (own !== question) return;
      if (fresh) grid.replaceChildren();
      for (const person of people) grid.append(personCard(person, () => void load(true)));
      shown += people.length;
      more.hidden = shown >= total;
      count.textContent = total === 0 ? (search.value ? "Nobody has such a name." : "Nobody is enrolled yet.") : `${total} people`;
    } catch (error) {
      count.replaceChildren(problemBox((error as Error).message));
    }
  }
  let wait = 0;
  search.addEventListener("input", () => {
    clearTimeout(wait);
    wait = window.setTimeout(() => void load(true), 200);
  });
  more.addEventListener("click", () => void load(false));
  main.append(h("h1", {}, "People"), enrolPart(() => void load(true)),
    h("div", { className: "controls" }, h("label", { htmlFor: "search" }, "Search ", search)), count, grid, more);
  void load(true);
}
