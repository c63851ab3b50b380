import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { canary } from "@/e2e/canaries/canary";
import type { Action } from "@/e2e/faulty-upstream/plan";
import { checkEnds, type Sent } from "./ends";
import type { SaveAnswer } from "./gancho";
import type { Installation, Lane, Running } from "./installation";
import type { Sizes } from "./main";
import { diceOf, type Dice } from "./random";
import type { Report } from "./report";
import { appliedWrites } from "./truth";

type Interrupted = Sent & { answer: SaveAnswer | null; applied: boolean };

/**
 * `kill -9` around saves: in each lane a save begins at a random time, and one kill meets them all, each at another
 * stage.
 */
export async function kills(
  installation: Installation,
  report: Report,
  sizes: Sizes,
): Promise<void> {
  const dice = diceOf(sizes.seed);
  const interrupted: Interrupted[] = [];
  let deaths = 0;
  while (interrupted.length < sizes.kills) {
    const gancho = await installation.start();
    await oneSave(installation, gancho);
    // All begin, and the process dies, within a few times as long as one save takes here and now.
    const windowMs = 4 * (await oneSave(installation, gancho));
    const saves = installation.lanes.map((lane) =>
      saveAtRandomTime(dice, installation, gancho, lane, windowMs),
    );
    await pause(windowMs * 0.75 + dice.under(windowMs));
    await gancho.kill();
    deaths += 1;
    interrupted.push(...(await Promise.all(saves)));
  }

  const gancho = await installation.start();
  await checkEnds(installation, gancho, report, interrupted);
  for (const save of interrupted) await checkRecorded(installation, report, save);
  report.figure("kill -9 of a dashboard", deaths);
  report.figure("saves around them, each at a moment of its own", interrupted.length);
  report.figure("saves that were acknowledged", interrupted.filter(({ answer }) => answer).length);
  report.figure(
    "writes that the service applied",
    interrupted.filter(({ applied }) => applied).length,
  );
}

/** Warms the process up: otherwise a kill would mostly hit the loading of code. */
async function oneSave(installation: Installation, gancho: Running): Promise<number> {
  const [lane] = installation.lanes;
  if (!lane) return 0;
  lane.upstream.setPlan({ rules: [] });
  const partner = await installation.partner(lane);
  const url = "https://warm.example/";
  const authorization = { action: "remove" as const };
  const saveRequest = { type: "both" as const, url, revision: null, authorization };
  const { ms } = await gancho.save(installation.people[0], partner, saveRequest);
  return ms;
}

async function saveAtRandomTime(
  dice: Dice,
  installation: Installation,
  gancho: Running,
  lane: Lane,
  windowMs: number,
): Promise<Interrupted> {
  const partner = await installation.partner(lane);
  const url = `https://requested.example/${partner.id}`;
  lane.upstream.setPlan({ rules: [{ kind: "register", action: applyAction(dice) }] });
  await pause(dice.under(windowMs));
  const operation = randomUUID();
  const answer = await gancho
    .save(installation.people[0], partner, {
      type: "both",
      url,
      revision: null,
      authorization: { action: "replace", value: canary("authorization", "killed") },
      operation,
    })
    // The connection broke: nothing was acknowledged.
    .catch(() => null);
  await lane.upstream.idle();
  const applied = appliedWrites(lane.upstream) > 0;
  return { what: partner.id, partner, operation, url, answer, applied };
}

function applyAction({ oneOf, under }: Dice): Action {
  return oneOf<Action>([
    {},
    { delayMs: under(300) },
    { apply: { lateMs: under(300) }, answer: { status: 200, body: '{"message":"ok"}' } },
    { apply: "never", delayMs: under(300), answer: { status: 500, body: "{}" } },
  ]);
}

async function checkRecorded(
  { db }: Installation,
  report: Report,
  { partner, url, answer, applied }: Interrupted,
): Promise<void> {
  const rows = await db
    .selectFrom("history")
    .select(["kind", "outcome", "request_id", "detail_json"])
    .where("partner_id", "=", partner.id)
    .execute();
  const isOfThis = (outcome: string | undefined) =>
    rows.some((row) => row.request_id === answer?.requestId && row.outcome === outcome);
  if (answer?.result)
    report.check(
      isOfThis(answer.result.outcome),
      () => `${partner.id}: acknowledged as ${answer.result?.outcome}, and no such row`,
    );
  const intent = rows.some((row) => row.kind === "save_attempt" && row.detail_json.includes(url));
  report.check(!applied || intent, () => `${partner.id}: applied without an intent`);
  report.check(
    rows.every(({ kind }) => kind !== "changed_outside"),
    () => `${partner.id}: its own save was taken for somebody else's`,
  );
}
