// SPDX-License-Identifier: Apache-2.0
// The page as a user has it, from the first photo to an erasure.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { makePeople, openPage, scratch, startBrowser, startServer } = require("./server.cjs");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.LONGSHOT_SCREENSHOTS;
const count = 20;

let folder, people, server, browser, page, faults;

before(async () => {
  folder = scratch();
  people = makePeople(folder, count);
  server = await startServer(folder);
  browser = await startBrowser();
  ({ page, faults } = await openPage(browser, server.address));
});
after(async () => {
  await browser?.close();
  await server?.stop();
  fs.rmSync(folder, { recursive: true });
});

const go = (part) => page.getByRole("link", { name: part, exact: true }).click();

async function shot(name) {
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

// No serious violation of what axe-core knows.
async function accessible(of = page) {
  await of.evaluate(axe);
  const violations = await of.evaluate(async () => {
    const result = await window.axe.run(document, { resultTypes: ["violations"] });
    return result.violations.filter((one) => ["serious", "critical"].includes(one.impact))
      .map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`);
  });
  assert.deepEqual(violations, []);
}

// Clicks the eyes in the picker that is open: with the mouse, as a user does.
async function clickEyes(eyes, size = { width: 160, height: 192 }) {
  const view = page.locator("dialog .view");
  await view.waitFor();
  const box = await view.boundingBox();
  for (const i of [0, 2]) {
    await view.click({ position: { x: (eyes[i] / size.width) * box.width, y: (eyes[i + 1] / size.height) * box.height } });
  }
  await page.getByRole("button", { name: "Use these eyes" }).click();
}

test("is empty at first, and says so", async () => {
  await page.getByText("No still yet").waitFor();
  assert.ok(await page.getByRole("button", { name: "Find" }).isDisabled());
  await accessible();
  await go("People");
  await page.getByText("Nobody is enrolled yet").waitFor();
  await go("Compare");
  await page.getByText("Nothing is chosen").waitFor();
  await go("Cameras");
  await page.getByText("No camera is saved yet").waitFor();
});

test("enrols people by dropping files, with a list of refusals that can be mended", async () => {
  await go("People");
  const broken = path.join(folder, "broken.png");
  fs.writeFileSync(broken, "this is no picture");
  const files = [...people.map((one) => one.photo), broken].map((file) => ({
    name: path.basename(file), bytes: fs.readFileSync(file).toString("base64"),
  }));
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of given) {
      transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name, { type: "image/png" }));
    }
    return transfer;
  }, files);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
  await page.getByText(/of 21 photos are enrolled/).first().waitFor();
  await page.locator(".refusals li", { hasText: "broken.png" }).waitFor();
  // Those in whose photo no face was found: click the eyes.
  for (const one of people) {
    const row = page.locator(".refusals li", { hasText: `${one.name}.png` });
    if ((await row.count()) === 0) continue;
    await row.getByRole("button", { name: "Click the eyes" }).click();
    await clickEyes(one.photoEyes);
    await row.waitFor({ state: "detached" });
  }
  await page.getByText(`${count} people`).waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".grid img")].every((image) => image.complete));
  await shot("people");
  await accessible();
});

test("finds people by their name", async () => {
  await page.getByLabel("Search").fill("p07");
  await page.getByText("1 people").waitFor();
  await page.getByLabel("Search").fill("xyz");
  await page.getByText("Nobody has such a name").waitFor();
});

test("matches a still whose eyes are clicked, and compares", async () => {
  await go("Match");
  await page.locator(".drop input").setInputFiles([people[3].still, people[4].still]);
  for (const one of [people[3], people[4]]) {
    await page.getByRole("button", { name: `Click the eyes: ${path.basename(one.still)}` }).click();
    await clickEyes(one.eyes);
  }
  await page.getByRole("button", { name: "Find" }).click();
  const first = page.locator(".answer", { hasText: path.basename(people[3].still) });
  await first.locator(".candidate").first().waitFor();
  assert.equal(await first.locator(".candidate .name").first().textContent(), people[3].name);
  await shot("match");
  await accessible();
  await first.getByRole("button", { name: `Compare with ${people[3].name}` }).click();
  await page.getByRole("img", { name: "Difference" }).waitFor();
  await shot("compare");
  await accessible();
  await page.getByRole("button", { name: "Slider" }).click();
  await page.getByLabel(/Photo on the left/).fill("20");
  await page.getByRole("button", { name: "Blink" }).click();
  await page.getByRole("button", { name: /Swap/ }).waitFor();
  await page.keyboard.press("l");
  assert.equal(await page.getByRole("button", { name: "Lead (L)" }).getAttribute("aria-pressed"), "true");
  await page.getByLabel("Note").fill("same ear");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a page" }).click();
  const saved = fs.readFileSync(await (await download).path(), "utf8");
  assert.match(saved, /same ear/);
  assert.match(saved, /SHA-256 [0-9a-f]{64}/);
});

test("works with the keyboard alone", async () => {
  await go("Match");
  const eyes = page.getByRole("button", { name: `Eyes are set: ${path.basename(people[3].still)}` });
  await eyes.focus();
  await page.keyboard.press("Enter");
  const mark = page.getByRole("button", { name: /^Left eye/ });
  await mark.waitFor();
  const label = await mark.getAttribute("aria-label");
  await mark.focus();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await mark.getAttribute("aria-label"), label);
  await accessible();
  await page.keyboard.press("Escape");
  await mark.waitFor({ state: "detached" });
  // The first stop of the tab key leads past the navigation.
  await page.locator("body").press("Home");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement !== document.body));
});

test("renames, and erases with a receipt", async () => {
  await go("People");
  await page.getByLabel("Search").fill("p07");
  await page.getByText("1 people").waitFor();
  await page.locator(".person").first().click();
  await page.getByLabel("Name").fill("<b>Zoë</b>");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "<b>Zoë</b>" }).waitFor();
  await accessible();
  await page.getByRole("button", { name: "Erase this person" }).click();
  await page.getByRole("button", { name: "Erase <b>Zoë</b> for good" }).click();
  await page.getByRole("heading", { name: "Receipt" }).waitFor();
  await page.getByText("holds nothing of it").waitFor();
  await shot("receipt");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByLabel("Search").fill("");
  await page.getByText(`${count - 1} people`).waitFor();
});

test("says what an answer is worth, and what the limits are", async () => {
  await go("About");
  await page.getByText("Your role").waitFor();
  await accessible();
});

test("fits a phone, in the dark", async () => {
  const phone = await openPage(browser, server.address,
    { viewport: { width: 390, height: 780 }, colorScheme: "dark" });
  for (const part of ["Match", "People", "Cameras", "About"]) {
    await phone.page.getByRole("link", { name: part, exact: true }).click();
    await phone.page.getByRole("heading", { level: 1, name: part }).waitFor();
    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wide <= 0, `${part} is ${wide} pixels too wide`);
    await accessible(phone.page);
    if (pictures) await phone.page.screenshot({ path: path.join(pictures, `phone-${part}.png`) });
  }
  assert.deepEqual(phone.faults, []);
  await phone.page.context().close();
});

test("asks for a token where one is needed, and again for a wrong one", async () => {
  const own = scratch();
  const guarded = await startServer(own, ["--token-file", path.join(own, "tokens")]);
  try {
    const guest = await openPage(browser, `${guarded.address}#people`);
    const tokens = fs.readFileSync(path.join(own, "tokens"), "utf8");
    await guest.page.getByLabel("Token of this server").fill("wrong token");
    await guest.page.getByRole("button", { name: "Go on" }).click();
    await guest.page.getByText("This token is not known").waitFor();
    await guest.page.getByLabel("Token of this server").fill(/reader (\S+)/.exec(tokens)[1]);
    await guest.page.getByRole("button", { name: "Go on" }).click();
    await guest.page.getByText("Nobody is enrolled yet").waitFor();
    assert.deepEqual(guest.faults, []);
    await guest.page.context().close();
  } finally {
    await guarded.stop();
    fs.rmSync(own, { recursive: true });
  }
});

test("asked no other host and complained about nothing", () => {
  assert.deepEqual(faults, []);
});
