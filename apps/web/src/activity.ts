// SPDX-License-Identifier: Apache-2.0
// Activity: the audit log, the newest first.

import { AuditEntry, AuditVerdict, get } from "./api";
import { announce, h, problemBox } from "./dom";

const pageSize = 50;

function row(entry: AuditEntry): HTMLElement {
  const details = Object.entries(entry.details).map(([name, value]) => `${name} ${value}`);
  if (entry.inputs.length) details.push(`${entry.inputs.length} image${entry.inputs.length === 1 ? "" : "s"}`);
  return h("tr", {}, h("td", {}, String(entry.number)), h("td", {}, entry.time.replace("T", " ").replace("Z", "")),
    h("td", {}, entry.actor), h("td", {}, entry.act), h("td", {}, entry.people.join(", ")), h("td", {}, details.join(", ")));
}

export function activityPart(main: HTMLElement): void {
  const body = h("tbody", {});
  const heads = ["Line", "When, UTC", "Who", "What", "People", "Details"].map((text) => h("th", { scope: "col" }, text));
  const table = h("div", { className: "scroll", tabindex: "0", role: "region", "aria-label": "Lines of the log" },
    h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body));
  const state = h("div", {});
  const more = h("button", { type: "button", hidden: true }, "More");
  const act = h("input", { id: "act" });
  act.setAttribute("list", "acts");  // the property can only be read
  const person = h("input", { id: "about" });
  const acts = ["identify", "verify", "compare", "enroll", "rename", "remove", "report", "login failure"];
  let last = 0;
  async function load(fresh: boolean): Promise<void> {
    const query = new URLSearchParams({ limit: String(pageSize), act: act.value, person: person.value });
    if (!fresh) query.set("before", String(last));
    try {
      const page = await get<{ entries: AuditEntry[]; more: boolean }>(`/v1/audit?${query}`);
      if (fresh) body.replaceChildren();
      body.append(...page.entries.map(row));
      last = page.entries.at(-1)?.number ?? 0;
      more.hidden = !page.more;
      state.replaceChildren(...(body.childElementCount ? [] : [h("p", { className: "empty" }, "No such line.")]));
    } catch (error) {
      state.replaceChildren(problemBox((error as Error).message));
    }
  }
  const form = h("form", { className: "controls" },
    h("label", { htmlFor: "act" }, "What ", act), h("datalist", { id: "acts" }, ...acts.map((value) => h("option", { value }))),
    h("label", { htmlFor: "about" }, "Person ", person), h("button", {}, "Show"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void load(true);
  });
  const check = h("button", { type: "button" }, "Check the log");
  check.addEventListener("click", () => {
    get<AuditVerdict>("/v1/audit/verdict").then((verdict) => {
      const text = verdict.whole ? `All ${verdict.lines} lines are whole.` : verdict.finding;
      state.replaceChildren(verdict.whole ? h("p", {}, text) : problemBox(text));
      announce(text);
    }).catch((error: Error) => state.replaceChildren(problemBox(error.message)));
  });
  more.addEventListener("click", () => void load(false));
  main.append(h("h1", {}, "Activity"), h("p", {}, "Every question, change, export and failed login is a line. The lines are chained, so that a changed or missing one is found."),
    form, check, state, table, more);
  void load(true);
}
