import { setTimeout as pause } from "node:timers/promises";
import { canary } from "../canaries/canary";
import type { Action } from "../faulty-upstream/plan";
import type { SaveAnswer } from "./gancho";
import type { Installation, Lane, Running } from "./installation";
import type { Sizes } from "./options";
import type { SoakPartner } from "./partner";
import { oneOf, under } from "./random";
import { tally, type Report } from "./report";
import { held } from "./service";
import { appliedWrites } from "./truth";

/** Longer than a lease of a save and than a write may come late: then everything can be closed. */
const untilClosedMs = 62_000;
/** A save begins, and the process dies, within this. */
const windowMs = 900;

type Interrupted = {
  partner: SoakPartner;
  url: string;
  answer: SaveAnswer | null;
  applied: boolean;
};

/**
 * `kill -9` around saves: in each lane a save begins at a random moment, and one kill meets them all, each at another
 * point of its way.
 */
export async function kills(
  installation: Installation,
  report: Report,
  sizes: Sizes,
): Promise<void> {
  const interrupted: Interrupted[] = [];
  let deaths = 0;
  while (interrupted.length < sizes.kills) {
    const gancho = await installation.start();
    await warmUp(installation, gancho);
    const saves = installation.lanes.map((lane) => saveSomewhen(installation, gancho, lane));
    await pause(windowMs * 0.75 + under(windowMs));
    await gancho.kill();
    deaths += 1;
    interrupted.push(...(await Promise.all(saves)));
  }

  await pause(untilClosedMs);
  const gancho = await installation.start();
  for (const save of interrupted) await checkClosed(installation, gancho, report, save);
  report.figure("kill -9 of a dashboard", deaths);
  report.figure("saves around them, each at a moment of its own", interrupted.length);
  report.figure("saves that were acknowledged", interrupted.filter(({ answer }) => answer).length);
  report.figure(
    "writes that the service applied",
    interrupted.filter(({ applied }) => applied).length,
  );
  report.figure("how they were closed", tally(await closings(installation)));
}

/** The first save of a process loads what the others find: without it a kill would only meet the loading. */
async function warmUp(installation: Installation, gancho: Running): Promise<void> {
  const [lane] = installation.lanes;
  if (!lane) return;
  lane.upstream.setPlan({ rules: [] });
  const partner = await installation.partner(lane);
  const url = "https://warm.example/";
  const authorization = { action: "remove" as const };
  const wish = { type: "both" as const, url, revision: null, authorization };
  await gancho.save(installation.people[0], partner, wish);
}

async function saveSomewhen(
  installation: Installation,
  gancho: Running,
  lane: Lane,
): Promise<Interrupted> {
  const partner = await installation.partner(lane);
  const url = `https://wish.example/${partner.id}`;
  lane.upstream.setPlan({ rules: [{ kind: "register", action: wayOfApplying() }] });
  await pause(under(windowMs));
  const answer = await gancho
    .save(installation.people[0], partner, {
      type: "both",
      url,
      revision: null,
      authorization: { action: "replace", value: canary("authorization", "killed") },
    })
    // The connection broke: nothing was acknowledged.
    .catch(() => null);
  await lane.upstream.idle();
  return { partner, url, answer, applied: appliedWrites(lane.upstream) > 0 };
}

function wayOfApplying(): Action {
  return oneOf<Action>([
    {},
    { delayMs: under(300) },
    { apply: { lateMs: under(300) }, answer: { status: 200, body: '{"message":"ok"}' } },
    { apply: "never", delayMs: under(300), answer: { status: 500, body: "{}" } },
  ]);
}

async function checkClosed(
  { db, people: [person], sandboxUrl }: Installation,
  gancho: Running,
  report: Report,
  { partner, url, answer, applied }: Interrupted,
): Promise<void> {
  const read = await gancho.read(person, partner);
  const is = (await held(sandboxUrl, partner)).get("pix_in");
  report.check(
    read.configuration?.stale === false,
    () => `${partner.id}: cannot be read (${read.code})`,
  );
  const rows = await db
    .selectFrom("history")
    .select(["kind", "outcome", "request_id", "detail_json"])
    .where("partner_id", "=", partner.id)
    .orderBy("seq")
    .execute();
  const ends = rows.filter(({ kind }) => kind === "save");
  const intent = rows.find(
    ({ kind, detail_json }) => kind === "save_attempt" && detail_json.includes(url),
  );

  if (answer?.result)
    report.check(
      ends.some(
        (row) => row.request_id === answer.requestId && row.outcome === answer.result?.outcome,
      ),
      () => `${partner.id}: acknowledged as ${answer.result?.outcome}, and no such row`,
    );
  report.check(!applied || intent !== undefined, () => `${partner.id}: applied without an intent`);
  report.check(
    rows.every(({ kind }) => kind !== "changed_outside"),
    () => `${partner.id}: its own save was taken for somebody else's`,
  );
  if (!intent) return;
  const last = ends.at(-1)?.outcome;
  report.check(
    last === (is === url ? "saved" : "not_saved"),
    () => `${partner.id}: closed as ${last}, the service holds ${is}`,
  );
  const open = await db
    .selectFrom("saves")
    .select("id")
    .where("partner_id", "=", partner.id)
    .where("state", "!=", "closed")
    .execute();
  report.check(open.length === 0, () => `${partner.id}: a save is still open`);
}

async function closings({ db }: Installation): Promise<string[]> {
  const rows = await db
    .selectFrom("history")
    .select("outcome")
    .where("kind", "=", "save")
    .execute();
  return rows.map(({ outcome }) => outcome ?? "none");
}
