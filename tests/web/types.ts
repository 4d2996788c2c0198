// SPDX-License-Identifier: Apache-2.0
// What the page takes for granted is what openapi.json says: this compiles, or it does not.
import type { components } from "openapi";
import type * as page from "../../apps/web/src/api";

type Said = components["schemas"];

interface Replies {
  answers: page.Answers;
  camera: page.Camera;
  uses: page.CameraUses;
  comparison: page.Comparison;
  enrolled: page.Enrolled;
  face: page.Face;
  job: page.Job;
  person: page.Person;
  receipt: page.Receipt;
  system: page.System;
}

export const replies = (said: {
  answers: Said["Answers"];
  camera: Said["Camera"];
  uses: Said["CameraUses"];
  comparison: Said["Comparison"];
  enrolled: Said["Enrolled"];
  face: Said["Face"];
  job: Omit<Said["Job"], "result">;
  person: Said["Person"];
  receipt: Said["Receipt"];
  system: Said["System"];
}): Replies => said;

export const requests = (about: page.About): Said["About"] => about;
