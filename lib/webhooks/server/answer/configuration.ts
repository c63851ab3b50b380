import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, isPostgres } from "@/lib/platform/database/open";
import { partnerMacs, shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import type { ProblemInit } from "@/lib/platform/http/model/problem";
import { env } from "@/lib/platform/env/env";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import {
  configurationSchema,
  type Configuration,
  type OpenSave,
  type OutsideChange,
} from "@/lib/webhooks/model/configuration";
import { isSameAddress, type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { isSame, movedTo, windowMs, type Difference } from "@/lib/webhooks/server/observe/look";
import type { Asker, LastLook, SecondPeople } from "@/lib/webhooks/server/observe/observed";
import {
  revisionOf,
  shownOf,
  versionOf,
  type ConnectionRef,
  type RemoteState,
} from "@/lib/webhooks/server/observe/remote-state";
import { whyRetype } from "@/lib/webhooks/server/observe/retype";
import { outcomeOf, stateOf, type SavedType } from "@/lib/webhooks/server/observe/said";
import { followedSaves, type SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { explaining, isAfterTime } from "@/lib/webhooks/server/observe/saves";
import { withProposals } from "./proposals";

type Loaded = {
  /** Those that may still explain what was shown. */
  saves?: readonly SaveRecord[] | null;
  secondPeople?: SecondPeople | undefined;
};

/**
 * What the last look showed, as the browser gets it, chosen field by field: no secret is passed on. `loaded`: what the
 * caller has read already. `staleReason`: why the list could not be read since.
 */
export async function present(
  connectionRef: ConnectionRef,
  last: LastLook,
  { saves, secondPeople }: Loaded = {},
  staleReason?: Configuration["staleReason"],
): Promise<Configuration> {
  const { remote, epoch, types } = last;
  const show = await shownFingerprints(db(), connectionRef.partnerId);
  const fingerprint = (stored: string) => show(connectionRef.environment, stored);
  const open = saves ?? (await followedSaves(connectionRef.connection));
  const nameOf = await distinctNames(db(), connectionRef.partnerId, [
    ...webhookTypes.flatMap((type) => {
      const who = types[type].asker?.who;
      return who ? [who.by, who.approvedBy] : [];
    }),
    ...open.map(authorOf),
  ]);
  const now = databaseTime();
  const confirmedAgeMs = Math.max(0, Math.round(ageOf(last, now)));
  const configuration = configurationSchema.parse({
    partner: connectionRef.partnerId,
    environment: connectionRef.environment,
    revision: await revisionOf(db(), connectionRef, remote),
    // Newer than the stored look, which it leaves unchanged.
    epoch: staleReason ? epoch + 0.5 : epoch,
    confirmedAt: new Date(now - confirmedAgeMs).toISOString(),
    confirmedAgeMs,
    answeredAt: new Date(now).toISOString(),
    stale: staleReason !== undefined,
    ...(staleReason && { staleReason }),
    ...(remote.unclear && { unclear: true }),
    webhooks: webhookTypes.flatMap((type) => {
      const webhook = remote.webhooks[type];
      if (!webhook) return [];
      const { duplicate, inferred } = webhook;
      const { authorization, ...item } = presentItem(webhook, fingerprint);
      const retype = whyRetype(type, last);
      return [
        {
          type,
          ...item,
          authorization: { ...authorization, ...(retype && { retype }) },
          duplicate,
          ...(inferred && { inferred }),
          ...shownSince(last, type, nameOf),
        },
      ];
    }),
    unrecognised: remote.unrecognised.map((item) => ({
      type: item.type,
      ...presentItem(item, fingerprint),
    })),
    ...(await presentOutside(connectionRef, last, { fingerprint, nameOf })),
    openSaves: openSavesIn(open, last, nameOf),
  });
  return withProposals(configuration, connectionRef.connection, secondPeople);
}

/**
 * Milliseconds since the look. PostgreSQL measures a stored one's age only once the question has reached it, which may
 * take long: its stored time says more. SQLite is asked at once, and its machine's time of day may have been set since.
 */
function ageOf({ moment, answeredAt }: LastLook, now: number): number {
  return isPostgres(env().databaseUrl.reveal()) ? now - moment.at : performance.now() - answeredAt;
}

type Names = (id: string) => string;

/** Who asked for it: with four-eyes approval, not who approved it. */
function authorOf({ proposal, actor }: SaveRecord): string {
  return proposal?.author.id ?? actor.id;
}

/** Since which look the type is shown so, and who asked for it here. */
function shownSince({ remote, types, moment }: LastLook, type: WebhookType, nameOf: Names) {
  const { shown } = types[type];
  const state = shownOf(remote, type);
  // What was listed twice, for instance, was not compared.
  const isCompared = state !== "unreadable" && shown !== null && isSame(shown.state, state);
  const asker = isCompared ? types[type].asker?.who : null;
  return {
    shownSince: new Date(isCompared ? shown.since.at : moment.at).toISOString(),
    askedBy: asker ? presentAsker(asker, nameOf) : null,
    ...(asker?.approvedBy && { approvedBy: nameOf(asker.approvedBy) }),
  };
}

function presentAsker({ by, at }: NonNullable<Asker["who"]>, nameOf: Names) {
  return { name: nameOf(by), at: new Date(at).toISOString() };
}

type Item = RemoteState["unrecognised"][number] | NonNullable<RemoteState["webhooks"]["pix_in"]>;

function presentItem(item: Item, fingerprint: (stored: string) => string) {
  const state = versionOf({ duplicate: false, inferred: false, ...item });
  const isOne = state?.fingerprint && !state.conflict;
  return {
    callbackUrl: item.callbackUrl,
    authorization: {
      set: item.fingerprint !== null || item.authorizationConflict,
      fingerprint: isOne && state.fingerprint ? fingerprint(state.fingerprint) : null,
      conflict: state?.conflict ?? false,
      ...(state?.hidden && { hidden: state.hidden }),
    },
    events: item.events,
  };
}

/** As in the history, with the short fingerprint. */
async function presentOutside(
  connectionRef: ConnectionRef,
  { types }: LastLook,
  { fingerprint, nameOf }: { fingerprint: (stored: string) => string; nameOf: Names },
): Promise<Pick<Configuration, "outside">> {
  const idOf = await differenceNames(connectionRef);
  const shown = webhookTypes.flatMap((type): OutsideChange[] => {
    const { difference, sentValue, showsValues, shown: last } = types[type];
    if (!difference) return [];
    const side = (version: WebhookVersion) =>
      version && {
        ...version,
        fingerprint: version.fingerprint && fingerprint(version.fingerprint),
      };
    const [since, at] = [difference.since, difference.told.at].map((ms) =>
      new Date(ms).toISOString(),
    );
    const isStill = last !== null && isSame(last.state, difference.after);
    const asker = isStill ? types[type].asker?.who : null;
    return [
      {
        id: idOf(type, difference),
        type,
        before: side(difference.before),
        after: side(difference.after),
        ...earlierIn(difference),
        ...(sentValue !== null && { hadValue: true as const }),
        since: since ?? "",
        at: at ?? "",
        ...(asker && { askedBy: presentAsker(asker, nameOf) }),
        ...(!showsValues && { mayBeShownOtherwise: true as const }),
      },
    ];
  });
  return shown.length > 0 ? { outside: shown } : {};
}

function earlierIn(difference: Difference): Pick<OutsideChange, "earlier"> {
  const urls = movedTo({ ...difference, after: null }).filter(
    (url) => !difference.after || !isSameAddress(url, difference.after.callbackUrl),
  );
  return urls.length > 0 ? { earlier: urls } : {};
}

/**
 * Identifies each unacknowledged difference by all that a person sees of it, so that instances need not compare clocks.
 * Keyed like a revision.
 */
export async function differenceNames({
  partnerId,
  environment,
}: Pick<ConnectionRef, "partnerId" | "environment">): Promise<
  (type: WebhookType, difference: Difference) => string
> {
  const mac = await partnerMacs(db(), partnerId, "outside change");
  const partsOf = (version: WebhookVersion) =>
    version && [
      version.callbackUrl,
      version.fingerprint,
      version.conflict ?? false,
      version.hidden ?? null,
    ];
  return (type, { before, after, since, told }) =>
    mac(JSON.stringify([environment, type, partsOf(before), partsOf(after), since, told.at])).slice(
      0,
      32,
    );
}

/** Saves that no look has shown in full, newest first. Leaves out refused ones, which are looked for, too. */
function openSavesIn(saves: readonly SaveRecord[], last: LastLook, nameOf: Names): OpenSave[] {
  return saves.toReversed().flatMap((save) => {
    const open = explaining(save).filter((each) => isOpen(save, each));
    const outcome = outcomeOf(open.map(stateOf));
    if (outcome !== "unclear" && outcome !== "accepted" && outcome !== "partly") return [];
    const looked = Math.max(...open.map(({ type }) => last.types[type].lookedAt ?? 0));
    return [
      {
        operation: save.id,
        outcome,
        types: open.map(({ type }) => type),
        by: nameOf(authorOf(save)),
        at: new Date(save.askedAt).toISOString(),
        until: untilOf(save),
        ...(looked > save.askedAt && { lookedAt: new Date(looked).toISOString() }),
        requestId: save.requestId,
      },
    ];
  });
}

/** Whether Gancho still looks for more of it. */
export function isOpen(save: SaveRecord, each: SavedType): boolean {
  if (save.state !== "answered") return false;
  const state = stateOf(each);
  if (state === "partly") return !isAfterTime(save, save.now);
  return state === "accepted" || state === "unclear";
}

/** ISO 8601; later where its time is over and the list could not be read since. */
export function untilOf({ sentAt, now }: SaveRecord): string {
  const leftMs = sentAt === null ? windowMs : sentAt + windowMs - now;
  return new Date(databaseTime() + Math.max(0, leftMs)).toISOString();
}

/** A fault as a problem: the service's own words as text, and the address it would have to allow. */
export function problemInitOf(fault: Fault): ProblemInit {
  const { publicAddress } = env();
  return {
    ...(fault.upstreamText !== undefined && { detail: fault.upstreamText }),
    retryable: fault.retryable,
    ...(fault.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
    extra: {
      ...(fault.upstreamStatus !== undefined && { upstreamStatus: fault.upstreamStatus }),
      ...(fault.code === "ip_not_allowed" && publicAddress !== null && { publicAddress }),
    },
  };
}

/** The same for a configuration that is shown although the service could not be read. */
export function staleReasonOf(
  fault: Fault,
  requestId: string,
): NonNullable<Configuration["staleReason"]> {
  const { detail, retryAfter, extra } = problemInitOf(fault);
  return { ...extra, code: fault.code, requestId, detail, retryAfter };
}
