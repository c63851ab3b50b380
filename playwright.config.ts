import { defineConfig } from "@playwright/test";
import { existsSync } from "node:fs";

const withWindows = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The distribution's browser where there is one; Playwright's own otherwise. */
export const browserPath = firstOf(
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium-headless-shell",
  ...withWindows,
);

/** The same with a password manager. */
export const fullBrowserPath = firstOf(process.env["FULL_CHROMIUM_PATH"], ...withWindows);

function firstOf(...paths: readonly (string | undefined)[]): string | undefined {
  return paths.find((path) => path !== undefined && existsSync(path));
}

/** Hardly does anything: it waits for alerts. */
const waiting = "**/outages.spec.ts";
/** Their tests come one after the other, or wait for the service. */
const longest = "**/{postgres,truth}.spec.ts";
/** Tests of the server's answers, without pages. */
const withoutPages =
  "**/{access-table,session-cookie,observed,forged-requests,headers,capture-sockets}.spec.ts";

export default defineConfig({
  testDir: "e2e",
  // *.test.ts is vitest's.
  testMatch: "**/*.spec.ts",
  projects: [
    // These go first, so that nobody waits for them alone at the end.
    { name: "waiting", testMatch: waiting },
    { name: "longest", testMatch: longest },
    { name: "http", testMatch: withoutPages },
    // On two cores, three were faster than four.
    { name: "browser", testIgnore: [waiting, longest, withoutPages], workers: 3 },
  ],
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  // A test that fails now and then has a fault to be found.
  retries: 0,
  // Tests wait for the service, for time limits, for the page.
  workers: 4,
  // Long, because a slow machine is no fault of the product; what must be quick is asked of the figures instead.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  reporter: [["list"]],
  use: {
    actionTimeout: 40_000,
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
