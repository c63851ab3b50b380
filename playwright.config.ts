import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";

/** The distribution's browser where there is one; Playwright's own otherwise. */
export const browserPath = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path));

/** Their tests come one after the other, or wait for the service. */
const longest = "**/{postgres,truth}.spec.ts";
/** Tests of the server's answers, without pages. */
const withoutPages = "**/{access-table,session-cookie,observed,forged-requests,headers}.spec.ts";

export default defineConfig({
  testDir: "e2e",
  // *.test.ts is vitest's.
  testMatch: "**/*.spec.ts",
  projects: [
    // Goes first, so that nobody waits for it alone at the end.
    { name: "longest", testMatch: longest },
    { name: "http", testMatch: withoutPages },
    { name: "browser", testIgnore: [longest, withoutPages] },
  ],
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  // A test that fails now and then has a fault to be found.
  retries: 0,
  // Tests wait for the service, for time limits, for the page. On two cores, three workers were faster than four.
  workers: 3,
  // Long, because a slow machine is no fault of the product; what must be quick is asked of the figures instead.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"]],
  use: {
    actionTimeout: 20_000,
    baseURL: process.env["E2E_URL"] ?? "",
    locale: "en-GB",
    timezoneId: "America/Sao_Paulo",
    // Recording costs a third of the time; `--trace retain-on-failure` asks for it.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(browserPath && { executablePath: browserPath }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
