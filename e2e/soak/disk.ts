import { canary } from "@/e2e/canaries/canary";
import { request } from "undici";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { checkEnds, type Sent } from "./ends";
import type { Installation, Running } from "./installation";
import { spread, tally, type Report } from "./report";
import { checkAnswer, checkAnswered } from "./truth";
import { held, type SoakPartner } from "./partner";

/** How long each wait for the disk takes, in milliseconds: longer than usual, and longer than a request may wait. */
const waits = [700, 6_000];

/** How long the disk is slow. */
const slowMs = 40_000;

/** Within so many milliseconds after the disk is quick again, a save must be answered as usual. */
const healedWithinMs = 30_000;

/**
 * A disk of PostgreSQL that takes long to say that something is written, while people save and read: strace holds each
 * of the server's waits for it up.
 */
export async function disk(installation: Installation, report: Report): Promise<void> {
  const { postgresPid } = installation;
  if (postgresPid === null) throw new Error("the disk is PostgreSQL's: --engine=postgres");
  const gancho = await installation.start();
  const partners = await Promise.all(installation.lanes.map((lane) => installation.partner(lane)));
  for (const partner of partners) await save(installation, gancho, partner, report, []);
  for (const waitMs of waits) {
    const sent: Sent[] = [];
    const ms: number[] = [];
    const answers: string[] = [];
    const quick = await slowDown(postgresPid, waitMs);
    const until = performance.now() + slowMs;
    await Promise.all(
      partners.map(async (partner) => {
        while (performance.now() < until) {
          for (const answer of [
            await save(installation, gancho, partner, report, sent),
            await gancho.read(installation.people[0], partner),
          ]) {
            checkAnswered(report, `a wait of ${waitMs} ms`, answer);
            ms.push(answer.ms);
            answers.push(answer.code ?? String(answer.status));
          }
        }
      }),
    );
    await quick();
    report.figure(`waits of ${waitMs} ms: answers`, tally(answers));
    report.figure("how long they took, ms", spread(ms));
    report.figure("healed after, ms", await healed(installation, gancho, partners, report));
    // The last of each partner: an earlier one was followed by another.
    const last = partners.flatMap(
      (partner) => sent.findLast((each) => each.partner === partner) ?? [],
    );
    await checkEnds(installation, gancho, report, last);
  }
}

let saves = 0;

async function save(
  { people: [person], sandboxUrl }: Installation,
  gancho: Running,
  partner: SoakPartner,
  report: Report,
  sent: Sent[],
) {
  const { configuration } = await gancho.read(person, partner);
  saves += 1;
  const url = `https://requested.example/${saves}`;
  const operation = randomUUID();
  sent.push({ what: `save ${saves}`, partner, operation, url });
  const answer = await gancho.save(person, partner, {
    type: "both",
    url,
    revision: configuration?.revision ?? null,
    authorization: { action: "replace", value: canary("authorization", "disk") },
    operation,
  });
  checkAnswer(report, `save ${saves}`, answer, { url, after: await held(sandboxUrl, partner) });
  return answer;
}

/** Milliseconds until each partner's save is answered as saved, and the dashboard says that it is ready. */
async function healed(
  installation: Installation,
  gancho: Running,
  partners: readonly SoakPartner[],
  report: Report,
): Promise<number> {
  const began = performance.now();
  const left = new Set(partners);
  let isReady = false;
  while (left.size > 0 || !isReady) {
    for (const partner of left) {
      const { result } = await save(installation, gancho, partner, report, []);
      if (result?.outcome === "saved") left.delete(partner);
    }
    const ready = await request(`${gancho.url}/api/health/ready`);
    await ready.body.dump();
    isReady = ready.statusCode === 200;
    const ms = performance.now() - began;
    if (ms > healedWithinMs) {
      report.violation(`after ${Math.round(ms)} ms, ${left.size} partners cannot save yet`);
      break;
    }
    await pause(100);
  }
  return Math.round(performance.now() - began);
}

/** Holds up what the server's processes wait for, those that it starts meanwhile among them. Returns a function that ends it. */
async function slowDown(pid: number, waitMs: number): Promise<() => Promise<void>> {
  const children = execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  const processes = [String(pid), ...children.trim().split("\n")].flatMap((each) => ["-p", each]);
  const calls = "fsync,fdatasync";
  const strace = spawn(
    "strace",
    ["-f", "-qq", "-e", `trace=${calls}`, "-e", `inject=${calls}:delay_enter=${waitMs * 1_000}`]
      .concat(["-o", "/dev/null"])
      .concat(processes),
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = once(strace, "exit");
  const early = await Promise.race([ended, pause(1_000)]);
  if (early)
    throw new Error("strace could not hold the server up (Debian: apt-get install strace)");
  return async () => {
    strace.kill("SIGINT");
    await ended;
  };
}
