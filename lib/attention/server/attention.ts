import "server-only";
import type { Attention, AttentionItem } from "@/lib/attention/model/answer";
import {
  attentionIn,
  type EnvironmentAttention,
  type EnvironmentFacts,
  type TypeFacts,
} from "@/lib/attention/model/attention";
import { currentChecks } from "@/lib/endpoint-check/server/stored";
import { withoutSecondPerson } from "@/lib/platform/access/approvers";
import { may, type ActingRole } from "@/lib/platform/access/model/roles";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db, type Executor } from "@/lib/platform/database/open";
import { steadyNow, timeOfDay } from "@/lib/platform/database/steady-clock";
import type { ChangeRow, Database } from "@/lib/platform/database/tables";
import { env, lookOldAfterMs } from "@/lib/platform/env/env";
import {
  typesOf,
  webhookTypes,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { missingMayBeRegistered } from "@/lib/webhooks/model/registered";
import { canonicalUrl, sameAddress } from "@/lib/webhooks/model/webhook-version";
import { incidentIn, typesIn, type Incident } from "@/lib/webhooks/server/observe/incident";
import { hidesValue, isAt, isExact, isOnlyOfValue } from "@/lib/webhooks/server/observe/look";
import { eachKnownIn, selectKnown, type LastLook } from "@/lib/webhooks/server/observe/observed";
import { overviewOf } from "@/lib/webhooks/server/observe/record-look";
import { mayApply, stateOf } from "@/lib/webhooks/server/observe/said";
import { saveIn, type SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { expressionBuilder, sql } from "kysely";

/** What needs attention at one partner, and how much waits for this person's decision. Only reads the database. */
export async function readAttention(access: PartnerAccess<"webhooks.read">): Promise<Attention> {
  const [attention] = await readAttentions([access]);
  if (!attention) throw new Error("a partner without an answer");
  return attention;
}

/** The same at several partners of one person. */
export async function readAttentions(
  accesses: readonly PartnerAccess<"webhooks.read">[],
): Promise<Attention[]> {
  const roles = new Map(accesses.map(({ partner, role }) => [partner.id, role]));
  const { lists, waiting } = await read(db(), roles);
  return accesses.map((access) => ({
    partner: access.partner.id,
    environments: lists.get(access.partner.id) ?? [],
    approvals: waiting.filter((change) => mayDecide(access, change)).length,
  }));
}

/** Not their own, and new credentials only for an admin. */
function mayDecide(
  { partner, role, viewer }: PartnerAccess<"webhooks.read">,
  { partner_id, kind, author_id }: ChangeRow,
): boolean {
  return (
    partner_id === partner.id &&
    author_id !== viewer.id &&
    may(role, "webhooks.approve") &&
    (kind === "webhooks" || may(role, "connection.read"))
  );
}

/** Whoever may not open the API connection is not told of a change that waits there. */
function visibleTo(role: ActingRole, items: readonly AttentionItem[]): AttentionItem[] {
  return items.filter(
    (item) => item.kind !== "waiting" || item.about === "webhooks" || may(role, "connection.read"),
  );
}

/**
 * What needs attention at each of these partners, by its id, in each environment, as far as somebody may know it in this
 * role there. Checks no access.
 */
export async function attentionOf(
  executor: Executor,
  roles: ReadonlyMap<string, ActingRole>,
): Promise<ReadonlyMap<string, EnvironmentAttention[]>> {
  return (await read(executor, roles)).lists;
}

/** `waiting`: the changes that wait for a second person, in any environment of these partners. */
async function read(
  executor: Executor,
  roles: ReadonlyMap<string, ActingRole>,
): Promise<{ lists: ReadonlyMap<string, EnvironmentAttention[]>; waiting: ChangeRow[] }> {
  const partnerIds = [...roles.keys()];
  if (partnerIds.length === 0) return { lists: new Map(), waiting: [] };
  const { environments, productionEnvironments } = env();
  const askedAt = performance.now();
  const all = await connectionsOf(executor, partnerIds);
  const rows = [...new Map(all.map((row) => [row.id, row])).values()];
  const sources = rows.map((row) => ({ connection: sourceOf(row) }));
  const known = eachKnownIn(all, sources, askedAt);
  const looked = sources.flatMap(({ connection }) => {
    const last = known.get(connection.id)?.last;
    return last ? [{ connection, last }] : [];
  });
  const checks = await currentChecks(executor, looked);
  const now = databaseTime();
  const changes = await changesOf(executor, partnerIds, now - notShownMs);
  const saves = changes.flatMap(({ steady, ...row }) => {
    const isOfClient = looked.some(
      ({ connection: { id, baseUrl, clientId } }) =>
        row.connection_id === id && row.base_url === baseUrl && row.client_id === clientId,
    );
    return row.is_sent && isOfClient ? [saveIn(row, steady)] : [];
  });
  const waiting = changes.filter(({ is_waiting }) => is_waiting);
  const stuck = env().requireFourEyes ? await withoutSecondPerson(executor, partnerIds) : [];
  const factsOf = (partnerId: string, environment: string): EnvironmentFacts => {
    const row = rows.find(
      (each) => each.partner_id === partnerId && each.environment === environment,
    );
    const last = (row && known.get(row.id)?.last) ?? null;
    const found = (row && checks.get(row.id)) ?? [];
    const incident = row && openIncidentIn(row);
    return {
      environment,
      isProduction: productionEnvironments.has(environment),
      connected: row !== undefined,
      epoch: last?.epoch ?? 0,
      failing: row ? failureOf(row) : null,
      oldLook: last && now - last.moment.at > lookOldAfterMs(env()) ? last.moment.at : null,
      types:
        last &&
        typeFacts(last, {
          checks: found,
          exposed: exposedIn(incident),
          saves: saves.filter(({ connectionId }) => connectionId === row?.id),
          now,
        }),
      incident: incident
        ? {
            since: incident.startedAt,
            types: typesIn(incident),
            credentialsReplaced: row.version > incident.version,
          }
        : null,
      waiting: waiting.flatMap((change) =>
        change.partner_id === partnerId && change.environment === environment
          ? [presentWaiting(change)]
          : [],
      ),
      lacksSecondPerson: productionEnvironments.has(environment) && stuck.includes(partnerId),
    };
  };
  const lists = new Map(
    [...roles].map(([id, role]) => {
      const listed = attentionIn([...environments.keys()].map((name) => factsOf(id, name)));
      return [id, listed.map((each) => ({ ...each, items: visibleTo(role, each.items) }))];
    }),
  );
  return { lists, waiting };
}

/** With all that is known of each: one row for each type that was observed, or one without. */
function connectionsOf(executor: Executor, partnerIds: readonly string[]) {
  return selectKnown(executor)
    .leftJoin("incidents as i", "i.connection_id", "connections.id")
    .leftJoin("partner_overviews as read", (join) =>
      join
        .onRef("read.partner_id", "=", "connections.partner_id")
        .onRef("read.environment", "=", "connections.environment")
        .onRef("read.client_id", "=", "connections.client_id"),
    )
    .leftJoin("reading_schedule as planned", (join) =>
      join
        .onRef("planned.connection_id", "=", "connections.id")
        .onRef("planned.client_id", "=", "connections.client_id"),
    )
    .select(["read.fault_code", "read.failing_since"])
    .select(["read.base_url as read_at", "planned.base_url as planned_at"])
    .select(["planned.fault_code as planned_fault", "planned.failing_since as planned_since"])
    .select(["i.started_at", "i.version as told_version", "i.told_json"])
    .where("connections.partner_id", "in", partnerIds)
    .where("connections.environment", "in", [...env().environments.keys()])
    .execute();
}

type Connected = Awaited<ReturnType<typeof connectionsOf>>[number];

function sourceOf({ id, own_client_id: clientId, environment }: Connected) {
  return { id, clientId, baseUrl: env().environments.get(environment) ?? "" };
}

/** A service that only slows a connection down has no reading of it that failed. */
function failureOf(row: Connected): EnvironmentFacts["failing"] {
  const baseUrl = env().environments.get(row.environment);
  const [code, since] =
    row.fault_code !== null
      ? [row.read_at === baseUrl && row.fault_code, row.failing_since]
      : [
          row.planned_at === baseUrl &&
            row.planned_fault === "upstream_rate_limited" &&
            row.planned_fault,
          row.planned_since,
        ];
  return code && since !== null ? { code, since } : null;
}

function openIncidentIn({ started_at, told_version, told_json }: Connected): Incident | undefined {
  if (started_at === null || told_version === null || told_json === null) return undefined;
  return incidentIn({ started_at, version: told_version, told_json });
}

/**
 * The changes that wait for a second person, and the saves that were sent since `since`, by the time of day, also those
 * that are followed no more, in the order in which they were.
 */
function changesOf(executor: Executor, partnerIds: readonly string[], since: number) {
  const { eb, and, fn } = expressionBuilder<Database, "changes">();
  const isSent = and([
    eb("kind", "=", "webhooks"),
    eb("sent_at", "!=", 0),
    eb(fn.coalesce("decided_at", "created_at"), ">", since),
  ]);
  const isWaiting = and([
    eb("state", "=", sql.lit("waiting")),
    // Only of one environment.
    eb("kind", "!=", "four_eyes_off"),
    eb("expires_at", ">", timeOfDay()),
  ]);
  return executor
    .selectFrom("changes")
    .selectAll()
    .select(steadyNow().as("steady"))
    .select([isSent.as("is_sent"), isWaiting.as("is_waiting")])
    .where("partner_id", "in", partnerIds)
    .where("environment", "in", [...env().environments.keys()])
    .where(({ or }) => or([isSent, isWaiting]))
    .orderBy((eb) => eb.fn.coalesce("decided_at", "created_at"))
    .execute();
}

function presentWaiting({ id, kind, applies_to }: ChangeRow) {
  const about = kind === "credentials" ? ("credentials" as const) : ("webhooks" as const);
  return { id, about, types: applies_to === null ? [] : [...typesOf(applies_to)] };
}

function exposedIn(incident: Incident | undefined): string[] {
  return (incident?.told ?? []).flatMap(({ values }) => values);
}

const dayMs = 24 * 60 * 60_000;

/** For how long the list says that a save was not shown. */
const notShownMs = 7 * dayMs;

/** The save of this type that was sent last, where no look has shown it, nor does the last one. */
function notShownIn(
  saves: readonly SaveRecord[],
  type: WebhookType,
  { types }: LastLook,
): TypeFacts["notShown"] {
  const sent = saves.flatMap(({ askedAt, types: each }) =>
    each.filter((save) => save.type === type && mayApply(save)).map((save) => ({ askedAt, save })),
  );
  const { askedAt, save } = sent.at(-1) ?? {};
  if (!save || askedAt === undefined || stateOf(save) !== "not_shown") return null;
  const { asked } = save;
  const state = types[type].shown?.state ?? null;
  // A list that hides values never shows whether it took one.
  const isHidden = asked.fingerprint !== null && hidesValue(state, types[type]);
  if (isExact(save, state) || (isAt(state, asked) && isHidden)) return null;
  return { askedAt, until: save.notShownAt ?? askedAt };
}

type Checks =
  Awaited<ReturnType<typeof currentChecks>> extends ReadonlyMap<string, infer C> ? C : never;

function typeFacts(
  last: LastLook,
  {
    checks,
    exposed,
    saves,
    now,
  }: { checks: Checks; exposed: readonly string[]; saves: readonly SaveRecord[]; now: number },
): Record<WebhookType, TypeFacts> {
  const { withoutAuthorization } = overviewOf(last);
  const mayBeRegistered = missingMayBeRegistered(last.remote);
  const of = (type: WebhookType): TypeFacts => {
    const webhook = last.remote.webhooks[type];
    const { difference, sentValue } = last.types[type];
    const check = checks.find((each) => each.type === type);
    const ends = check?.tls?.certificate?.validTo;
    return {
      registered: webhook
        ? {
            url: canonicalUrl(webhook.callbackUrl),
            value: webhook.masked || webhook.authorizationConflict ? null : webhook.fingerprint,
            // A list that shows none may hide the one that was sent last.
            exposed: exposed.includes(
              (webhook.masked ? sentValue : (webhook.fingerprint ?? sentValue)) ?? "",
            ),
            valueUnknown: webhook.masked === true && sentValue === null,
            valueMissing: withoutAuthorization.includes(type),
            ambiguous: webhook.authorizationConflict || webhook.duplicate,
          }
        : mayBeRegistered
          ? undefined
          : null,
      difference: difference && {
        at: difference.told.at,
        onlyValue: isOnlyOfValue(difference),
        isBack: sameAddress(difference.before, difference.after),
      },
      notShown: notShownIn(saves, type, last),
      check: check
        ? {
            verdict: check.verdict,
            days: ends === undefined ? null : Math.floor((Date.parse(ends) - now) / dayMs),
          }
        : null,
    };
  };
  return Object.fromEntries(webhookTypes.map((type) => [type, of(type)])) as Record<
    WebhookType,
    TypeFacts
  >;
}
