import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/schema";
import { newestOf } from "@/lib/history/server/read/find";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf, recordHistory } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";
import type { Place } from "@/lib/webhooks/server/read/look";
import { giveBackRevealTurn, revealWindowMs } from "./reveal-turn";
import type { Revealed } from "@/lib/webhooks/model/revealed";
import type { WebhookType } from "@/lib/webhooks/model/types";

/** What a reveal is of, and who asks for it. */
export type Asking = {
  access: PartnerAccess;
  place: Place;
  type: WebhookType;
  origin: RequestContext;
};

type Ending = {
  outcome:
    | "revealed"
    | "wrong_password"
    | "limited"
    | "not_allowed"
    | "not_read"
    | NonNullable<Revealed["absence"]>;
  fingerprint: string | null;
  problem: string | null;
};

/** How it ended, in the partner's history. `turn`: given back where nothing is shown. */
export async function recordReveal(
  asking: Asking,
  { turn, ...ending }: Ending & { turn?: string },
): Promise<void> {
  await db()
    .transaction()
    .execute(async (trx) => {
      await append(trx, asking, ending);
      if (turn !== undefined && ending.outcome !== "revealed") await giveBackRevealTurn(trx, turn);
    });
}

/**
 * That the hourly limit refused it. Nothing slows down who goes on asking, so refusals that follow one another within
 * an hour are one entry: else a flood of them would fill a history that nobody can clear.
 */
export async function recordLimited(asking: Asking): Promise<void> {
  const { access, place } = asking;
  await db()
    .transaction()
    .execute(async (trx) => {
      // So that, of many at once, each sees the entry of the one before.
      await lockPerson(trx, access.viewer.id);
      const [newest] = await newestOf(trx, place.partnerId, access.viewer.id, 1);
      const follows = newest?.kind === "authorization_reveal" && newest.outcome === "limited";
      if (follows && newest.at > Date.now() - revealWindowMs) return;
      await append(trx, asking, { outcome: "limited", fingerprint: null, problem: null });
    });
}

async function append(
  trx: Transaction<Database>,
  { access, place, type, origin }: Asking,
  { outcome, fingerprint, problem }: Ending,
): Promise<void> {
  await recordHistory(trx, {
    partnerId: place.partnerId,
    environment: place.environment,
    kind: "authorization_reveal",
    types: [type],
    actor: actorOf(access.viewer, origin),
    requestId: origin.requestId,
    outcome,
    detail: { fingerprint, problem },
  });
}
