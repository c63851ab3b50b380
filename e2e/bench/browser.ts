import { chromium, type Browser, type Page } from "@playwright/test";
import { browserPath } from "@/playwright.config";
import { setTimeout as pause } from "node:timers/promises";
import { printTable, share, type Figure } from "./figures";
import type { Bench } from "./main";

/** A phone on a slow network, as page measurements usually assume. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};
const slowerCpu = 4;

type Twice = { cold: Loaded; warm: Loaded };

type Loaded = {
  paintMs: number;
  /** When everything that the page came with is drawn. */
  drawnMs: number;
};

/** The Webhooks screen and an empty page, each loaded for the first time and once more, in turn. */
export async function measureBrowser({ installation, ...bench }: Bench): Promise<Figure[]> {
  const [lane] = installation.lanes;
  const [person] = installation.people;
  if (!lane) throw new Error("the installation has no environment");
  const partner = await installation.partner(lane);
  const browser = await launch();
  const cookie = cookieFor(person, bench.gancho);
  const { latency, downloadThroughput, uploadThroughput } = network;
  const mbit = (bytes: number) => ((bytes * 8) / 1_000_000).toFixed(2);
  console.log(
    `for both: ${mbit(downloadThroughput)} Mbit/s down, ${mbit(uploadThroughput)} up, ${latency} ms a request, processor ÷ ${slowerCpu}\n`,
  );
  const screen = `${bench.gancho}/partners/${partner.id}/${partner.environment}/webhooks`;
  const floor: Twice[] = [];
  const gancho: Twice[] = [];
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
  const of = (time: keyof Twice, field: keyof Loaded) => ({
    floor: floor.map((each) => each[time][field]),
    gancho: gancho.map((each) => each[time][field]),
  });
  return [
    { name: "largest paint, cold", unit: "ms", aim: "≤ 1.6", ...of("cold", "paintMs") },
    { name: "largest paint, warm", unit: "ms", aim: "≤ 1.8", ...of("warm", "paintMs") },
    { name: "all that it shows, cold", unit: "ms", aim: "", ...of("cold", "drawnMs") },
    { name: "all that it shows, warm", unit: "ms", aim: "", ...of("warm", "drawnMs") },
  ];
}

/** How late the payment service answers, in milliseconds. */
const delays = [0, 1_000, 9_000];

/** What the Webhooks screen waits for where the payment service is slow and an earlier reading is known. */
export async function printSlowService({ installation, gancho, rounds }: Bench): Promise<void> {
  const [lane] = installation.lanes;
  const [person] = installation.people;
  if (!lane) throw new Error("the installation has no environment");
  const partner = await installation.partner(lane);
  const browser = await launch();
  const screen = `${gancho}/partners/${partner.id}/${partner.environment}/webhooks`;
  const lines = [
    ["the service answers after, ms", "content drawn, ms", "layout shift", "HTML, KB"],
  ];
  // The first round warms the server up, makes a state known and does not count.
  for (const delayMs of [0, ...delays]) {
    lane.upstream.setPlan({ rules: [{ kind: "list", action: { delayMs } }] });
    const loads: Awaited<ReturnType<typeof loadSlow>>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Within half a second of the last reading, Gancho answers with that one.
      await pause(600);
      loads.push(await loadSlow(browser, screen, cookieFor(person, gancho)));
    }
    const median = (field: keyof (typeof loads)[number]) =>
      share(
        loads.map((each) => each[field]),
        0.5,
      );
    lines.push([
      String(delayMs),
      median("drawnMs").toFixed(0),
      median("shift").toFixed(3),
      (median("bytes") / 1_024).toFixed(0),
    ]);
  }
  lane.upstream.setPlan({ rules: [] });
  await browser.close();
  lines.splice(1, 1);
  printTable(lines);
}

/** Until the answer of the service is on the page. */
async function loadSlow(browser: Browser, url: string, cookie: Cookie) {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.addInitScript(markOf("main section h2"));
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        (window as unknown as { shift: number }).shift += (
          entry as unknown as { value: number }
        ).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const answer = await page.goto(url, { waitUntil: "load" });
  await settled(page);
  const [drawnMs, shift] = await page.evaluate(() => [
    performance.getEntriesByName("drawn")[0]?.startTime ?? NaN,
    (window as unknown as { shift: number }).shift,
  ]);
  const bytes = (await answer?.body())?.length ?? NaN;
  await context.close();
  return { drawnMs: drawnMs ?? NaN, shift: shift ?? NaN, bytes };
}

/** All of the document has come by its load event. The network of a page from the browser's cache did not become idle. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName("drawn").length > 0);
  await pause(500);
}

type Cookie = { name: string; value: string; url: string };

function cookieFor({ cookie }: Bench["installation"]["people"][0], url: string): Cookie {
  const [name = "", value = ""] = cookie.split("=");
  return { name, value, url };
}

const launch = () =>
  chromium.launch({
    ...(browserPath && { executablePath: browserPath }),
    args: ["--no-sandbox", "--disable-gpu"],
  });

/**
 * Marks the frame in which something is found. A string, because the compiled function would call a helper that the
 * page does not have.
 */
function markOf(selector: string): string {
  const found = `document.querySelector(${JSON.stringify(selector)})`;
  return `(function look() { requestAnimationFrame(() => ${found} ? performance.mark("drawn") : look()); })()`;
}

async function load(
  browser: Browser,
  url: string,
  /** Selects something in the part of the page that arrives last. */
  last: string,
  cookie?: Cookie,
): Promise<Twice> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  if (cookie) await context.addCookies([cookie]);
  const once = async (): Promise<Loaded> => {
    const page = await context.newPage();
    await page.addInitScript(markOf(last));
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", network);
    await devTools.send("Emulation.setCPUThrottlingRate", { rate: slowerCpu });
    await page.goto(url, { waitUntil: "load" });
    await settled(page);
    const [paintMs, drawnMs] = await page.evaluate(
      () =>
        new Promise<[number, number]>((resolve) => {
          new PerformanceObserver((list) => {
            const drawn = performance.getEntriesByName("drawn")[0]?.startTime ?? NaN;
            resolve([list.getEntries().at(-1)?.startTime ?? NaN, drawn]);
          }).observe({ type: "largest-contentful-paint", buffered: true });
        }),
    );
    await page.close();
    return { paintMs, drawnMs };
  };
  const twice = { cold: await once(), warm: await once() };
  await context.close();
  return twice;
}
