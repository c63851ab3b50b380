import type { PlannedAnswer, Rule } from "@/e2e/faulty-upstream/plan";
import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { historyOf } from "@/lib/history/testing/people-entries";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { SaveResult } from "@/lib/webhooks/model/configuration";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { sql, type RawBuilder } from "kysely";
import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import { signInAs } from "./signed-in";
import { readOperation, readWithChanges, saveConfiguration } from "./with-access";
import { startFaultyWorld, type TestPartner, type World } from "./world";

/*
 * The world of a test file that calls `inWorld` once: these are set before its first test, and `partner` before each.
 */
export let world: World;
export let upstream: FaultyUpstream;
export let partner: TestPartner;

type Options = {
  environment?: string;
  /** Another environment, in which no partner is connected yet. */
  also?: string;
  /** Who is signed in as a test begins; nobody where it is null. */
  as?: PartnerRole | null;
};

/** Starts a world for the tests of this file, with a new partner for each of them, at a service that works. */
export function inWorld({ environment, also, as: role = "admin" }: Options = {}): void {
  beforeAll(async () => {
    ({ world, upstream } = await startFaultyWorld(environment, also));
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    upstream.setPlan({ rules: [] });
    await nextPartner();
    signInAs(role && (await partner.person(role)));
  });
}

/** Can be called within a test, too. */
export async function nextPartner(): Promise<void> {
  partner = await world.partner();
}

/** The partner's environment is at another base address from now on, until the test ends. */
export function moveService(baseUrl: string): void {
  const { environments } = env();
  Object.assign(env(), { environments: new Map([[partner.environment, baseUrl]]) });
  onTestFinished(() => void Object.assign(env(), { environments }));
}

/** The session is read as the call begins, so others may begin while it runs. */
export function as<Result>(person: string, call: () => Promise<Result>): Promise<Result> {
  signInAs(person);
  return call();
}

export const read = (requestId = "test-read") =>
  readWithChanges(partner.id, partner.environment, { requestId });

export const url = "https://hooks.example.com/pix";
export const keep = { action: "keep" } as const;
export const remove = { action: "remove" } as const;
export const replace = (value: string) => ({ action: "replace", value }) as const;

/** Saves on the registered version, unless `request` names another; returns the outcome, answered or thrown. */
export async function save(request: Partial<SaveRequest> = {}) {
  const revision = request.revision === undefined ? (await read()).revision : request.revision;
  const authorization = replace("Bearer typed");
  const body: SaveRequest = { type: "pix_in", url, authorization, ...request, revision };
  const context = { requestId: "test-save", clientAddress: "192.0.2.1" };
  try {
    return await saveConfiguration(partner.id, partner.environment, body, context);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const { applied, errors, extra } = thrown.init;
    const outcome = errors?.[0]?.code ?? thrown.code;
    return { code: thrown.code, applied, errors, outcome, ...(extra as Partial<SaveResult>) };
  }
}

/** The outcome of a save, by its id. */
export const ask = (operation: string) =>
  readOperation(partner.id, partner.environment, operation, { requestId: "test-ask" });

/** Sets the service's faults from now on. */
export const plan = (...rules: Rule[]) => upstream.setPlan({ rules });

export const listing = (answer: PlannedAnswer, more: Partial<Rule> = {}): Rule => ({
  kind: "list",
  ...more,
  action: { answer },
});

/** Makes the service list these, whatever it holds. */
export const showing = (webhooks: readonly object[], more: Partial<Rule> = {}): Rule =>
  listing({ body: JSON.stringify({ webhooks }) }, more);

export const answering = (status: number, apply: "first" | "never" = "never"): Rule => ({
  kind: "register",
  times: 1,
  action: { apply, answer: { status, body: '{"error":"made up"}' } },
});

/** The service acknowledges the write and does not show it. */
export const forgotten = answering(200);

/** The next reading waits for `upstream.release`. */
export const heldReading: Rule = { kind: "list", times: 1, action: { held: true } };

/** The history, newest first: what is said of the admin's saves, kinds of anything else. */
export const outcomes = async () =>
  (await read()).recentChanges.map(({ kind, outcome, actor }) => {
    if (!kind.startsWith("save_")) return kind;
    return actor?.name.startsWith("The admin") ? outcome : `save of ${actor?.name}`;
  });

/** The addresses that the service has. */
export const held = async (): Promise<string[]> =>
  (await partner.registered()).map(({ callback_url }) => callback_url);

export const history: OfPartner = (kind) => historyOf(partner.id, kind);
type OfPartner = (kind?: Parameters<typeof historyOf>[1]) => ReturnType<typeof historyOf>;

/**
 * The same as if all looks and saves so far had been made this much earlier, on the steady clock; what was to be looked
 * for by now is due.
 */
export async function timePasses(ms: number): Promise<void> {
  const { connectionId: id } = partner;
  const earlier = <Field extends string>(field: Field) =>
    ({ [field]: sql<number>`${sql.ref(field)} - ${sql.lit(ms)}` }) as Record<
      Field,
      RawBuilder<number>
    >;
  await db()
    .updateTable("confirmed_configurations")
    .set(earlier("looked_steady"))
    .where("connection_id", "=", id)
    .execute();
  await db()
    .updateTable("changes")
    .set({ ...earlier("sent_at"), ...earlier("next_check_at") })
    .where("connection_id", "=", id)
    .where("sent_at", "!=", 0)
    .execute();
  const seen = await db()
    .selectFrom("changes")
    .select(["id", "seen_json"])
    .where("connection_id", "=", id)
    .execute();
  for (const row of seen)
    await db()
      .updateTable("changes")
      .set({ seen_json: row.seen_json && earlierIn(row.seen_json, ms) })
      .where("connection_id", "=", id)
      .where("id", "=", row.id)
      .execute();
  const types = await db()
    .selectFrom("observed_types")
    .selectAll()
    .where("connection_id", "=", id)
    .execute();
  for (const row of types)
    await db()
      .updateTable("observed_types")
      .set({ ...earlier("shown_since_steady"), ...earlier("stored_steady") })
      .set({
        recent_json: earlierIn(row.recent_json, ms),
        difference_json: row.difference_json && earlierIn(row.difference_json, ms),
      })
      .where("connection_id", "=", id)
      .where("type", "=", row.type)
      .execute();
}

/** Every time on the steady clock in a JSON column. */
function earlierIn(stored: string, ms: number): string {
  return JSON.stringify(
    JSON.parse(stored, (key, value: unknown) =>
      ["steady", "until", "overAt"].includes(key) && typeof value === "number" ? value - ms : value,
    ),
  );
}
