// SPDX-License-Identifier: Apache-2.0
// The error rates that were measured on real faces, as docs/expect.md has them, in plain words.

import text from "../../../docs/expect.md";

// The cells of the first table below a heading, its head first.
function table(heading: string): string[][] {
  const lines = text.slice(text.indexOf(`\n## ${heading}\n`)).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const rows = lines.slice(first).slice(0, lines.slice(first).findIndex((line) => !line.startsWith("|")));
  return rows.filter((row) => !/^\|[-|]+$/.test(row))
    .map((row) => row.split("|").slice(1, -1).map((cell) => cell.replaceAll("*", "").trim()));
}

const rates = table("By number of people");
const decisions = table("Called by name, or unknown");
const laboratory = table("By where the photos come from");

// Of faces, as rows x columns of pixels.
export const measuredSizes = rates[0]!.slice(1);

const area = (size: string) => size.split("x").map(Number).reduce((a, b) => a * b);

// The largest measured size that a face fills; null for one that is too small.
export function measuredSize(size: string): string | null {
  return measuredSizes.filter((one) => area(one) <= area(size)).at(-1) ?? null;
}

const of100 = (percent: string) => (Number(percent) < 0.5 ? "fewer than 1" : `about ${Math.round(Number(percent))}`);

function rankedFirst(size: string, people: number): string[] {
  const column = 1 + measuredSizes.indexOf(size);
  const rows = rates.slice(1);
  const row = rows.find((one) => Number(one[0]) >= people) ?? rows.at(-1)!;
  const right = Number(row[column]);
  const sentence = `Photographs of other days, as from the press, with ${row[0]} people enrolled: of 100 stills, the right person came first for ${of100(row[column]!)}. For the other ${100 - Math.round(right)} it was somebody else.`;
  if (people > Number(row[0])) return [sentence, `With more than ${row[0]} people nobody has measured it: expect fewer.`];
  return people < Number(row[0]) ? [sentence, "With fewer people somewhat more are right."] : [sentence];
}

function calledByName(size: string): string[] {
  const at = decisions[0]!.indexOf(`${size} known`);
  const life = decisions.find((row) => row[0] === "life");
  if (at < 0 || !life) return [];
  return [`The same photographs: the answer was known, and right, for ${of100(life[at]!)} of 100 people who are enrolled, and known for ${of100(life[at + 1]!)} of 100 strangers. So unknown is the usual answer, and the candidates below it are what there is to look at.`];
}

function inTheLaboratory(size: string): string[] {
  const at = laboratory[0]!.indexOf(size);
  const row = laboratory.find((one) => one[0] === "laboratory, nobody to learn from");
  if (at < 0 || !row) return [];
  return [`Photo and still of the same day and camera, only in other light, ${row[1]} people: ${of100(row[at]!)} of 100 were right. Expect that only if yours are such.`];
}

// What was measured at that size with about as many people, one sentence each.
export function expectations(size: string, people: number): string[] {
  return [...rankedFirst(size, people), ...calledByName(size), ...inTheLaboratory(size)];
}
