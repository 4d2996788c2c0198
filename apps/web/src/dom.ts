// SPDX-License-Identifier: Apache-2.0
// Elements without a framework. Text is always text: nothing here takes HTML.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

// h("button", {onclick: go, "aria-label": "Go"}, "Go"): properties that exist are set, others
// become attributes.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name in element) {
      (element as unknown as Properties)[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

// Tells people who cannot see the page what happened.
export function announce(text: string): void {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

export function problemBox(text: string): HTMLElement {
  return h("p", { className: "problem", role: "alert" }, text);
}

// A place to drop files on, which is also a button for them.
export function dropZone(
  label: string,
  onFiles: (files: File[]) => void,
  options: { folder?: boolean } = {},
): HTMLElement {
  const input = h("input", { type: "file", multiple: true, accept: "image/*" });
  if (options.folder) input.setAttribute("webkitdirectory", "");
  input.addEventListener("change", () => {
    onFiles([...(input.files ?? [])]);
    input.value = "";
  });
  const zone = h("label", { className: "drop" }, label, input);
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
  }
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    onFiles([...((event as DragEvent).dataTransfer?.files ?? [])]);
  });
  return zone;
}

// A dialog that is gone when it is closed. Returns when that happened.
export function showDialog(title: string, ...content: Node[]): { dialog: HTMLDialogElement; closed: Promise<void> } {
  const close = h("button", { type: "button", className: "close", "aria-label": "Close" }, "×");
  const dialog = h("dialog", { "aria-label": title }, h("h2", {}, title), close, ...content);
  close.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  const closed = new Promise<void>((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
  });
  dialog.showModal();
  return { dialog, closed };
}
