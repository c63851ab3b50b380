import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { faultyNetwork } from "@/lib/platform/database/testing/faulty-network";
import { followMs, type Engine, type Installation } from "./installation";
import { behaviours } from "./model/behaviours";
import { judge, type Unrest } from "./model/judge";
import { answered, oneRun, storyOf, type Evidence, type Press } from "./model/run";
import { startModelService } from "./model/service";
import type { Sizes } from "./main";
import { diceOf } from "./random";
import { spread, tally, type Report } from "./report";

/** Longer than a save and its lock last. */
const longStopMs = 21_000;
/** An instance that takes longer to say that it is alive has no time to answer saves in time. */
const busyMs = 500;

/** What Gancho says of a model of the service that does what the contract leaves open, against what was really in force. */
export async function model(
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
): Promise<void> {
  const { seed, first } = sizes;
  const services = await Promise.all(behaviours(followMs, seed).map(startModelService));
  const environments = services.map(({ url }, at) => `model-${at}=${url}`).join(",");
  const network = engine === "postgres" ? await faultyNetwork(installation.databaseUrl) : null;
  const own = {
    PARTNER_API_ENVIRONMENTS: environments,
    ...(network && { DATABASE_URL: network.url }),
  };
  const instances = [installation.start(own)];
  if (engine === "postgres") instances.push(installation.start(own));
  await Promise.all(instances);
  const ends: Promise<Evidence>[] = [];
  const unrests: Unrest[] = [];
  const lastAt = performance.now() + sizes.runMinutes * 60_000;
  let runs = 0;
  let stopped = false;

  const unrest = (async () => {
    const { under, oneOf } = diceOf(seed);
    for (let round = 0; ; round += 1) {
      for (let left = 20 + under(20); left > 0 && !stopped; left -= 1) await pause(1_000);
      if (stopped) return;
      const at = round % instances.length;
      const instance = await instances[at];
      if (!instance) return;
      const kind = oneOf<Unrest["kind"]>(
        network ? ["stopped", "killed", "slow database"] : ["stopped", "killed"],
      );
      const one: Unrest = { from: performance.now(), until: Infinity, kind };
      const index = unrests.push(one) - 1;
      if (kind === "stopped") {
        process.kill(instance.pid, "SIGSTOP");
        await pause(oneOf([under(8_000), longStopMs + under(5_000)]));
        process.kill(instance.pid, "SIGCONT");
      } else if (kind === "slow database") {
        network?.slowBy(200 + under(600));
        await pause(under(20_000));
        network?.slowBy(0);
      } else {
        await instance.kill();
        instances[at] = installation.start(own);
        await instances[at];
      }
      unrests[index] = { ...one, until: performance.now() };
    }
  })();

  const busy = async (at: number) => {
    while (!stopped) {
      const from = performance.now();
      const { url } = (await instances[at]) ?? {};
      await fetch(`${url}/api/health/live`).catch(() => undefined);
      const until = performance.now();
      if (until - from > busyMs) unrests.push({ from, until, kind: "busy" });
      await pause(500);
    }
  };
  const watched = instances.map((_, at) => busy(at));

  const lane = async () => {
    while (runs < sizes.runs && performance.now() < lastAt) {
      const number = first + runs;
      runs += 1;
      const at = number % services.length;
      const service = services[at];
      if (!service) return;
      const environment = `model-${at}`;
      const run = { number, seed, installation, report, service, environment, instances };
      const { evidence } = await oneRun(run);
      // Whoever waits for all of them hears of it.
      evidence.catch(() => undefined);
      ends.push(evidence);
    }
  };
  await Promise.all(Array.from({ length: Math.min(sizes.concurrency, sizes.runs) }, lane));
  const all = await Promise.all(ends);
  stopped = true;
  await Promise.all([unrest, ...watched]);
  for (const instance of instances) await (await instance).stop();
  await network?.stop();
  await Promise.all(services.map((service) => service.close()));

  report.figure("seed, number of the first run", `${seed}, ${first}`);
  report.figure("runs", all.length);
  report.figure("presses of save", all.flatMap(({ presses }) => presses).length);
  report.figure("unrest", tally(unrests.map(({ kind }) => kind)));
  for (const { behaviour } of services)
    summarise(
      report,
      behaviour,
      all.filter(({ service }) => service.behaviour === behaviour),
      unrests,
    );
  const ms = all.flatMap(({ presses }) => presses.flatMap(({ answer }) => answer?.ms ?? []));
  report.figure("time to an answer, ms", spread(ms));
  printFindings(report, all, unrests);
}

function summarise(
  report: Report,
  { name, behaves }: Evidence["service"]["behaviour"],
  all: readonly Evidence[],
  unrests: readonly Unrest[],
): void {
  const presses = all.flatMap((evidence) => evidence.presses);
  const endOf = new Map<Press, string>();
  for (const evidence of all)
    for (const press of evidence.presses) {
      const rows = evidence.history.filter(({ kind }) => kind === "save");
      const end = rows.findLast(({ detail }) => detail.saveId === press.id)?.outcome;
      if (end) endOf.set(press, end);
    }
  report.figure(`${name}: as answered`, tally(presses.map(({ answer }) => answered(answer))));
  report.figure(`${name}: in the end`, tally([...endOf.values()]));
  if (!behaves) return;
  // A save that was disturbed may still be open when the next one begins.
  const isDisturbed = ({ endedAt }: Press, { startedAt }: Press) =>
    unrests.some(({ from, until }) => until >= startedAt && from <= endedAt + followMs);
  // That nothing is left to remove cannot be seen where nothing is shown.
  const isProvable = ({ action, reading }: Press) =>
    action !== "remove" ||
    reading?.configuration.webhooks.every(({ authorization: { set } }) => set);
  let undisturbed = 0;
  let inDoubt = 0;
  for (const evidence of all) {
    const [first] = evidence.presses;
    const clear = evidence.presses.filter(
      (press) => first && !isDisturbed(press, first) && isProvable(press),
    );
    const doubts = clear.filter((press) => /^(accepted|unknown)$/.test(endOf.get(press) ?? ""));
    undisturbed += clear.length;
    inDoubt += doubts.length;
    if (doubts.length === 0) continue;
    const text = `in doubt, though nothing disturbed it: ${doubts.map(({ url }) => url).join(", ")}`;
    report.violation(`${name}: ${text}, see ${storyFile}`);
    tellStory(evidence, unrests, [text]);
  }
  report.figure(`${name}: undisturbed, in doubt`, `${undisturbed}, ${inDoubt}`);
}

function printFindings(report: Report, all: readonly Evidence[], unrests: readonly Unrest[]): void {
  const kinds: string[] = [];
  for (const evidence of all) {
    const findings = judge(evidence, unrests);
    if (findings.length === 0) continue;
    for (const kind of new Set(findings.map((finding) => finding.kind))) kinds.push(kind);
    const texts = findings.map(({ text }) => text);
    report.violation(texts.join("\n    "));
    tellStory(evidence, unrests, texts);
  }
  report.figure(
    "runs with something false",
    kinds.length === 0 ? "0" : `${tally(kinds)}, see ${storyFile}`,
  );
}

const storyFile = path.join(tmpdir(), `gancho-model-${process.pid}.txt`);

function tellStory(evidence: Evidence, unrests: readonly Unrest[], findings: string[]): void {
  const { name } = evidence.service.behaviour;
  const lines = [`## ${name}`, ...findings, ...storyOf(evidence, unrests)];
  appendFileSync(storyFile, `${lines.join("\n")}\n\n`);
}
