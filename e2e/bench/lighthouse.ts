import { freePort } from "@/e2e/installation/free-port";
import type { Installation } from "@/e2e/soak/installation";
import { browserPath } from "@/playwright.config";
import { chromium } from "@playwright/test";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { partnerWithWebhook } from "./server";

/** Not among the packages of the project, which it would double: npm fetches it when it is wanted. */
const lighthouse = "lighthouse@12.8.2";

const categories = ["performance", "accessibility", "best-practices"] as const;

const audit = z.object({
  score: z.number().nullable(),
  title: z.string(),
  displayValue: z.optional(z.string()),
  details: z.optional(z.object({ items: z.optional(z.unknown()) })),
});
const report = z.object({
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(z.string(), audit),
});

/** What Lighthouse says of four screens, as it asks by default: a telephone on a slow network. Prints what costs points. */
export async function measureLighthouse(installation: Installation): Promise<void> {
  const { url } = await installation.start();
  const { partner, person } = await partnerWithWebhook(installation);
  const place = `/partners/${partner.id}/${partner.environment}`;
  const screens = [
    { name: "sign-in", path: "/sign-in", signedIn: false },
    { name: "Webhooks", path: `${place}/webhooks`, signedIn: true },
    { name: "Partners", path: "/partners", signedIn: true },
    { name: "History", path: `${place}/history`, signedIn: true },
  ];
  for (const screen of screens) {
    const { categories: scored, audits } = await look(
      url + screen.path,
      screen.signedIn ? person.cookie : null,
    );
    const points = categories.map((name) => `${name} ${hundredths(scored[name]?.score)}`);
    console.log(`${screen.name}: ${points.join(", ")}`);
    for (const name of categories)
      for (const { id, weight } of scored[name]?.auditRefs ?? []) {
        const found = audits[id];
        if (!found || weight === 0 || found.score === null || found.score >= 0.9) continue;
        const value = found.displayValue ? `, ${found.displayValue}` : "";
        console.log(`  ${name}: ${found.title} (${hundredths(found.score)}${value})`);
        if (name !== "performance") console.log(`    ${JSON.stringify(found.details?.items)}`);
      }
  }
}

const hundredths = (score: number | null | undefined) => Math.round((score ?? NaN) * 100);

/** In a browser of its own, which has the session in its store: a header of that name would not be sent with all requests. */
async function look(url: string, cookie: string | null): Promise<z.infer<typeof report>> {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-lighthouse-"));
  const port = await freePort();
  const browser = await chromium.launchPersistentContext(path.join(folder, "browser"), {
    ...(browserPath && { executablePath: browserPath }),
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`],
  });
  try {
    const [name = "", value = ""] = cookie?.split("=") ?? [];
    // By its origin: with the whole address it would be for what lies under the page alone, and not for the routes.
    if (cookie) await browser.addCookies([{ name, value, url: new URL(url).origin }]);
    const file = path.join(folder, "report.json");
    const only = `--only-categories=${categories.join(",")}`;
    const options = [`--port=${port}`, only, "--output=json", `--output-path=${file}`, "--quiet"];
    // Emptied, the browser would have no session any more.
    const asked = [url, ...options, "--disable-storage-reset"];
    await promisify(execFile)("npx", ["--yes", lighthouse, ...asked]);
    return report.parse(JSON.parse(readFileSync(file, "utf8")));
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
