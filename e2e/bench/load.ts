import { install, type Engine, type Installation } from "@/e2e/soak/installation";
import { tally } from "@/e2e/soak/report";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Agent } from "undici";
import { cpuSeconds, printTable, share } from "./figures";
import { listOf, pageOf, partnerWithWebhook, saveOf, type Lane } from "./server";

type Load = { engine: Engine; instances: number; perSecond: number; seconds: number };

/**
 * Enough that none is asked again before its last answer came, where answers take less than a second. A prime number, so
 * that each is asked for all kinds: what a list costs grows with the saves of its connection's last ten minutes.
 */
const partnerCount = 397;

const kinds = ["list", "save", "page"] as const;
type Kind = (typeof kinds)[number];

/** Eight lists, a save and a page in ten requests. */
const kindOf = (at: number): Kind => (at % 10 === 4 ? "save" : at % 10 === 9 ? "page" : "list");

/**
 * A mixed load that does not wait for answers, as people do not wait for each other: 80 % lists, 10 % saves, 10 %
 * pages, so many a second. Service, instances, database and callers share one machine. The two
 * readings that a save is followed by after its ten minutes come later, and on top.
 */
export async function measureLoad({ engine, instances, perSecond, seconds }: Load): Promise<void> {
  const installation = await install(engine, 1, { asInProduction: true });
  try {
    await loaded(installation, { engine, instances, perSecond, seconds });
  } finally {
    await installation.close();
  }
}

async function loaded(installation: Installation, load: Load): Promise<void> {
  const running = [];
  for (let at = 0; at < load.instances; at += 1) running.push(await installation.start());
  const [own] = running;
  if (!own) throw new Error("no instance was started");
  const agent = new Agent({ connections: 512, keepAliveTimeout: 60_000 });
  const lanes = await Promise.all(
    Array.from({ length: partnerCount }, () => partnerWithWebhook(installation)),
  );
  const ask: Record<Kind, (url: string, lane: Lane) => Promise<void>> = {
    list: (url, lane) => listOf(agent, url, lane),
    save: (url, lane) => saveOf(agent, url, lane),
    page: (url, lane) => pageOf(agent, url, lane),
  };
  // Warm-up: hot code gets compiled, and each partner is read.
  for (const { url } of running)
    for (const lane of lanes) {
      await ask.list(url, lane);
      if (lane === lanes[0]) for (let n = 0; n < 20; n += 1) await ask.page(url, lane);
    }

  const took: Record<Kind, number[]> = { list: [], save: [], page: [] };
  const lost: string[] = [];
  const ready = { asked: 0, not: 0 };
  const cpuBefore = running.map(({ pid }) => cpuSeconds(pid));
  const [ownBefore, idleBefore] = [process.cpuUsage(), idleSeconds()];
  const began = performance.now();
  const endsAt = began + load.seconds * 1_000;
  const watching = running.map(async ({ url }) => {
    while (performance.now() < endsAt) {
      const answer = await fetch(`${url}/api/health/ready`).catch(() => null);
      ready.asked += 1;
      if (!answer?.ok) ready.not += 1;
      await pause(1_000);
    }
  });
  const sent: Promise<void>[] = [];
  const total = load.perSecond * load.seconds;
  for (let at = 0; at < total; at += 1) {
    const dueAt = began + (at * 1_000) / load.perSecond;
    const early = dueAt - performance.now();
    if (early > 1) await pause(early);
    const kind = kindOf(at);
    const lane = lanes[at % lanes.length];
    const url = running[at % running.length]?.url;
    if (!lane || !url) continue;
    sent.push(
      ask[kind](url, lane).then(
        // From when it was due: a caller that could not send in time would hide a wait.
        () => void took[kind].push(performance.now() - dueAt),
        (error: Error) => void lost.push(`${kind}: ${whyLost(error)}`),
      ),
    );
  }
  await Promise.all([...sent, ...watching]);
  const passed = (performance.now() - began) / 1_000;
  await agent.destroy();

  console.log(
    `${load.engine}, ${running.length} of the dashboard, ${load.perSecond} requests a second for ${load.seconds} s, answered after ${passed.toFixed(1)} s`,
  );
  const lines = [["", "answered", "median, ms", "95th percentile", "worst"]];
  for (const kind of kinds) {
    const times = took[kind];
    const figures = [share(times, 0.5), share(times, 0.95), Math.max(...times)];
    lines.push([kind, String(times.length), ...figures.map((ms) => ms.toFixed(0))]);
  }
  printTable(lines);
  const cpu = running.map(({ pid }, at) => cpuSeconds(pid) - (cpuBefore[at] ?? NaN));
  const callers = process.cpuUsage(ownBefore);
  const ofCore = (seconds: number) => `${((100 * seconds) / passed).toFixed(0)} %`;
  console.log(
    `of a core: ${cpu.map(ofCore).join(", ")}; service and callers ${ofCore((callers.user + callers.system) / 1e6)}; idle ${ofCore(idleSeconds() - idleBefore)} of ${cpus().length} cores`,
  );
  console.log(`not ready ${ready.not} of ${ready.asked} times; lost ${lost.length}`);
  if (lost.length > 0) console.log(`  ${tally(lost)}`);
}

/** Of all cores together. */
function idleSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1_000;
}

/** The status and code of an answer, or what the connection said. */
function whyLost({ message }: Error): string {
  const [, status] = /: (\d{3}) /.exec(message) ?? [];
  const [, code] = /"code":"(\w+)"/.exec(message) ?? [];
  return status === undefined ? message.slice(0, 80) : `${status} ${code ?? ""}`;
}
