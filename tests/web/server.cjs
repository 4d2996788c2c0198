// SPDX-License-Identifier: Apache-2.0
// The real server over a gallery of its own, synthetic people, and a browser.
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const program = process.env.LONGSHOT_PROGRAM;

// Photos and stills of people who do not exist, with their eyes: [{name, photo, still, eyes}].
function makePeople(folder, count) {
  const made = path.join(folder, "made");
  execFileSync(program, ["--quiet", "synth", "--people", String(count), "--photos", "2", "--size", "192x160", "--out", made]);
  const rows = fs.readFileSync(path.join(made, "manifest.csv"), "utf8").trim().split("\n").slice(1).map((row) => row.split(","));
  return Array.from({ length: count }, (_, i) => {
    const [photo, still] = [rows[2 * i], rows[2 * i + 1]];
    const name = `p${String(i).padStart(2, "0")}`;
    const copy = (row, as) => {
      const file = path.join(folder, as);
      fs.copyFileSync(path.join(made, row[0]), file);
      return file;
    };
    return { name, photo: copy(photo, `${name}.png`), photoEyes: photo.slice(5, 9).map(Number),
      still: copy(still, `still-${name}.png`), eyes: still.slice(5, 9).map(Number) };
  });
}

async function startServer(folder, options = []) {
  const process = spawn(program, ["serve", "--gallery", path.join(folder, "people.gallery"), "--port", "0", "--rate", "0", ...options],
    { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    process.stdout.on("data", (data) => {
      text += data;
      const found = /Open (http:\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    process.on("exit", () => reject(new Error("the server ended")));
  });
  return { address, stop: () => new Promise((resolve) => { process.on("exit", resolve); process.kill("SIGTERM"); }) };
}

function startBrowser() {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// A page that fails the test for what it must not do: ask another host, or complain.
async function openPage(browser, address, options = {}) {
  const own = new URL("/", address).href;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !url.startsWith("blob:") && !url.startsWith("data:")) faults.push(`asked ${url}`);
  });
  page.on("console", (message) => {
    // The browser itself names every refused request; the page shows those to the user.
    const refused = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !refused) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(address);
  return { page, faults };
}

const scratch = () => fs.mkdtempSync(path.join(os.tmpdir(), "longshot-web-"));

module.exports = { makePeople, openPage, scratch, startBrowser, startServer };
