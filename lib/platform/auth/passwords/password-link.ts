import "server-only";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import { db, type Executor, type Db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { recordPerson, atTheTerminal } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Selectable, Transaction } from "kysely";
import { rightToHandOut } from "@/lib/platform/auth/handed-out";
import { countLinkUse } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { deviceOwner, type DeviceOwner } from "@/lib/platform/auth/sign-in/known-device";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { hashPassword } from "./password-hash";
import { passwordFault } from "./password-rules";
import {
  endPasswordLinksOf,
  forgetProof,
  proveAddress,
  recordProof,
} from "@/lib/platform/auth/proven-address";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";

/** How a link reaches its person, and so what using it proves. */
export type LinkDelivery =
  /** Another person hands it over, and could use it themselves (`rightToHandOut`). `by`: their name. */
  | { proves: null; by: string }
  /** Gancho mails it to the address; nobody else sees it. `by`: the name of the person who requested it for them. */
  | { proves: "mail"; by: string | null }
  /** The operator makes it, and vouches for the recipient. */
  | { proves: "terminal"; by: null };

/** Long enough for a weekend. A person uses a link that they requested at once. */
export const linkHours = { made: 72, asked: 1 };

/**
 * A one-time link with which this person chooses a password. Invalidates earlier links, except where anybody can
 * request one: else a stranger could keep invalidating the person's. The database only has a hash of the token, which
 * stands after the #, where no server, log or Referer sees it.
 */
export async function issuePasswordLink(
  trx: Transaction<Database>,
  userId: string,
  { proves, by, byId = null }: LinkDelivery & { byId?: string | null },
  now = Date.now(),
): Promise<string> {
  const token = newToken();
  const isRequested = proves === "mail" && by === null;
  if (!isRequested) await endPasswordLinksOf(trx, userId, now);
  const hours = isRequested ? linkHours.asked : linkHours.made;
  await trx
    .insertInto("password_links")
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      created_at: now,
      expires_at: now + hours * 60 * 60_000,
      used_at: null,
      proves,
      made_by: by,
      made_by_id: byId,
    })
    .execute();
  return new URL(`/choose-password#${token}`, env().url).href;
}

/**
 * Whether this person can be given a link at all. A person without a password who signs in at their provider gets none:
 * its maker could use it, and act in the name of somebody who would never notice. Takes the id on trust.
 */
export async function mayHavePasswordLink(executor: Executor, userId: string): Promise<boolean> {
  const person = await executor
    .selectFrom("users")
    .leftJoin("identities", "identities.user_id", "users.id")
    .select("users.id")
    .where("users.id", "=", userId)
    .where("users.disabled_at", "is", null)
    .where((eb) =>
      eb.or([eb("password_hash", "is not", null), eb("identities.subject", "is", null)]),
    )
    .executeTakeFirst();
  return person !== undefined;
}

/**
 * `used`: by its person, by a newer link, or by what has changed since it was made. `elsewhere`: its person signs in at
 * their provider now, and has no password to choose.
 */
type PasswordLinkState = "open" | "used" | "expired" | "elsewhere";

type ReadLink = { state: PasswordLinkState; name: string; email: string } & LinkDelivery;

/** The owner of this link, whether it still works, and what using it proves. Changes nothing. Throws `not_found`. */
export async function readPasswordLink(token: string): Promise<ReadLink> {
  const { state, name, email, way } = await find(db(), token);
  return { state, name, email, ...way };
}

/**
 * Sets the password, once, and ends all sessions of the person, so that the old password is of no use. A link that
 * proves the address marks it as proven; any other link marks it as not proven, since somebody else could have chosen
 * this password. Returns the owner of the browser that chose. Throws `not_found`, `invitation_over` with its state,
 * `invalid_fields`, or `too_many_requests`.
 */
