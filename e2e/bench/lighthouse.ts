import { freePort } from "@/e2e/installation/free-port";
import { browserPath } from "@/playwright.config";
import { chromium } from "@playwright/test";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { median } from "./figures";
import type { Bench } from "./main";
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

/** What Lighthouse says of a page, from each round. */
type Looked = { name: string; reports: z.infer<typeof report>[] };

/**
 * What Lighthouse says of four screens and of an empty page beside them, as it asks by default: a telephone on a slow
 * network. Prints medians, and what costs points.
 */
export async function measureLighthouse({ installation, floor, gancho, rounds }: Bench) {
  const { partner, person } = await partnerWithWebhook(installation);
  const place = `${gancho}/partners/${partner.id}/${partner.environment}`;
  const pages = [
    { name: "an empty page", url: floor, cookie: null },
    { name: "sign-in", url: `${gancho}/sign-in`, cookie: null },
    { name: "Webhooks", url: `${place}/webhooks`, cookie: person.cookie },
    { name: "Partners", url: `${gancho}/partners`, cookie: person.cookie },
    { name: "History", url: `${place}/history`, cookie: person.cookie },
  ];
  const looked: Looked[] = pages.map(({ name }) => ({ name, reports: [] }));
  for (let round = 0; round < rounds; round += 1)
    for (const [at, { url, cookie }] of pages.entries())
      looked[at]?.reports.push(await look(url, cookie));
  looked.forEach(print);
}

function print({ name, reports }: Looked): void {
  const points = categories.map((category) => {
    const scores = reports.map((each) => hundredths(each.categories[category]?.score));
    return `${category} ${median(scores)} (${Math.min(...scores)} to ${Math.max(...scores)})`;
  });
  console.log(`${name}: ${points.join(", ")}`);
  for (const category of categories) {
    const audits = reports[0]?.categories[category]?.auditRefs ?? [];
    for (const { id, weight } of audits) {
      const found = reports.flatMap((each) => each.audits[id] ?? []);
      const score = median(found.map((each) => hundredths(each.score ?? 1)));
      if (weight === 0 || score >= 90) continue;
      const values = found.flatMap((each) => each.displayValue ?? []);
      console.log(`  ${category}: ${found[0]?.title} (${score}; ${values.join(", ")})`);
      if (category !== "performance")
        console.log(`    ${JSON.stringify(found[0]?.details?.items)}`);
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
