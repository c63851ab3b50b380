import { appendFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { faultyNetwork } from "@/lib/platform/database/testing/faulty-network";
import { followMs, type Engine, type Installation } from "./installation";
import { behaviours } from "./model/behaviours";
import { compileModelProgram } from "./model/compile";
import { busyMs, judge, type Unrest } from "./model/judge";
import { answered, oneRun, storyOf, type Evidence, type Press } from "./model/run";
import { recordingFrom, recordingTo } from "./model/recording";
import { startModelService } from "./model/service";
import type { Sizes } from "./main";
import { diceOf } from "./random";
import { spread, tally, type Report } from "./report";

/** Longer than a save and its lock last. */
const longStopMs = 21_000;

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
  const program = await compileModelProgram();
  const start = () => installation.start(own, program);
  const instances = [start()];
  if (engine === "postgres") instances.push(start());
  await Promise.all(instances);
  const recording = recordingTo(recordingFile, seed);
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
        instances[at] = start();
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
      // Whoever waits for all of them hears of a failure.
      evidence.then(recording.run, () => undefined);
      ends.push(evidence);
    }
  };
  await Promise.all(Array.from({ length: Math.min(sizes.concurrency, sizes.runs) }, lane));
  const all = await Promise.all(ends);
  stopped = true;
  await Promise.all([unrest, ...watched]);
  recording.end(unrests);
  for (const instance of instances) await (await instance).stop();
  await network?.stop();
  rmSync(program);
  await Promise.all(services.map((service) => service.close()));

  report.figure("seed, number of the first run", `${seed}, ${first}`);
  report.figure("runs", `${all.length}, recorded in ${recordingFile}`);
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
  printEnds(report, all);
  printFindings(report, all, unrests);
}

function summarise(
  report: Report,
  { name, behaves }: Evidence["service"]["behaviour"],
  all: readonly Evidence[],
  unrests: readonly Unrest[],
): void {
  const presses = all.flatMap((evidence) => evidence.presses);
  report.figure(`${name}: as answered`, tally(presses.map(({ answer }) => answered(answer))));
  report.figure(`${name}: in the end`, tally(endsOf(all)));
  if (!behaves) return;
  const isDisturbed = ({ startedAt, endedAt }: Press) =>
    unrests.some(({ from, until }) => until >= startedAt && from <= endedAt);
  const clear = presses.filter((press) => press.answer?.result && !isDisturbed(press));
  const open = clear.filter(({ answer }) => openStates.has(answer?.result?.outcome ?? ""));
  report.figure(`${name}: undisturbed, open after ten seconds`, `${clear.length}, ${open.length}`);
  const text = `open, though nothing disturbed it: ${open.map(({ url }) => url).join(", ")}`;
  report.check(open.length === 0 || open.length * 1_000 < clear.length, () => `${name}: ${text}`);
  for (const evidence of all)
    if (evidence.presses.some((press) => open.includes(press)))
      tellStory(evidence, unrests, [text]);
}

const openStates: ReadonlySet<string> = new Set(["accepted", "unclear", "partly"]);

/** What is said in the end of each save that was sent: the states of its types, but for those that were as asked. */
function endsOf(all: readonly Evidence[]): string[] {
  return all.flatMap(({ presses }) =>
    presses.flatMap(({ asked }) => {
      const outcomes = asked?.result?.results.map(({ outcome }) => outcome) ?? [];
      const states = outcomes.filter((outcome) => outcome !== "unchanged");
      const isSent = states.some((state) => state !== "not_sent");
      return isSent ? [[...new Set(states)].sort().join(" + ")] : [];
    }),
  );
}

/** At services that misbehave, few ends say everything: of so many runs, at most so many ends, and most are of a few. */
const [ofRuns, maxEnds, mostEnds, mostOf] = [500, 12, 8, 0.95];

function printEnds(report: Report, all: readonly Evidence[]): void {
  const misbehaved = all.filter(({ service }) => !service.behaviour.behaves);
  report.figure("ends of saves at services that misbehave", tally(endsOf(misbehaved)));
  for (let from = 0; from < misbehaved.length; from += ofRuns) {
    const ends = endsOf(misbehaved.slice(from, from + ofRuns));
    const counts = [...new Set(ends)]
      .map((end) => ends.filter((each) => each === end).length)
      .sort((one, other) => other - one);
    const most = counts.slice(0, mostEnds).reduce((sum, count) => sum + count, 0);
    const share = ends.length === 0 ? 1 : most / ends.length;
    const runs = `of the runs ${from + 1} to ${Math.min(from + ofRuns, misbehaved.length)}`;
    report.figure(
      `distinct, share of the first eight, ${runs}`,
      `${counts.length}, ${share.toFixed(3)}`,
    );
    report.check(
      counts.length <= maxEnds && share >= mostOf,
      () => `too many ends of a save, ${runs}: ${tally(ends)}`,
    );
  }
}

/** Judges what an earlier model recorded. */
export function judgeAgain(report: Report, file: string): void {
  const { runs, unrests } = recordingFrom(file);
  report.figure("runs", runs.length);
  printEnds(report, runs);
  printFindings(report, runs, unrests);
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

const recordingFile = path.join(tmpdir(), `gancho-model-${process.pid}.recording`);
const storyFile = path.join(tmpdir(), `gancho-model-${process.pid}.txt`);

function tellStory(evidence: Evidence, unrests: readonly Unrest[], findings: string[]): void {
  const { name } = evidence.service.behaviour;
  const lines = [`## ${name}`, ...findings, ...storyOf(evidence, unrests)];
  appendFileSync(storyFile, `${lines.join("\n")}\n\n`);
}
