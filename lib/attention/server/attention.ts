import "server-only";
import { countDecidable } from "@/lib/approvals/server/read-ended";
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
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import { env } from "@/lib/platform/env/env";
import {
  typesOf,
  webhookTypes,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { missingMayBeRegistered } from "@/lib/webhooks/model/registered";
import { canonicalUrl, sameAddress } from "@/lib/webhooks/model/webhook-version";
import { incidentsOf, typesIn, type Incident } from "@/lib/webhooks/server/observe/incident";
import { hidesValue, isAt, isExact, isOnlyOfValue } from "@/lib/webhooks/server/observe/look";
import { loadEachKnown, type LastLook } from "@/lib/webhooks/server/observe/observed";
import { overviewOf } from "@/lib/webhooks/server/observe/record-look";
import { mayApply, stateOf } from "@/lib/webhooks/server/observe/said";
import { savesSince, type SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { sql } from "kysely";

/** What needs attention at one partner, and how much waits for this person's decision. Only reads the database. */
export async function readAttention(access: PartnerAccess<"webhooks.read">): Promise<Attention> {
  const { id } = access.partner;
  const all = await attentionOf(db(), new Map([[id, access.role]]));
  return {
    partner: id,
    environments: all.get(id) ?? [],
    approvals: await countDecidable(access),
  };
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
  const partnerIds = [...roles.keys()];
  if (partnerIds.length === 0) return new Map();
  const { environments, productionEnvironments } = env();
  const rows = await connectionsOf(executor, partnerIds);
  const sources = rows.map((row) => ({ ...row, connection: sourceOf(row) }));
  const known = await loadEachKnown(executor, sources);
  const looked = sources.flatMap(({ connection }) => {
    const last = known.get(connection.id)?.last;
    return last ? [{ connection, last }] : [];
  });
  const checks = await currentChecks(executor, looked);
  const incidents = await incidentsOf(
    executor,
    rows.map(({ id }) => id),
  );
  const now = databaseTime();
  const connections = looked.map(({ connection }) => connection);
  const saves = await savesSince(executor, partnerIds, connections, now - notShownMs);
  const waiting = await waitingAt(executor, partnerIds);
  const stuck = env().requireFourEyes ? await withoutSecondPerson(executor, partnerIds) : [];
  const factsOf = (partnerId: string, environment: string): EnvironmentFacts => {
    const row = rows.find(
      (each) => each.partner_id === partnerId && each.environment === environment,
    );
    const last = (row && known.get(row.id)?.last) ?? null;
    const found = (row && checks.get(row.id)) ?? [];
    const incident = row && incidents.get(row.id);
    return {
      environment,
      isProduction: productionEnvironments.has(environment),
      connected: row !== undefined,
      epoch: last?.epoch ?? 0,
      failing: row ? failureOf(row) : null,
      oldLook: last && now - last.moment.at > longestMs() ? last.moment.at : null,
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
  return new Map(
    [...roles].map(([id, role]) => {
      const all = attentionIn([...environments.keys()].map((name) => factsOf(id, name)));
      return [id, all.map((each) => ({ ...each, items: visibleTo(role, each.items) }))];
    }),
  );
}

function connectionsOf(executor: Executor, partnerIds: readonly string[]) {
  return executor
    .selectFrom("connections")
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
    .select(["connections.id", "connections.partner_id", "connections.environment"])
    .select([
      "connections.client_id",
      "connections.version",
      "read.fault_code",
      "read.failing_since",
    ])
    .select(["read.base_url as read_at", "planned.base_url as planned_at"])
    .select(["planned.fault_code as planned_fault", "planned.failing_since as planned_since"])
    .where("connections.partner_id", "in", partnerIds)
    .where("connections.environment", "in", [...env().environments.keys()])
    .execute();
}

type Connected = Awaited<ReturnType<typeof connectionsOf>>[number];

function sourceOf({ id, client_id, environment }: Connected) {
  return { id, clientId: client_id, baseUrl: env().environments.get(environment) ?? "" };
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

function waitingAt(executor: Executor, partnerIds: readonly string[]) {
  return executor
    .selectFrom("changes")
    .select(["id", "partner_id", "environment", "kind", "applies_to"])
    .where("partner_id", "in", partnerIds)
    .where("state", "=", sql.lit("waiting"))
    .where("kind", "!=", "four_eyes_off")
    .where("expires_at", ">", timeOfDay())
    .orderBy("created_at")
    .execute();
}

type WaitingRow = Awaited<ReturnType<typeof waitingAt>>[number];

function presentWaiting({ id, kind, applies_to }: WaitingRow) {
  const about = kind === "credentials" ? ("credentials" as const) : ("webhooks" as const);
  return { id, about, types: applies_to === null ? [] : [...typesOf(applies_to)] };
}

function exposedIn(incident: Incident | undefined): string[] {
  return (incident?.told ?? []).flatMap(({ values }) => values);
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** How old the last look may be: a few readings may fail, and without a reader somebody should look every day. */
function longestMs(): number {
  const { watchEveryMs } = env();
  return watchEveryMs === null ? dayMs : Math.max(hourMs, 4 * watchEveryMs);
}

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
