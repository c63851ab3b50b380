import "server-only";
import type { HistoryDetail } from "@/lib/history/model/entry";
import { shownValues, webhookVersionSchema } from "@/lib/history/model/webhook-change";
import type { Actor } from "@/lib/history/server/record/record";
import { db, type Executor } from "@/lib/platform/database/open";
import { prepared, type Bound } from "@/lib/platform/database/prepared";
import { elapsedSince, sinceStart, steadyNow } from "@/lib/platform/database/steady-clock";
import { isFollowed, type ChangeRow, type Database } from "@/lib/platform/database/tables";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { askedSchema, type Asked } from "@/lib/webhooks/model/asked";
import { find } from "@/lib/webhooks/model/webhook-version";
import { sql, type ExpressionBuilder } from "kysely";
import * as z from "zod";
import type { Asker, ObservedTypes } from "./observed";
import type { SavedType } from "./said";

/** Saves that were carried out, as their rows of `changes` have them: asked, sent, answered, and shown since. */

export type SaveRecord = {
  /** The change id; the browser made it. */
  id: string;
  partnerId: string;
  environment: string;
  connectionId: string;
  requestId: string;
  /** Whoever saved; with a proposal, its approver. */
  actor: Actor;
  proposal?: HistoryDetail["save_sent"]["proposal"];
  state: "sent" | "answered" | "closed";
  /** When it was asked for, and when it was approved or else asked for; by the time of day, milliseconds. */
  createdAt: number;
  askedAt: number;
  /** On the steady clock, and what it was as this was loaded; null: nothing was sent. */
  sentAt: number | null;
  now: number;
  /** The code of why it was not sent, not accepted or not answered. */
  problem: string | null;
  /** Its process has just got this answer, and records it with the look that follows. */
  justAnswered?: true;
  types: SavedType[];
};

const versionsSchema = z.array(
  z.object({
    type: z.enum(webhookTypes),
    state: webhookVersionSchema,
    typed: z.boolean().optional(),
    unchanged: z.literal(true).optional(),
  }),
);

/** The versions in `before_json` or `desired_json` of a change of webhooks. */
export function versionsIn(stored: string | null): z.infer<typeof versionsSchema> {
  return versionsSchema.parse(JSON.parse(stored ?? "[]"));
}

/** The requested fields of a row that has them. */
export function askedIn({ asked_json }: Pick<ChangeRow, "asked_json">): Asked {
  return askedSchema.parse(JSON.parse(asked_json ?? "null"));
}

const answersSchema = z.array(
  z.object({
    type: z.enum(webhookTypes),
    answer: z.union([z.literal("unsent"), z.number(), z.null()]),
  }),
);

const seenSchema = z.array(
  z.object({
    type: z.enum(webhookTypes),
    form: z.optional(webhookVersionSchema),
    old: z.literal(true).optional(),
    /** On the steady clock. */
    overAt: z.number().optional(),
    over: z.literal(true).optional(),
    shownAt: z.number().optional(),
    shownUntil: z.number().optional(),
    addressAt: z.number().optional(),
    addressUntil: z.number().optional(),
    value: z.enum(shownValues).optional(),
    notShownAt: z.number().optional(),
    /** Of a closed one: the last readable look for it. */
    lookedAt: z.number().optional(),
  }),
);

/** Saves of a connection that may still explain what is shown, in the order in which they were sent. */
export async function followedSaves(
  connection: Pick<PartnerConnection, "id"> & Partial<PartnerConnection>,
  executor: Executor = db(),
): Promise<SaveRecord[]> {
  const { baseUrl, clientId } = connection;
  const isOr = (stored: string, wanted: string | undefined) =>
    wanted === undefined || stored === wanted;
  const { rows } = await followedOf(executor, { id: connection.id, sinceStart: sinceStart() });
  return rows
    .filter(({ base_url, client_id }) => isOr(base_url, baseUrl) && isOr(client_id, clientId))
    .map(({ now, ...row }) => saveIn(row, now))
    .sort((a, b) => (a.sentAt ?? Infinity) - (b.sentAt ?? Infinity));
}

