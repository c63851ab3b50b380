import { keyUse } from "@/lib/platform/secrets/key-faults";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import * as z from "zod";
import type { Engine, Installation, Running } from "./installation";
import type { Sizes } from "./options";
import type { SoakPartner } from "./partner";
import { under } from "./random";
import type { Report } from "./report";
import { addSealed } from "./sealed";
import { lastWord, startWorker, type Worker } from "./worker";

const livePartners = 60;
/** How long the others go on after the report that the old key can be removed. */
const afterwardsMs = 3_000;

const instanceReport = z.object({
  read: z.number(),
  written: z.number(),
  added: z.number(),
  faults: z.array(z.string()),
});
const checkReport = z.object({
  secrets: z.number(),
  readable: z.number(),
  keys: z.number(),
  keysOpen: z.number(),
  elsewhere: z.number(),
});

/**
 * Rotates keys while dashboards and other processes read and write, some with the old key still in front, and kills the
 * rotation again and again. Finally removes the old key.
 */
export async function rotation(
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
): Promise<void> {
  const old = process.env["ENCRYPTION_KEYS"] ?? "";
  const fresh = `fresh:${randomBytes(32).toString("base64")}`;
  const [notYet, already, retired] = [`${old},${fresh}`, `${fresh},${old}`, fresh];
  const environment = (keys: string) => ({ ...installation.config, ENCRYPTION_KEYS: keys });

  await addSealed(installation.db, sizes.secrets - livePartners);
  const live = await liveOnes(installation);
  const { partners } = await counts(installation);
  report.figure("partners with a secret", partners);

  const dashboards = [await installation.start({ ENCRYPTION_KEYS: notYet })];
  if (engine === "postgres")
    dashboards.push(await installation.start({ ENCRYPTION_KEYS: already }));
  const instances = [notYet, already].map((keys) =>
    startWorker(["e2e/soak/sealing-copy.ts"], environment(keys)),
  );
  await Promise.all(instances.map(({ speaks }) => speaks));
  const readers = dashboards.map((dashboard) => readAlways(installation, report, dashboard, live));

  const rotate = () => startWorker(["lib/cli/gancho.ts", "rotate-keys"], environment(already));
  const startedAt = performance.now();
  let kills = 0;
  for (; kills < sizes.rotationKills; kills += 1) {
    const share = (kills + Math.random()) / (sizes.rotationKills + 1);
    if (!(await killedAt(installation, rotate(), share * partners))) break;
  }
  // Two at once to the end.
  const ends = await Promise.all([rotate(), rotate()].map(({ ended }) => ended));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const { end, printed } of ends)
    report.check(
      end === 0 && printed.includes("soak: needed by nobody, may be removed"),
      () => `rotate-keys ended with ${end}: ${printed}`,
    );
  await pause(afterwardsMs);
  const reads = await Promise.all(readers.map((reader) => reader.stop()));
  await notifyInstances(report, instances);
  for (const dashboard of dashboards) await dashboard.stop();

  report.figure("kill -9 of rotate-keys", kills);
  report.figure("seconds, with the kills and starting again", seconds.toFixed(1));
  report.figure(
    "reads through dashboards meanwhile",
    reads.reduce((sum, n) => sum + n, 0),
  );
  await checkRetired(installation, report, { old, retired, live });
}

async function liveOnes({ lanes: [lane], partner }: Installation): Promise<SoakPartner[]> {
  if (!lane) return [];
  lane.upstream.setPlan({ rules: [] });
  const live: SoakPartner[] = [];
  while (live.length < livePartners) live.push(await partner(lane));
  return live;
}

async function counts({ db }: Installation): Promise<{ partners: number; fresh: number }> {
  const use = await keyUse(db);
  const partners = [...use.values()].reduce((sum, count) => sum + count, 0);
  return { partners, fresh: use.get("fresh") ?? 0 };
}

/** Kills it as soon as so many are re-wrapped; false when it was quicker. */
async function killedAt(installation: Installation, run: Worker, count: number): Promise<boolean> {
  while (!run.hasEnded() && (await counts(installation)).fresh < count) await pause(under(10));
  run.signal("SIGKILL");
  return (await run.ended).end === "SIGKILL";
}

/** One dashboard's people read one partner after the other. */
function readAlways(
  { people: [person] }: Installation,
  report: Report,
  dashboard: Running,
  live: readonly SoakPartner[],
): { stop: () => Promise<number> } {
  let stopping = false;
  const reading = (async () => {
    let reads = 0;
    for (; !stopping; reads += 1) {
      const partner = live[reads % live.length];
      if (!partner) break;
      const { status, code, configuration } = await dashboard.read(person, partner);
      report.check(
        status === 200 && configuration?.stale === false,
        () => `a dashboard answered ${status} ${code} for ${partner.id}`,
      );
    }
    return reads;
  })();
  return {
    stop: () => {
      stopping = true;
      return reading;
    },
  };
}

async function notifyInstances(report: Report, instances: readonly Worker[]): Promise<void> {
  for (const instance of instances) instance.signal("SIGTERM");
  const sum = { read: 0, written: 0, added: 0 };
  for (const instance of instances) {
    const { faults, ...counts } = instanceReport.parse(await lastWord(instance));
    sum.read += counts.read;
    sum.written += counts.written;
    sum.added += counts.added;
    for (const fault of faults) report.violation(`an instance: ${fault}`);
  }
  report.figure(
    "secrets read, written, added meanwhile",
    `${sum.read}, ${sum.written}, ${sum.added}`,
  );
}

async function checkRetired(
  installation: Installation,
  report: Report,
  { old, retired, live }: { old: string; retired: string; live: readonly SoakPartner[] },
): Promise<void> {
  const check = async (keys: string) => {
    const env = { ...installation.config, ENCRYPTION_KEYS: keys };
    return checkReport.parse(await lastWord(startWorker(["e2e/soak/check-sealed.ts"], env)));
  };
  const now = await check(retired);
  report.figure("secrets in the end", now.secrets);
  report.figure("unreadable without the old key", now.secrets - now.readable);
  report.check(now.readable === now.secrets && now.keysOpen === now.keys, () => "some do not open");
  const past = await check(old);
  report.figure("readable in another row", now.elsewhere + past.elsewhere);
  report.check(now.elsewhere + past.elsewhere === 0, () => "some open in another row");
  report.figure("readable with the old key alone", past.readable + past.keysOpen);
  report.check(past.readable + past.keysOpen === 0, () => "some open with the old key alone");

  const dashboard = await installation.start({ ENCRYPTION_KEYS: retired });
  const { statusCode, body } = await request(`${dashboard.url}/api/health/ready`);
  await body.dump();
  report.check(statusCode === 200, () => `ready answers ${statusCode} without the old key`);
  for (const partner of live) {
    const { status } = await dashboard.read(installation.people[0], partner);
    report.check(status === 200, () => `${partner.id}: ${status} without the old key`);
  }
  await dashboard.stop();
}
