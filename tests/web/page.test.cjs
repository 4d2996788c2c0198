// SPDX-License-Identifier: Apache-2.0
// The page as a user has it, from the first photo to an erasure.
const assert = require("node:assert/strict");
const crypto = require("node:crypto");
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

// The page turns after the click has ended.
async function go(part) {
  await page.getByRole("link", { name: part, exact: true }).click();
  await page.locator("nav a[aria-current=page]", { hasText: part }).waitFor();
}

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

// What is said below a still.
const noted = (text) => page.locator(".stills .note", { hasText: text }).first().waitFor();

// As a user who drops them on the page.
async function dropFiles(files) {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const [name, bytes] of given) {
      transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name, { type: "image/png" }));
    }
    return transfer;
  }, files.map(([name, bytes]) => [name, bytes.toString("base64")]));
  await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
}

async function savedReport(press) {
  const download = page.waitForEvent("download");
  await press();
  return fs.readFileSync(await (await download).path(), "utf8");
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
  // What the progress says, each time that it changes.
  await page.locator(".enrolling").waitFor({ state: "attached" });
  await page.evaluate(() => {
    window.told = new Set();
    new MutationObserver(() => window.told.add(document.querySelector(".enrolling")?.textContent))
      .observe(document.querySelector(".enrolling"), { subtree: true, childList: true, characterData: true });
  });
  await dropFiles([...people.map((one) => one.photo), broken].map((file) => [path.basename(file), fs.readFileSync(file)]));
  await page.getByRole("progressbar", { name: "Progress of the enrolment" }).waitFor();
  await page.getByText(/of 21 photos are enrolled/).first().waitFor();
  await page.locator(".refusals li", { hasText: "broken.png" }).waitFor();
  await page.getByRole("button", { name: "Click the eyes of broken.png" }).click();
  await page.getByText("The browser cannot show broken.png as a picture.").waitFor();
  const told = await page.evaluate(() => [...window.told]);
  assert.ok(told.some((text) => /: [1-9]\d? of 21 photos/.test(text)), told.join("\n"));
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
  await page.locator(".person", { hasText: /good\s*eyes \d+ px apart, fine detail \d+ %/ }).first().waitFor();
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
  const report = await savedReport(() => page.getByRole("button", { name: "Save as a report" }).click());
  assert.match(report, /Marked as lead: same ear/);
  const hash = crypto.createHash("sha256").update(fs.readFileSync(people[3].still)).digest("hex");
  assert.ok(report.includes(hash));
  assert.ok(!report.includes("<script"));
});

test("opens a report that stands for itself", async () => {
  const answer = await page.request.post(`${server.address}v1/identify`, {
    multipart: { options: JSON.stringify({ probes: [{ eyes: people[5].eyes }] }),
      file: { name: "five.png", mimeType: "image/png", buffer: fs.readFileSync(people[5].still) } } });
  const { report } = await answer.json();
  const file = path.join(folder, "report.html");
  fs.writeFileSync(file, await (await page.request.get(`${server.address}v1/report/${report}`)).body());
  const own = await openPage(browser, `file://${file}`);
  await own.page.getByRole("heading", { name: "Step by step" }).waitFor();
  await accessible(own.page);
  if (pictures) await own.page.screenshot({ path: path.join(pictures, "report.png"), fullPage: true });
  assert.deepEqual(own.faults.filter((fault) => !fault.includes(file)), []);
  await own.page.context().close();
});

test("joins several stills of one person into one answer", async () => {
  await go("Match");
  await page.getByLabel("all stills show one person").check();
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText(/, 2 stills/).waitFor();
  assert.equal(await page.locator(".answer").count(), 1);
  await page.getByLabel("all stills show one person").uncheck();
  for (const one of [people[3], people[4]]) {
    await page.getByRole("button", { name: `Remove ${path.basename(one.still)}` }).click();
  }
});

