import { chromium, type Browser } from "@playwright/test";
import { browserPath } from "@/playwright.config";
import type { Figure } from "./figures";
import type { Bench } from "./main";

/** A telephone on a slow network, as measurements of pages usually have it. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};
const slowerCpu = 4;

type Loaded = { paintMs: number; scriptsKb: number; fontsKb: number };

/** The Webhooks screen and an empty page, each loaded for the first time, in turn. */
export async function measureBrowser({ installation, ...bench }: Bench): Promise<Figure[]> {
  const [lane] = installation.lanes;
  const [person] = installation.people;
  if (!lane) throw new Error("the installation has no environment");
  const partner = await installation.partner(lane);
  const browser = await chromium.launch({
    ...(browserPath && { executablePath: browserPath }),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const [name = "", value = ""] = person.cookie.split("=");
  const cookie = { name, value, url: bench.gancho };
  const screen = `${bench.gancho}/partners/${partner.id}/${partner.environment}/webhooks`;
  const floor: Loaded[] = [];
  const gancho: Loaded[] = [];
  // The first answer of a server that has just started is no measure of any other.
  for (let round = -1; round < bench.rounds; round += 1) {
    const loaded = {
      floor: await load(browser, bench.floor),
      gancho: await load(browser, screen, cookie),
    };
    if (round < 0) continue;
    floor.push(loaded.floor);
    gancho.push(loaded.gancho);
  }
  await browser.close();
  const of = (field: keyof Loaded) => ({
    floor: floor.map((each) => each[field]),
    gancho: gancho.map((each) => each[field]),
  });
  return [
    { name: "largest paint", unit: "ms", aim: "≤ 1.3", ...of("paintMs") },
    {
      name: "JavaScript over the wire",
      unit: "KB",
      aim: "≤ 180 KB",
      alone: true,
      ...of("scriptsKb"),
    },
    { name: "fonts over the wire", unit: "KB", aim: "≤ 40 KB", alone: true, ...of("fontsKb") },
  ];
}

async function load(
  browser: Browser,
  url: string,
  cookie?: { name: string; value: string; url: string },
): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  if (cookie) await context.addCookies([cookie]);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", network);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowerCpu });
  const bytes = { Script: 0, Font: 0 };
  const kinds = new Map<string, string>();
  devTools.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind === "Script" || kind === "Font") bytes[kind] += encodedDataLength;
  });
  await page.goto(url, { waitUntil: "load" });
  // What the page fetches later, when it is idle, is for a click that may come.
  const counted = { ...bytes };
  await page.waitForLoadState("networkidle");
  const paintMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries().at(-1)?.startTime ?? 0);
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await context.close();
  return { paintMs, scriptsKb: counted.Script / 1_024, fontsKb: counted.Font / 1_024 };
}
