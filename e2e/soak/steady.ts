import { setTimeout as pause } from "node:timers/promises";
import { canary } from "@/e2e/canaries/canary";
import type { Rule } from "@/e2e/faulty-upstream/plan";
import { faultList } from "./fault-list";
import { ganchoAt, type Gancho } from "./gancho";
import type { Installation, Lane } from "./installation";
import type { Sizes } from "./options";
import type { SoakPartner } from "./partner";
import { processFigures, slope } from "./process-figures";
import { under } from "./random";
import { spread, tally, type Report } from "./report";
import { checkAnswered } from "./truth";

const sampleEveryMs = 5_000;
/** How long after the last answer sockets may take to close. */
const restMs = 15_000;
/** Of the second half of the run, in which memory should have settled. */
const greatestSlope = 3;
/** Of a run that is too short for a slope, nothing is concluded. */
const minMinutes = 4;

type Work = { lane: Lane; partner: SoakPartner; saves: number };
type Sample = { x: number; y: number; sockets: number };

/** A steady load, with faults in a tenth of the service's answers: memory and sockets must not grow. */
export async function steady(
  installation: Installation,
  report: Report,
  { minutes, rate }: Sizes,
): Promise<void> {
  const gancho = await installation.start();
  const work: Work[] = [];
  for (const lane of installation.lanes)
    work.push({ lane, partner: await installation.partner(lane), saves: 0 });
  await warmUp(installation, gancho.url, work);
  const atRest = processFigures(gancho.pid);

  const samples: Sample[] = [];
  const ms: number[] = [];
  const codes: string[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  let sent = 0;
  let sampledAt = -Infinity;
  while (elapsedMs() < minutes * 60_000) {
    if (elapsedMs() - sampledAt >= sampleEveryMs) {
      sampledAt = elapsedMs();
      const { residentMb, sockets } = processFigures(gancho.pid);
      samples.push({ x: sampledAt / 60_000, y: residentMb, sockets });
      for (const { lane } of work) lane.upstream.setPlan({ rules: aTenthOfFaults() });
    }
    for (; sent < (elapsedMs() / 1_000) * rate; sent += 1) {
      const one = perform(installation, gancho, work[sent % work.length], sent).then((answer) => {
        if (!answer) return;
        checkAnswered(report, `request ${ms.length}`, answer);
        ms.push(answer.ms);
        codes.push(answer.code ?? "ok");
      });
      running.add(one);
      void one.finally(() => running.delete(one));
    }
    await pause(20);
  }
  await Promise.all(running);
  await gancho.close();
  await pause(restMs);
  judge(report, samples, { atRest, after: processFigures(gancho.pid) });
  report.figure("minutes", minutes);
  report.figure("requests answered", ms.length);
  report.figure(
    "requests a second, wished and had",
    `${rate}, ${(ms.length / (minutes * 60)).toFixed(1)}`,
  );
  report.figure("answers", tally(codes));
  report.figure("time to an answer, ms", spread(ms));
}

/** What the process opens once, when it is first needed, is no leak. */
async function warmUp(installation: Installation, url: string, work: readonly Work[]) {
  const visitor = ganchoAt(url);
  for (const one of work) await perform(installation, visitor, one, 0);
  await visitor.close();
  await pause(1_000);
}

async function perform(
  { people }: Installation,
  gancho: Gancho,
  work: Work | undefined,
  n: number,
) {
  if (!work) return null;
  const [person] = people;
  // One of ten saves; most of those then find that another one was quicker.
  const read = await gancho.read(person, work.partner);
  if (n % 10 > 0 || !read.configuration || read.configuration.stale) return read;
  work.saves += 1;
  return gancho.save(person, work.partner, {
    type: "both",
    url: `https://wish.example/${work.saves}`,
    revision: read.configuration.revision,
    authorization: { action: "replace", value: canary("authorization", work.saves) },
  });
}

function aTenthOfFaults(): Rule[] {
  return Array.from({ length: 100 }, (_, i) => i)
    .filter(() => under(10) === 0)
    .flatMap((number) => {
      const fault = faultList[under(faultList.length)];
      return fault
        ? [{ kind: "any" as const, from: number + 1, times: 1, action: fault.action }]
        : [];
    });
}

type Figures = ReturnType<typeof processFigures>;

function judge(
  report: Report,
  samples: Sample[],
  { atRest, after }: { atRest: Figures; after: Figures },
): void {
  const second = samples.slice(Math.floor(samples.length / 2));
  const grows = slope(second);
  const long = (samples.at(-1)?.x ?? 0) >= minMinutes;
  report.figure("resident memory at rest before, MB", Math.round(atRest.residentMb));
  report.figure(
    "resident memory, greatest, MB",
    Math.round(Math.max(...samples.map(({ y }) => y))),
  );
  report.figure("resident memory after, MB", Math.round(after.residentMb));
  report.figure("its slope over the second half, MB a minute", grows.toFixed(2));
  report.figure(
    "open sockets before, greatest, after",
    [atRest.sockets, Math.max(...samples.map(({ sockets }) => sockets)), after.sockets].join(", "),
  );
  report.check(
    !long || grows <= greatestSlope,
    () => `memory grows by ${grows.toFixed(2)} MB a minute`,
  );
  report.check(
    after.sockets <= atRest.sockets,
    () => `${after.sockets - atRest.sockets} sockets are still open`,
  );
}
