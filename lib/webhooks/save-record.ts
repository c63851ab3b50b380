import "server-only";
import { db } from "@/lib/db/open";
import type { Database, SaveRow } from "@/lib/db/schema";
import { elapsedSince, readSteadyClock, steadyNow } from "@/lib/db/steady-clock";
import type { HistoryDetail } from "@/lib/history/entry";
import { recordHistory, type Actor } from "@/lib/history/record";
import { typedValue } from "@/lib/history/view/item";
import type { ProblemCode } from "@/lib/problem";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { State } from "./state";
import { webhookTypes, type WebhookType } from "./types";
import { outcomeOf, verdictOf, type TypeOutcome } from "./verdict";

const stateSchema = z
  .object({ callbackUrl: z.string(), fingerprint: z.string().nullable() })
  .nullable();
export const statesSchema = z.array(
  z.object({
    type: z.enum(webhookTypes),
    state: stateSchema,
    /** Of a wish: somebody typed the Authorization value. Only what the service holds is told by its fingerprint. */
    typed: z.boolean().optional(),
  }),
);
const proposalSchema = z.object({
  id: z.string(),
  author: z.object({ id: z.string(), name: z.string() }),
});
export type States = { type: WebhookType; state: State; typed?: boolean | undefined }[];

/** A save's durable record. Its steps: recorded, sent, then closed, or unknown until a later look settles it. */
export type SaveRecord = {
  id: string;
  partnerId: string;
  environment: string;
  connectionId: string;
  requestId: string;
  actor: Actor;
  wishes: States;
  before: States;
  /** Where it carries out what somebody else proposed; the actor is who approved it. */
  proposal?: NonNullable<HistoryDetail["save"]["proposal"]>;
};

/** Step 1: the intent, with its history row and with what belongs to the same moment, before anything leaves. */
export async function recordIntent(
  intent: Omit<SaveRecord, "id">,
  withIt?: (trx: Transaction<Database>) => Promise<void>,
): Promise<SaveRecord> {
  const record = { id: randomUUID(), ...intent };
  await db()
    .transaction()
    .execute(async (trx) => {
      await withIt?.(trx);
      await recordHistory(trx, {
        ...about(record),
        kind: "save_attempt",
        outcome: null,
        detail: {
          saveId: record.id,
          wishes: record.wishes.map((wish) => ({ type: wish.type, wish: askedFor(wish) })),
          ...carried(record),
        },
      });
      await trx
        .insertInto("saves")
        .values({
          id: record.id,
          connection_id: record.connectionId,
          partner_id: record.partnerId,
          environment: record.environment,
          request_id: record.requestId,
          actor_id: record.actor.id,
          actor_name: record.actor.name,
          client_address: record.actor.clientAddress,
          state: "recorded",
          wish_json: JSON.stringify(record.wishes),
          before_json: JSON.stringify(record.before),
          created_at: Date.now(),
          closed_at: null,
          proposal_json: record.proposal ? JSON.stringify(record.proposal) : null,
        })
        .execute();
    });
  return record;
}

/**
 * Step 2: from here on something may have left. False where somebody else has ended the save meanwhile, because this
 * process stood still for longer than its lock lasts: nothing may be sent then.
 */
export async function markSent(saveId: string): Promise<boolean> {
  const { numUpdatedRows } = await db()
    .updateTable("saves")
    .set({ state: "sent", sent_at: steadyNow() })
    .where("id", "=", saveId)
    .where("state", "=", "recorded")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export type Ending = {
  verdicts: { type: WebhookType; outcome: TypeOutcome }[];
  reason: ProblemCode | null;
};

/** What the service's present states say of a save. `now` is null where it could not be read. */
export function verdictsOf(
  record: Pick<SaveRecord, "wishes" | "before">,
  now: States | null,
): Ending["verdicts"] {
  return record.wishes.map(({ type, state: wish }) => {
    const before = find(record.before, type);
    return { type, outcome: verdictOf(before, wish, now ? find(now, type) : undefined) };
  });
}

/** A wish as the history names it while the service does not hold it. */
export function askedFor({ state, typed }: States[number]): State {
  return state && typed && state.fingerprint !== null
    ? { ...state, fingerprint: typedValue }
    : state;
}

function afterOf({ wishes }: SaveRecord, { type, outcome }: Ending["verdicts"][number]): State {
  const wish = wishes.find((each) => each.type === type);
  if (!wish) return null;
  return outcome === "not_saved" || outcome === "unknown" ? askedFor(wish) : wish.state;
}

export function find(states: States, type: WebhookType): State {
  return states.find((entry) => entry.type === type)?.state ?? null;
}

/**
 * Step 3: the outcome, with its history row, in the caller's transaction. An unknown one stays open for a later look.
 * One that somebody else has ended meanwhile ends as they said.
 */
export async function recordEnding(
  trx: Transaction<Database>,
  record: SaveRecord,
  { verdicts, reason }: Ending,
): Promise<void> {
  const outcome = outcomeOf(verdicts.map((verdict) => verdict.outcome));
  const { numUpdatedRows } = await trx
    .updateTable("saves")
    .set({ state: outcome === "unknown" ? "unknown" : "closed", closed_at: Date.now() })
    .where("id", "=", record.id)
    .where("state", "!=", "closed")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await recordHistory(trx, {
    ...about(record),
    kind: "save",
    outcome,
    detail: {
      saveId: record.id,
      reason,
      changes: verdicts.map((verdict) => ({
        ...verdict,
        before: find(record.before, verdict.type),
        after: afterOf(record, verdict),
      })),
      ...carried(record),
    },
  });
}

/** A save that was told as unknown and that nothing can settle any more: its history row stands, the record closes. */
export async function closeUnsettled(trx: Transaction<Database>, saveId: string): Promise<void> {
  await trx.updateTable("saves").set({ state: "closed" }).where("id", "=", saveId).execute();
}

export type OpenSave = SaveRecord & {
  state: SaveRow["state"];
  /** At least so many milliseconds have passed since something may have left. */
  sinceSentMs: number;
};

/** Saves of a connection that have not ended, oldest first: a crash left them, or their outcome is unknown. */
export async function openSaves(connectionId: string): Promise<OpenSave[]> {
  const rows = await db()
    .selectFrom("saves")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .where("state", "!=", "closed")
    .orderBy("created_at")
    .execute();
  if (rows.length === 0) return [];
  const now = await readSteadyClock();
  return rows.map((row) => ({
    id: row.id,
    partnerId: row.partner_id,
    environment: row.environment,
    connectionId: row.connection_id,
    requestId: row.request_id,
    actor: { id: row.actor_id, name: row.actor_name, clientAddress: row.client_address },
    wishes: statesSchema.parse(JSON.parse(row.wish_json)),
    before: statesSchema.parse(JSON.parse(row.before_json)),
    ...(row.proposal_json !== null && {
      proposal: proposalSchema.parse(JSON.parse(row.proposal_json)),
    }),
    state: row.state,
    sinceSentMs: elapsedSince(row.sent_at, now),
  }));
}

function carried({ proposal }: Pick<SaveRecord, "proposal">) {
  return proposal ? { proposal } : {};
}

function about(record: SaveRecord) {
  return {
    partnerId: record.partnerId,
    environment: record.environment,
    types: record.wishes.map(({ type }) => type),
    actor: record.actor,
    requestId: record.requestId,
  };
}