export async function choosePassword(
  { token, password }: { token: string; password: string },
  context: { requestId: string; clientAddress: string | null },
): Promise<{ email: string; owner: DeviceOwner }> {
  const link = await find(db(), token);
  if (link.state !== "open") throw over(link.state);
  const fault = passwordFault(password, link);
  if (fault) throw fieldRefused("password", fault);
  await countLinkUse(db(), link.userId, context.clientAddress);
  const passwordHash = await hashPassword(password, context.clientAddress);
  const { userId, name, email, way, madeById } = link;
  const owner = await db()
    .transaction()
    .execute(async (trx) => {
      const now = Date.now();
      // Locks the person first, as everything that makes links does: else two transactions could wait for each other.
      await lockPerson(trx, userId);
      const state = await stateOf(trx, link);
      if (state !== "open") throw over(state);
      const used = await trx
        .updateTable("password_links")
        .set({ used_at: now })
        .where("token_hash", "=", hashOf(token))
        .where("used_at", "is", null)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      if (used.numUpdatedRows !== 1n) throw over("used");
      const dropped = way.proves === null ? null : await proveAddress(trx, userId, way.proves, now);
      if (way.proves === null) await forgetProof(trx, userId);
      await trx
        .updateTable("users")
        .set({ password_hash: passwordHash })
        .where("id", "=", userId)
        .execute();
      await endPasswordLinksOf(trx, userId, now);
      await endSessionsOf(trx, userId, "password_changed", now);
      const marked = await deviceOwner(trx, userId);
      const person = { id: userId, name, email };
      if (dropped && way.proves !== null)
        await recordProof(trx, person, { by: way.proves, dropped }, context);
      await recordPerson(trx, {
        ...context,
        who: { id: userId, name },
        kind: "password_changed",
        outcome: "by_link",
        detail: { link: { ...way, ...(madeById !== null && { byId: madeById }) } },
      });
      return marked;
    });
  log.info({ ...context, userId, proves: way.proves }, "a password was chosen by a link");
  return { email, owner };
}

type Found = {
  state: PasswordLinkState;
  userId: string;
  name: string;
  email: string;
  way: LinkDelivery;
  madeById: string | null;
  usedAt: number | null;
  expiresAt: number;
};

async function find(executor: Executor, token: string): Promise<Found> {
  const row = await executor
    .selectFrom("password_links")
    .innerJoin("users", "users.id", "password_links.user_id")
    .select(["users.id", "users.name", "users.email", "expires_at", "used_at", "proves", "made_by"])
    .select("made_by_id")
    .where("token_hash", "=", hashOf(token))
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  const found = {
    userId: row.id,
    name: row.name,
    email: row.email,
    way: deliveryOf(row),
    madeById: row.made_by_id,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
  };
  return { ...found, state: await stateOf(executor, found) };
}

async function stateOf(
  executor: Executor,
  { userId, way, madeById, usedAt, expiresAt }: Omit<Found, "state">,
): Promise<PasswordLinkState> {
  if (usedAt !== null) return "used";
  if (expiresAt <= Date.now()) return "expired";
  if (!(await mayHavePasswordLink(executor, userId))) return "elsewhere";
  // People request one themselves where there is mail, and nobody else sees it.
  if (way.proves === null && (env().mail !== null || madeById === null)) return "used";
  if (madeById === null) return "open";
  const maker = { kind: "password_link", makerId: madeById, userId } as const;
  return (await rightToHandOut(executor, maker)) === null ? "used" : "open";
}

/** One from before this was kept was handed over. */
function deliveryOf({ proves, made_by: by }: Pick<Row, "proves" | "made_by">): LinkDelivery {
  if (proves === "mail") return { proves, by };
  return proves === "terminal" ? { proves, by: null } : { proves: null, by: by ?? "" };
}

type Row = Selectable<Database["password_links"]>;

function over(state: PasswordLinkState): ProblemError {
  return new ProblemError("invitation_over", { applied: "no", extra: { state } });
}

/**
 * A link for the person with this address (lower-case), for the operator to hand over: they vouch that it reaches the
 * address's owner, and using it proves that. `elsewhere`: the person signs in at their provider.
 */
export async function makeLinkAtTerminal(
  db: Db,
  email: string,
): Promise<{ outcome: "made"; link: string } | { outcome: "nobody" } | { outcome: "elsewhere" }> {
  return db.transaction().execute(async (trx) => {
    const person = await trx
      .selectFrom("users")
      .select(["id", "name"])
      .where("email", "=", email)
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    if (!person) return { outcome: "nobody" as const };
    await lockPerson(trx, person.id);
    if (!(await mayHavePasswordLink(trx, person.id))) return { outcome: "elsewhere" as const };
    const link = await issuePasswordLink(trx, person.id, { proves: "terminal", by: null });
    await recordPerson(trx, {
      ...atTheTerminal,
      kind: "password_link_made",
      outcome: "terminal",
      detail: { userId: person.id, name: person.name, email },
    });
    return { outcome: "made" as const, link };
  });
}