test("marks all faces of a dropped frame, to choose from", async () => {
  const eyes = await framedFaces();
  await noted("1 of 2 faces chosen");
  const marks = page.getByRole("button", { name: /^Face \d of frame.png/ });
  assert.deepEqual(await marks.evaluateAll((all) => all.map((one) => one.ariaPressed)), ["true", "false"]);
  // Each mark holds the eyes of one of them.
  const frame = await page.locator(".frame img").boundingBox();
  const boxes = await Promise.all([0, 1].map((i) => marks.nth(i).boundingBox()));
  for (const [x, y] of eyes) {
    const at = { x: frame.x + x * frame.width, y: frame.y + y * frame.height };
    assert.ok(boxes.some((box) => at.x > box.x && at.x < box.x + box.width && at.y > box.y && at.y < box.y + box.height));
  }
  await marks.nth(1).click();
  await noted("2 of 2 faces chosen");
  await shot("frame");
  await accessible();
  await page.getByRole("button", { name: "Find" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".answer .candidates").length === 2);
  await page.getByRole("button", { name: "Remove frame.png" }).click();
});

test("marks the one face of a still, and makes the crop anew while an eye is dragged", async () => {
  await page.locator(".drop input").setInputFiles([people[3].still]);
  await page.getByRole("img", { name: `The face of ${path.basename(people[3].still)}` }).waitFor();
  await shot("still");
  await page.getByRole("button", { name: `Click the eyes: ${path.basename(people[3].still)}` }).click();
  const view = page.locator("dialog .view");
  await view.click({ position: { x: 100, y: 100 } });
  await view.click({ position: { x: 200, y: 100 } });
  const crop = () => page.locator("dialog .crop").evaluate((canvas) => canvas.toDataURL());
  const before = await crop();
  const box = await page.getByRole("button", { name: /^Right eye/ }).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 30, { steps: 4 });
  const during = await crop();
  await page.mouse.up();
  assert.notEqual(during, before);
  await shot("eyes");
  await page.keyboard.press("Escape");
});

test("learns a camera from stills, and says for which answers it was used", async () => {
  await go("Cameras");
  await page.getByLabel("Name").fill("door");
  await page.locator(".drop input").setInputFiles(people.map((one) => one.still));
  const card = page.locator(".cards .card", { hasText: "door" });
  await card.getByText("None yet.").waitFor();
  await go("Match");
  await page.locator("#camera option[value=door]").waitFor({ state: "attached" });
  await page.getByLabel("Camera").selectOption("door");
  await page.getByRole("button", { name: "Find" }).click();
  await page.locator(".candidate").first().waitFor();
  await go("Cameras");
  await card.getByText(/\d\d:\d\d:\d\d: 1 still, /).waitFor();
  await page.waitForFunction(() => document.querySelector(".sheet")?.naturalWidth > 0);
  await shot("cameras");
  await accessible();
});

// Two people in one picture, dropped on Match: where their eyes are, as parts of width and height.
async function framedFaces() {
  const [left, right] = [people[3], people[4]];
  const url = await page.evaluate(async (pictures) => {
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 240;
    const context = canvas.getContext("2d");
    context.fillStyle = "#777";
    context.fillRect(0, 0, 480, 240);
    for (const [i, bytes] of pictures.entries()) {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))]));
      context.drawImage(image, 40 + 240 * i, 24);
    }
    return canvas.toDataURL("image/png");
  }, [left, right].map((one) => fs.readFileSync(one.still).toString("base64")));
  await dropFiles([["frame.png", Buffer.from(url.split(",")[1], "base64")]]);
  return [left, right].flatMap((one, i) => [0, 2].map((k) =>
    [(40 + 240 * i + one.eyes[k]) / 480, (24 + one.eyes[k + 1]) / 240]));
}

// Moves both marks of the picker by the arrow keys, to a pixel.
async function moveEyes(eyes) {
  for (const [name, x, y] of [["Left eye", eyes[0], eyes[1]], ["Right eye", eyes[2], eyes[3]]]) {
    const mark = page.getByRole("button", { name: new RegExp(`^${name}`) });
    if (name === "Right eye") await tabTo(/^Right eye/);
    for (let i = 0; i < 400; ++i) {
      const [, atX, atY] = /: (-?[\d.]+), (-?[\d.]+)/.exec(await mark.getAttribute("aria-label")).map(Number);
      const key = Math.abs(atX - x) > 0.8 ? (atX < x ? "ArrowRight" : "ArrowLeft")
        : Math.abs(atY - y) > 0.8 ? (atY < y ? "ArrowDown" : "ArrowUp") : null;
      if (!key) break;
      await page.keyboard.press(key);
    }
  }
}

