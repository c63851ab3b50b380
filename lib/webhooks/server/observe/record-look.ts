import "server-only";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { maxOutside, outsideThisHour } from "@/lib/history/server/record/alerts";
import { recordHistory, type NewHistoryEntry } from "@/lib/history/server/record/record";
import { keepClient } from "@/lib/partners/server/connection";
import { recordOverview, type Overview } from "@/lib/partners/server/list/overview";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { missingMayBeRegistered } from "@/lib/webhooks/model/registered";
import { sameAddress, type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import type { Transaction } from "kysely";
import { isDeepStrictEqual } from "node:util";
import { recordIncident } from "./incident";
import { hasValue, hidesValue, isExact, isSame, look } from "./look";
import {
  loadKnown,
  momentOf,
  storeLook,
  storeTime,
  typesBefore,
  type Known,
  type LastLook,
  type NewLook,
  type ObservedTypes,
  type SecondPeople,
} from "./observed";
import {
  shownOf,
  versionOf,
  type ConnectionRef,
  type RemoteFetch,
  type RemoteState,
} from "./remote-state";
import { afterSending, sentNoneAfter } from "./retype";
import { afterLook, mayApply } from "./said";
import { askerOf, followedSaves, versionsIn, type SaveRecord } from "./save-record";
import {
  explaining,
  isAfterTime,
  isAsRecorded,
  noteSent,
  recordAnswer,
  recordSeen,
  withOwn,
} from "./saves";

export type Fetched = Extract<RemoteFetch, { ok: true }>;

export type Findings = NewLook & {
  /** The given saves, in their order, with what this look showed of them. */
  saves: SaveRecord[];
  /** Differences that no save explains. */
  told: { type: WebhookType; before: WebhookChange["before"]; after: WebhookChange["after"] }[];
  /** Types whose news may come from a lagging replica. */
  doubtful: WebhookType[];
  /** Types of which the list says nothing that can be compared. */
  unreadable: WebhookType[];
  /** Nothing is new but the time. */
  isAsBefore: boolean;
};

/** What an answer of the list shows, before anything is stored. `saves`: loaded after it came. */
export function interpret(known: Known, fetched: Fetched, saves: readonly SaveRecord[]): Findings {
  const { answeredAt } = fetched;
  const moment = momentOf(known, answeredAt);
  const before = typesBefore(known);
  const remote = withSentMasks(fetched.remote, before, saves);
  const types = { ...before };
  const after = new Map(saves.map((save) => [save.id, { ...save, types: [...save.types] }]));
  const findings: Findings = {
    remote,
    answeredAt,
    moment,
    types,
    saves: [],
    told: [],
    doubtful: [],
    unreadable: [],
    isAsBefore: known.last !== null && isDeepStrictEqual(known.last.remote, remote),
  };
  for (const type of webhookTypes) {
    const shown = shownOf(remote, type);
    if (shown === "unreadable") {
      types[type] = withSent(before[type], saves, type);
      findings.unreadable.push(type);
      findings.isAsBefore = false;
      continue;
    }
    const ofType = saves.flatMap((save) =>
      explaining(save)
        .filter((each) => each.type === type)
        .map((each) => ({ ...each, changeId: save.id })),
    );
    const was = withSent(
      before[type].shown ? before[type] : withoutRestored(before[type], shown),
      saves,
      type,
    );
    const { observed, saves: seen, told, by, counts } = look(was, shown, moment, ofType);
    const isSameState = was.shown !== null && isSame(was.shown.state, shown);
    const asking =
      by.findLast((save) => isSame(save.asked, shown)) ??
      by.findLast((save) => isExact(save, shown) || hidesValue(shown, observed));
    const asker = saves.find(({ id }) => id === asking?.changeId);
    types[type] = {
      ...observed,
      asker: asker ? askerOf(asker) : isSameState ? was.asker : null,
      sentNone: sentNoneAfter(was, shown, {
        saves: ofType,
        by,
        isTold: told !== null,
      }),
      hadValue: was.hadValue || hasValue(shown),
    };
    if (!counts) findings.doubtful.push(type);
    if (told) findings.told.push({ type, ...told });
    for (const { changeId, ...each } of seen) {
      const save = after.get(changeId);
      if (!save) continue;
      save.types = save.types.map((other) =>
        other.type === type
          ? afterLook(each, shown, {
              at: moment.at,
              lookedBefore: was.lookedAt,
              // Even if it was timed late.
              isAfterTime: isAfterTime(save, moment.steady - known.tookMs),
            })
          : other,
      );
    }
    findings.isAsBefore &&=
      counts && isDeepStrictEqual(withoutTimes(types[type]), withoutTimes(before[type]));
  }
  findings.saves = saves.map((save) => after.get(save.id) ?? save);
  return findings;
}

/** The first look as another client that shows what was shown before a difference ends that, and tells nothing. */
function withoutRestored(
  kept: ObservedTypes[WebhookType],
  shown: WebhookVersion,
): ObservedTypes[WebhookType] {
  const isRestored = kept.difference && sameAddress(kept.difference.before, shown);
  return isRestored ? { ...kept, settled: undefined, difference: null } : kept;
}

/** What every look changes. */
function withoutTimes(observed: ObservedTypes[WebhookType]) {
  return { ...observed, recent: null, countedAt: null, lookedAt: null };
}

/** What looks like a placeholder is none where Gancho has sent exactly that: a value may have asterisks of its own. */
function withSentMasks(
  remote: RemoteState,
  observed: ObservedTypes,
  saves: readonly SaveRecord[],
): RemoteState {
  const webhooks = { ...remote.webhooks };
  for (const type of webhookTypes) {
    const webhook = webhooks[type];
    if (!webhook?.masked) continue;
    const asked = saves.flatMap((save) => explaining(save)).map(({ asked }) => asked.fingerprint);
    if ([observed[type].sentValue, ...asked].includes(webhook.fingerprint))
      webhooks[type] = { ...webhook, masked: undefined };
  }
  return { ...remote, webhooks };
}

function withSent(
  observed: ObservedTypes[WebhookType],
  saves: readonly SaveRecord[],
  type: WebhookType,
): ObservedTypes[WebhookType] {
  return saves
    .flatMap(({ types, justAnswered }) => (justAnswered ? types : []))
    .filter((each) => each.type === type && mayApply(each))
    .reduce(afterSending, observed);
}

export type Recorded = {
  last: LastLook;
  saves: SaveRecord[];
  /** Where the same statement has loaded them. */
  secondPeople?: SecondPeople;
};

type Given = { connectionRef: ConnectionRef; known: Known; fetched: Fetched };

/**
 * Stores a look in one transaction with all that it showed: of saves, and differences that none of them asked for.
 * null where another look was stored since `known` was loaded.
 */
async function recordWithin(
  trx: Transaction<Database>,
  { connectionRef, known, fetched }: Given,
  saves: readonly SaveRecord[],
): Promise<Recorded | null> {
  const findings = interpret(known, fetched, saves);
  await nameAskers(trx, connectionRef, known, findings);
  const last = await storeLook(trx, connectionRef, known, findings);
  if (!last) return null;
  const overview = overviewOf(findings);
  const isListed =
    known.isListed && known.last && isDeepStrictEqual(overviewOf(known.last), overview);
  if (!isListed) await recordOverview(trx, connectionRef, overview);
  const entries: NewHistoryEntry[] = [];
  for (const [at, save] of saves.entries()) {
    const before = save.justAnswered ? { ...save, state: "sent" as const } : save;
    const after = findings.saves[at];
    if (after)
      entries.push(...(await recordSeen(trx, before, after, last.types, findings.unreadable)));
  }
  entries.push(...(await differenceEntries(trx, connectionRef, known, findings)));
  await recordIncident(trx, connectionRef, {
    ...findings,
    was: typesBefore(known),
    at: findings.moment.at,
  });
  await recordHistory(trx, ...entries);
  return { last, saves: findings.saves };
}

/**
 * A look of a save, in the transaction that holds its lock: only readings compete with it, so it is computed again and
 * not read again. Where a later one is stored by then, that stays, and the answer is recorded with it. `saves`: those that may explain it. `own`: the save has just been answered.
 */
export async function recordOwnLook(
  trx: Transaction<Database>,
  { saves, own, ...given }: Given & { saves: readonly SaveRecord[]; own: SaveRecord | null },
): Promise<Recorded> {
  const { connectionRef } = given;
  const recorded = await recordWithin(trx, given, withOwn(saves, own));
  if (recorded) return recorded;
  const known = await loadKnown(trx, connectionRef);
  if (known.last && isOlder(given.fetched, known.last)) {
    if (own) {
      await noteSent(trx, connectionRef, own.types.filter(mayApply));
      await recordAnswer(trx, own);
    }
    const { last } = await loadKnown(trx, connectionRef);
    return {
      last: last ?? known.last,
      saves: await followedSaves(connectionRef.connection, trx),
    };
  }
  return recordOwnLook(trx, {
    ...given,
    known,
    saves: await followedSaves(connectionRef.connection, trx),
    own,
  });
}

/** An answer that came before that of the last look is none: it says nothing of what is shown now. */
export function isOlder({ answeredAt }: Fetched, last: LastLook): boolean {
  return answeredAt < last.answeredAt;
}

/** A reading. null where another look was stored since `known` was loaded. */
export async function recordReading(given: Given): Promise<Recorded | null> {
  const { connectionRef, known, fetched } = given;
  const { last } = known;
  // Loaded only now: whatever was sent before the answer came may be what it shows.
  const saves = known.isFollowed ? await followedSaves(connectionRef.connection) : [];
  const findings = interpret(known, fetched, saves);
  if (last && known.isListed && isNothingNew(findings, saves)) {
    const stored = await storeTime(connectionRef, { ...known, last }, findings);
    if (stored) return { ...stored, saves };
  }
  // Another reading may have recorded a fault meanwhile.
  const unlisted = { ...given, known: { ...known, isListed: false } };
  return db()
    .transaction()
    .execute(async (trx) => {
      await keepClient(trx, connectionRef.connection.id);
      return recordWithin(trx, unlisted, await followedSaves(connectionRef.connection, trx));
    });
}

/** Of the list, and of the saves that may explain what it shows. */
export function isNothingNew(findings: Findings, saves: readonly SaveRecord[]): boolean {
  return findings.isAsBefore && saves.every((save, at) => isAsRecorded(save, findings.saves[at]));
}

/**
 * Where a type shows another state than before and no followed save explains it, an earlier one may have asked for
 * exactly that.
 */
async function nameAskers(
  trx: Transaction<Database>,
  { partnerId, environment, connection }: ConnectionRef,
  { last }: Known,
  findings: Findings,
): Promise<void> {
  for (const type of webhookTypes) {
    const observed = findings.types[type];
    const state = observed.shown?.state ?? null;
    const isNew = !last || !isSame(last.types[type].shown?.state ?? null, state);
    if (!isNew || !state || observed.asker !== null) continue;
    const rows = await trx
      .selectFrom("changes")
      .select(["id", "desired_json", "author_id", "created_at", "decided_by_id", "sent_at"])
      .where("partner_id", "=", partnerId)
      .where("environment", "=", environment)
      .where("connection_id", "=", connection.id)
      .where("kind", "=", "webhooks")
      .where("base_url", "=", connection.baseUrl)
      .where("client_id", "=", connection.clientId)
      .orderBy("created_at", "desc")
      .execute();
    const asker = rows.find(({ desired_json, sent_at }) =>
      versionsIn(desired_json).some(
        (asked) =>
          asked.type === type &&
          isSame(asked.state, state) &&
          // The clock is the machine's: what was sent before it started is below zero.
          (sent_at !== 0 || asked.unchanged),
      ),
    );
    if (asker)
      observed.asker = {
        changeId: asker.id,
        who: {
          by: asker.author_id,
          at: asker.created_at,
          approvedBy: asker.decided_by_id,
        },
      };
  }
}

/**
 * One entry for the differences of a look that were last seen otherwise at the same time. Anybody with the credentials can make any number of changes, and entries stay
 * for good: in an hour each connection gets `maxOutside` of them, the last of which says so. The difference itself stays
 * on the screen in any case.
 */
async function differenceEntries(
  trx: Transaction<Database>,
  ref: ConnectionRef,
  known: Known,
  { told, types }: Findings,
): Promise<NewHistoryEntry[]> {
  if (told.length === 0) return [];
  const sinceOf = (type: WebhookType) => typesBefore(known)[type].countedAt ?? 0;
  const recorded = await outsideThisHour(trx, ref);
  return [...new Set(told.map(({ type }) => sinceOf(type)))]
    .map((since, at): NewHistoryEntry => {
      const changes = told.filter(({ type }) => sinceOf(type) === since);
      const [first] = changes;
      const asker = changes.length === 1 && first ? types[first.type].asker : null;
      return {
        partnerId: ref.partnerId,
        environment: ref.environment,
        kind: "changed_outside",
        types: changes.map(({ type }) => type),
        actor: null,
        requestId: null,
        outcome: "seen",
        detail: {
          changes: changes.map((change) => ({ ...change, outcome: "seen" })),
          lastLookedAt: since,
          ...(asker?.who && {
            askedBy: {
              saveId: asker.changeId,
              at: asker.who.at,
              author: { id: asker.who.by, name: "" },
            },
          }),
          ...(recorded + at === maxOutside - 1 && { isLast: true }),
        },
      };
    })
    .slice(0, Math.max(0, maxOutside - recorded));
}

/**
 * What the list of partners shows; of a missing type that may be registered, what was settled last.
 * `withoutAuthorization`: the list shows no value, and Gancho has not sent one that it may hide.
 */
export function overviewOf({ remote, types }: Pick<LastLook, "remote" | "types">): Overview {
  const stateOfType = (type: WebhookType) => {
    const webhook = remote.webhooks[type];
    // An earlier "not registered" says nothing now.
    if (!webhook && missingMayBeRegistered(remote)) return types[type].settled ?? undefined;
    return versionOf(webhook);
  };
  return {
    hosts: { pix_in: hostOf(stateOfType("pix_in")), pix_out: hostOf(stateOfType("pix_out")) },
    withoutAuthorization: webhookTypes.filter(
      (type) => stateOfType(type)?.hidden === "absent" && types[type].sentValue === null,
    ),
  };
}

/**
 * The service may hold something that is no address: shown as it is, with control characters replaced and cut to the
 * column's length. PostgreSQL refuses a zero byte or a longer text, and the whole reading would be lost. Empty where
 * nothing is known of the type.
 */
function hostOf(state: WebhookChange["before"] | undefined): string | null {
  if (!state) return state === undefined ? "" : null;
  const { callbackUrl } = state;
  const host = URL.canParse(callbackUrl) ? new URL(callbackUrl).host : callbackUrl;
  return host.replace(/\p{Cc}/gu, "\ufffd").slice(0, 255);
}
