import "server-only";
import { db } from "@/lib/platform/database/open";
import { tooMany } from "@/lib/platform/http/model/refusals";
import { takeFromAll, type Limit } from "@/lib/platform/limits/limits";
import { sql } from "kysely";
import { createHash } from "node:crypto";

const minute = 60;
const hour = 3_600;

/** Checks of one host: so many for anybody who names it, and as many again for the partners that have it registered. */
const most = [
  { checks: 10, seconds: minute },
  { checks: 120, seconds: hour },
];

/**
 * Counts a check of this address against its host's limit, which holds for all partners together. Half of the limit belongs
 * to the partners that have the host registered, in equal parts: nobody else's checks use up a partner's part. The other
 * half is for everybody, so that an address can be tried before it is registered; no partner gets more than half of it.
 *
 * `isRegistered`: the service has just said that it is. Throws `too_many_requests`.
 */
export async function consumeHostTurn(
  url: string,
  partnerId: string,
  isRegistered: boolean,
): Promise<void> {
  const name = URL.canParse(url) ? new URL(url).hostname : url;
  // A key has room for 255 characters, and a name alone may be as long.
  const host = createHash("sha256").update(name).digest("hex");
  const holders = await countHolders(name, partnerId);
  const isHolder = isRegistered || holders.isOne;
  const own = isHolder ? await takeFromAll(db(), ownRoom(host, partnerId, holders.all)) : Infinity;
  if (own === null) return;
  const shared = await takeFromAll(db(), sharedRoom(host, partnerId));
  if (shared !== null) throw tooMany(Math.min(own, shared));
}

/**
 * A part, and all parts together. Where there are more partners than checks, each gets one in a proportionally longer
 * time, in which the others can never use up all of the limit.
 */
function ownRoom(host: string, partnerId: string, holders: number): Limit[] {
  return [
    ...most.map(({ checks, seconds }) => ({
      key: `own endpoint checks of ${partnerId} at ${host} in ${seconds} s`,
      most: Math.max(1, Math.floor(checks / Math.max(1, holders))),
      seconds: seconds * Math.max(1, Math.ceil(holders / checks)),
    })),
    ...most.map(({ checks, seconds }) => ({
      key: `own endpoint checks at ${host} in ${seconds} s`,
      most: checks,
      seconds,
    })),
  ];
}

function sharedRoom(host: string, partnerId: string): Limit[] {
  return [
    ...most.map(({ checks, seconds }) => ({
      key: `shared endpoint checks of ${partnerId} at ${host} in ${seconds} s`,
      most: checks / 2,
      seconds,
    })),
    ...most.map(({ checks, seconds }) => ({
      key: `shared endpoint checks at ${host} in ${seconds} s`,
      most: checks,
      seconds,
    })),
  ];
}

/** How many partners have the host registered, by the list of partners, and whether this is one of them. */
async function countHolders(
  name: string,
  partnerId: string,
): Promise<{ all: number; isOne: boolean }> {
  // As the list has them: with their port, and without what is no address and PostgreSQL refuses.
  const host = name.replace(/\p{Cc}/gu, "\ufffd").slice(0, 255);
  const withPort = `${host.replace(/[\\%_]/g, (sign) => `\\${sign}`)}:%`;
  const leadsTo = (column: "pix_in_host" | "pix_out_host") =>
    sql<boolean>`(${sql.ref(`seen.${column}`)} = ${host} or ${sql.ref(`seen.${column}`)} like ${withPort} escape '\\')`;
  const found = await db()
    .selectFrom("partner_overviews as seen")
    .innerJoin("partners", "partners.id", "seen.partner_id")
    .select([
      sql<number>`count(distinct seen.partner_id)`.as("holders"),
      sql<number>`coalesce(max(case when seen.partner_id = ${partnerId} then 1 else 0 end), 0)`.as(
        "own",
      ),
    ])
    .where("seen.confirmed", "=", 1)
    // Its people cannot check anything.
    .where("partners.suspended_at", "is", null)
    .where(({ or }) => or([leadsTo("pix_in_host"), leadsTo("pix_out_host")]))
    .executeTakeFirstOrThrow();
  return { all: Number(found.holders), isOne: Number(found.own) === 1 };
}