// Presses the tab key until something of that name has the focus.
async function tabTo(name) {
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(() => {
      const at = document.activeElement;
      return at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
    });
    if (name.test(label.trim())) return;
  }
  assert.fail(`the tab key does not reach ${name}`);
}

test("works with the keyboard alone, from the eyes to the report", async () => {
  await page.goto(server.address);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "To the content");
  await tabTo(/^Drop stills/);
  await page.locator(".drop input").setInputFiles([people[3].still]);  // the system's own dialog
  await noted(/face found|faces chosen|no face|taken as/);
  await tabTo(/^Click the eyes/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Place both in the middle" }).waitFor();
  await page.keyboard.press("Enter");
  const mark = page.getByRole("button", { name: /^Left eye/ });
  await mark.waitFor();
  await accessible();
  await moveEyes(people[3].eyes);
  await tabTo(/^Use these eyes/);
  await page.keyboard.press("Enter");
  await noted("eyes are set");
  await tabTo(/^Find$/);
  await page.keyboard.press("Enter");
  await page.locator(".candidate").first().waitFor();
  await tabTo(new RegExp(`^Compare with ${people[3].name}$`));
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "Difference" }).waitFor();
  await page.keyboard.press("i");
  await tabTo(/^Note$/);
  await page.keyboard.type("seen from the side");
  await tabTo(/^Save as a report$/);
  assert.match(await savedReport(() => page.keyboard.press("Enter")), /Marked as inconclusive: seen from the side/);
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

test("shows who did what, and that the log is whole", async () => {
  await go("Activity");
  await page.getByRole("cell", { name: "remove", exact: true }).waitFor();
  await page.getByLabel("What").fill("report");
  await page.getByRole("button", { name: "Show" }).click();
  await page.getByRole("cell", { name: "remove", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "report", exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Check the log" }).click();
  await page.locator("main").getByText(/All \d+ lines are whole/).waitFor();
  await shot("activity");
  await accessible();
});

test("says what an answer is worth, and what the limits are", async () => {
  await go("About");
  await page.getByText("Your role").waitFor();
  // As docs/expect.md has it: of so many people, the next row of the table.
  const documented = fs.readFileSync(path.join(__dirname, "../../docs/expect.md"), "utf8");
  const measured = (people) => documented.split("\n").find((row) => row.startsWith(`| ${people} |`)).split("|").slice(2, 5).map(Number);
  const said = (text) => page.getByRole("region", { name: "How often it is wrong" }).locator("li", { hasText: text }).waitFor();
  await page.getByLabel("Size of the face").selectOption("12x10");
  await said("With fewer people");
  await said(`with 30 people enrolled: of 100 stills, the right person came first for about ${Math.round(measured(30)[1])}.`);
  await page.getByLabel("Size of the face").selectOption("7x6");
  await page.getByLabel("People enrolled").fill("5000");
  await said(`with 1231 people enrolled: of 100 stills, the right person came first for about ${Math.round(measured(1231)[0])}.`);
  await said("With more than 1231 people nobody has measured it");
  await said(/known for (about \d+|fewer than 1) of 100 strangers/);
  await shot("about");
  await accessible();
});

for (const [device, viewport] of [["phone", { width: 390, height: 780 }], ["desk", { width: 1280, height: 800 }]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`fits a ${device}, in the ${colorScheme}`, async () => {
      const own = await openPage(browser, server.address, { viewport, colorScheme });
      for (const part of ["Match", "Compare", "People", "Cameras", "Activity", "About"]) {
        await own.page.getByRole("link", { name: part, exact: true }).click();
        await own.page.getByRole("heading", { level: 1, name: part }).waitFor();
        const wide = await own.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${part} is ${wide} pixels too wide`);
        await accessible(own.page);
        if (pictures) await own.page.screenshot({ path: path.join(pictures, `${device}-${colorScheme}-${part}.png`) });
      }
      assert.deepEqual(own.faults, []);
      await own.page.context().close();
    });
  }
}

test("asked no other host and complained about nothing", () => {
  assert.deepEqual(faults, []);
});