const followedOf = prepared((executor, given: Bound<{ id: string; sinceStart: number }>) =>
  executor
    .selectFrom("changes")
    .selectAll()
    .select(steadyNow(given.sinceStart).as("now"))
    .where("connection_id", "=", given.id)
    .where(isFollowed)
    .orderBy((eb) => eb.fn.coalesce("decided_at", "created_at")),
);

/** `now`: the steady clock. */
export function saveIn(row: ChangeRow, now: number): SaveRecord {
  const { author_id: author, decided_by_id: approver } = row;
  const [before, asked] = [
    versionsIn(row.before_json),
    versionsSchema.parse(JSON.parse(row.desired_json ?? "[]")),
  ];
  const answers =
    row.answers_json === null ? [] : answersSchema.parse(JSON.parse(row.answers_json));
  const seen = row.seen_json === null ? [] : seenSchema.parse(JSON.parse(row.seen_json));
  const sentAt = row.sent_at === 0 ? null : now - elapsedSince(row.sent_at, now);
  const seenOf = (type: WebhookType) => {
    const { overAt, ...rest } = seen.find((each) => each.type === type) ?? {};
    return { ...rest, ...(overAt !== undefined && { overAt: now - elapsedSince(overAt, now) }) };
  };
  return {
    id: row.id,
    partnerId: row.partner_id,
    environment: row.environment,
    connectionId: row.connection_id ?? "",
    requestId: row.request_id,
    actor: { id: approver ?? author, clientAddress: row.client_address },
    ...(approver !== null && { proposal: { id: row.id, author: { id: author, name: "" } } }),
    state: states.find((state) => state === row.state) ?? "closed",
    createdAt: row.created_at,
    askedAt: row.decided_at ?? row.created_at,
    sentAt,
    now,
    problem: row.problem,
    types: asked.flatMap(({ type, state, typed, unchanged }) => {
      if (!state) return [];
      const answer = answers.find((each) => each.type === type)?.answer;
      return [
        {
          ...seenOf(type),
          type,
          asked: state,
          before: find(before, type),
          sentAt: sentAt ?? Infinity,
          ...(typed && { typed }),
          ...(unchanged && { unchanged }),
          ...(answer !== undefined && { answer }),
        },
      ];
    }),
  };
}

const states = ["sent", "answered"] as const;

export function askerOf({ id, actor, proposal, createdAt }: SaveRecord): Asker {
  const approvedBy = proposal ? actor.id : null;
  return { changeId: id, who: { by: proposal?.author.id ?? actor.id, at: createdAt, approvedBy } };
}

/** The row of a change. */
export function rowOf({
  partnerId,
  environment,
  id,
}: Pick<SaveRecord, "partnerId" | "environment" | "id">) {
  return (eb: ExpressionBuilder<Database, "changes">) =>
    eb.and({ partner_id: partnerId, environment, id });
}

/** SQL for a time on the steady clock, `after` milliseconds from now. */
export function inMs(after: number) {
  return sql<number>`${steadyNow()} + cast(${Math.round(after)} as integer)`;
}

export function columnsOf({ types }: SaveRecord, closing: ObservedTypes | null) {
  const answered = types.filter(({ answer }) => answer !== undefined);
  const seen = types.map((each) => {
    const { type, form, old, overAt, over, shownAt, shownUntil } = each;
    const { addressAt, addressUntil, value, notShownAt } = each;
    const lookedAt = closing?.[type].lookedAt ?? undefined;
    return {
      type,
      form,
      old,
      overAt,
      over,
      shownAt,
      shownUntil,
      addressAt,
      addressUntil,
      value,
      notShownAt,
      lookedAt,
    };
  });
  return {
    answers:
      answered.length === 0
        ? null
        : JSON.stringify(answered.map(({ type, answer }) => ({ type, answer }))),
    seen: JSON.stringify(seen),
  };
}
