// SPDX-License-Identifier: Apache-2.0
// The page of a server that asks for tokens.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { openPage, scratch, startBrowser, startServer } = require("./server.cjs");

test("asks for a token where one is needed, and again for a wrong one", async () => {
  const own = scratch();
  const browser = await startBrowser();
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
    await browser.close();
    await guarded.stop();
    fs.rmSync(own, { recursive: true });
  }
});
