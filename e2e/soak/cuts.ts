import { randomUUID } from "node:crypto";
import { canary } from "@/e2e/canaries/canary";
import type { Action, Rule } from "@/e2e/faulty-upstream/plan";
import { checkEnds, type Sent } from "./ends";
import { type Installation, type Lane, inLanes } from "./installation";
import type { Sizes } from "./options";
import { type SoakPartner, held } from "./partner";
import { oneOf, under } from "./random";
import { spread, tally, type Report } from "./report";
import { appliedWrites, checkAnswer } from "./truth";

/** Some are applied after the last read of the save itself. */
const latestMs = 4_000;

/**
 * Cuts at random times around the one at which the service applies the write, and sometimes also the reads after it.
 */
export async function cuts(
  installation: Installation,
  report: Report,
  sizes: Sizes,
): Promise<void> {
  const gancho = await installation.start();
  const [person] = installation.people;
  const outcomes: string[] = [];
  const ms: number[] = [];
  const sent: Sent[] = [];
  const inUse = new Map<Lane, SoakPartner>();
  let applied = 0;

  const clicks = Array.from({ length: sizes.cuts }, (_, i) => i);
  await inLanes(installation.lanes, clicks, async (click, lane) => {
    const { upstream } = lane;
    upstream.setPlan({ rules: [] });
    const partner = inUse.get(lane) ?? (await installation.partner(lane));
    inUse.set(lane, partner);
    const revision = (await gancho.read(person, partner)).configuration?.revision ?? null;

    const url = `https://wish.example/${click}`;
    upstream.setPlan({ rules: [{ kind: "register", action: cut() }, ...afterwards()] });
    const authorization = { action: "replace" as const, value: canary("authorization", click) };
    const operation = randomUUID();
    const answer = await gancho.save(person, partner, {
      type: "both",
      url,
      revision,
      authorization,
      operation,
    });
    await upstream.idle();
    const writes = appliedWrites(upstream);
    const after = await held(installation.sandboxUrl, partner);

    const what = `cut ${click}`;
    checkAnswer(report, what, answer, { url, after, refused: false });
    report.check(writes <= 1, () => `${what}: ${writes} writes applied for one click`);
    applied += writes;
    ms.push(answer.ms);
    outcomes.push(answer.result?.outcome ?? answer.code ?? "none");
    if (answer.result?.open) {
      sent.push({ what, partner, operation, url, refused: false });
      // Nobody changes it any more, so that its end can be seen.
      inUse.delete(lane);
    }
  });

  for (const { upstream } of installation.lanes) upstream.setPlan({ rules: [] });
  await checkEnds(installation, gancho, report, sent);
  report.figure("clicks with a cut around the moment of applying", outcomes.length);
  report.figure("writes that the service applied", applied);
  report.figure("outcomes as told", tally(outcomes));
  report.figure("of them followed to their end", sent.length);
  report.figure("time to an answer, ms", spread(ms));
  await gancho.stop();
}

function cut(): Action {
  return {
    apply: oneOf<NonNullable<Action["apply"]>>(["first", "never", { lateMs: under(latestMs) }]),
    delayMs: under(150),
    cutAfter: under(260),
    ending: oneOf(["close", "reset"]),
  };
}

/** In one of three cases some of the following reads fail too. */
function afterwards(): Rule[] {
  if (under(3) > 0) return [];
  const action = oneOf<Action>([
    { answer: { status: 503, body: "{}" } },
    { apply: "never", cutAfter: 0, ending: "reset" },
    { cutAfter: 60, ending: "close" },
  ]);
  return [{ kind: "list", from: 2 + under(6), times: 1 + under(12), action }];
}
