import { chromium, type Browser } from "@playwright/test";
import { browserPath } from "@/playwright.config";
import type { Figure } from "./figures";
import type { Bench } from "./main";

/** A phone on a slow network, as page measurements usually assume. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};
const slowerCpu = 4;

type Loaded = {
  paintMs: number;
  /** When everything that the page came with is drawn. */
  drawnMs: number;
};

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
  const { latency, downloadThroughput, uploadThroughput } = network;
  const mbit = (bytes: number) => ((bytes * 8) / 1_000_000).toFixed(2);
  console.log(
    `for both: ${mbit(downloadThroughput)} Mbit/s down, ${mbit(uploadThroughput)} up, ${latency} ms a request, processor ÷ ${slowerCpu}, nothing cached\n`,
  );
  const screen = `${bench.gancho}/partners/${partner.id}/${partner.environment}/webhooks`;
  const floor: Loaded[] = [];
  const gancho: Loaded[] = [];
  // The first round warms the servers up and does not count.
  for (let round = -1; round < bench.rounds; round += 1) {
    const loaded = {
      floor: await load(browser, bench.floor, "h1"),
      gancho: await load(browser, screen, "main section h2", cookie),
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
    { name: "largest paint", unit: "ms", aim: "≤ 1.8", ...of("paintMs") },
    { name: "all that it shows, drawn", unit: "ms", aim: "", ...of("drawnMs") },
  ];
}

async function load(
  browser: Browser,
  url: string,
  /** Selects something in the part of the page that arrives last. */
  last: string,
  cookie?: { name: string; value: string; url: string },
): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  if (cookie) await context.addCookies([cookie]);
  const page = await context.newPage();
  // A string, because the compiled function would call a helper that the page does not have.
  const found = `document.querySelector(${JSON.stringify(last)})`;
  await page.addInitScript(
    `(function look() { requestAnimationFrame(() => ${found} ? performance.mark("drawn") : look()); })()`,
  );
  const devTools = await context.newCDPSession(page);
  await devTools.send("Network.enable");
  await devTools.send("Network.emulateNetworkConditions", network);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowerCpu });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  const [paintMs, drawnMs] = await page.evaluate(
    () =>
      new Promise<[number, number]>((resolve) => {
        new PerformanceObserver((list) => {
          const drawn = performance.getEntriesByName("drawn")[0]?.startTime ?? NaN;
          resolve([list.getEntries().at(-1)?.startTime ?? NaN, drawn]);
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await context.close();
  return { paintMs, drawnMs };
}
