// SPDX-License-Identifier: Apache-2.0
// The server's interface, as /v1/openapi.json has it.

import { h, showDialog } from "./dom";

export interface Candidate { person: string; score: number; residual: number }
export interface Rejection { path: string; reason: string }
export interface Probe {
  path: string;
  size: string | null;
  decision: "known" | "unknown" | null;
  candidates: Candidate[];
  error: string | null;
  frames_used: number;
  rejections: Rejection[];
  threshold?: number;
}
export interface Answers { probes: Probe[]; people: number; fpir: number; report: string | null }
export interface Face { box: number[]; eyes: number[]; eye_error: number; likeness: number; quality: number }
export interface FacesOf { path: string; faces: Face[]; error: string | null }
export interface PersonLine { name: string; photos: number; enrolled_at: string }
export interface Remark { problem: string; reason: string }
export interface Photo { id: number; added_at: string; source: string; size: string; quality: Record<string, number>; remarks: Remark[] }
export interface Person { name: string; enrolled_at: string; photos: Photo[] }
export interface Receipt { person: string; photos: number[]; erased_at: string; gallery: string; indexes: string[]; log_holds_bytes: boolean }
export interface Enrolled { people: number; photos: number; rejections: Rejection[]; warnings: Rejection[] }
export interface Measured { value: number; deviation: number }
export interface Camera { id: string; size: string; crops: number; learnt: boolean; figures: Record<string, Measured | number | string | boolean> }
export interface CameraUse { line: number; time: string; act: string; images: number; people: string[] }
export interface CameraUses { logged: boolean; answers: CameraUse[]; more: boolean }
export interface Comparison { person: string; size: string; photo: string; relit: string; through: string; probe: string; difference: string; azimuth: number; elevation: number }
export interface Job { id: string; kind: string; state: string; task: string; done: number; total: number; result?: Enrolled; problem?: { detail: string } }
export interface System { version: string; role: string; gallery: string; people: number; photos: number; indexes: string[]; threads: number; limits: Record<string, number> }

export interface AuditEntry { number: number; time: string; actor: string; act: string; people: string[]; inputs: string[]; details: Record<string, string> }
export interface AuditVerdict { whole: boolean; lines: number; finding: string }

export interface About { file?: number; eyes?: number[]; person?: string; name?: string }

// A request that the server refused; the message is its sentence.
export class Refused extends Error {
  constructor(readonly status: number, readonly code: string, detail: string) {
    super(detail);
  }
}

const tokenKey = "longshot-token";

async function askForToken(wrong: boolean): Promise<void> {
  const input = h("input", { type: "password", id: "token", autocomplete: "off", required: true });
  const form = h("form", { method: "dialog" },
    wrong && h("p", { className: "problem", role: "alert" }, "This token is not known."),
    h("label", { htmlFor: "token" }, "Token of this server"), input,
    h("button", { className: "primary" }, "Go on"));
  const { closed } = showDialog("A token is needed", form);
  input.focus();
  await closed;
  if (input.value) sessionStorage.setItem(tokenKey, input.value);
}

let asking: Promise<void> | null = null;

async function send(path: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const headers = new Headers(init.headers);
    const token = sessionStorage.getItem(tokenKey);
    if (token) headers.set("Authorization", `Bearer ${token}`);
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new Refused(0, "unreachable", "The server does not answer.");
    }
    if (response.status === 401) {
      asking ??= askForToken(token !== null).finally(() => (asking = null));
      const before = token;
      await asking;
      if (sessionStorage.getItem(tokenKey) === before) break;
      continue;
    }
    if (response.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      continue;
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    throw new Refused(response.status, problem.code ?? "unknown", problem.detail ?? response.statusText);
  }
  throw new Refused(401, "token_needed", "A token is needed.");
}

export async function get<T>(path: string): Promise<T> {
  return (await send(path, {})).json();
}

export async function remove<T>(path: string): Promise<T | null> {
  const response = await send(path, { method: "DELETE" });
  return response.status === 204 ? null : response.json();
}

export async function put(path: string, body: unknown): Promise<void> {
  await send(path, { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

export async function patch<T>(path: string, body: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return (await send(path, { method: "PATCH", headers, body: JSON.stringify(body) })).json();
}

// Files and what is said about them. `later`: as a job.
export async function upload<T>(path: string, files: File[], options: unknown, later = false): Promise<T> {
  const form = new FormData();
  form.append("options", JSON.stringify(options));
  for (const file of files) form.append("file", file, file.webkitRelativePath || file.name);
  const headers: Record<string, string> = later ? { Prefer: "respond-async" } : {};
  return (await send(path, { method: "POST", headers, body: form })).json();
}

// Saves a file of the server on the user's disk.
export async function save(path: string, name: string): Promise<void> {
  const link = h("a", { href: URL.createObjectURL(await (await send(path, {})).blob()), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

// Shows a picture that needs the token.
export async function loadPicture(image: HTMLImageElement, path: string): Promise<void> {
  try {
    const url = URL.createObjectURL(await (await send(path, {})).blob());
    image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
    image.src = url;
  } catch {
    image.classList.add("missing");
  }
}

// Follows a job to its end.
export async function follow(job: Job, onProgress: (job: Job) => void): Promise<Job> {
  const response = await send(`/v1/jobs/${job.id}/events`, {});
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let last = job;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return last;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = text.slice(0, end).split("\n").find((line) => line.startsWith("data: "));
      text = text.slice(end + 2).replace(/^\n+/, "");
      if (!data) continue;
      last = JSON.parse(data.slice(6)) as Job;
      onProgress(last);
    }
  }
}

export function personPath(name: string): string {
  return `/v1/people/${encodeURIComponent(name)}`;
}
