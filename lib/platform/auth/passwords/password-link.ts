import "server-only";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import { db, type Executor, type Db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { recordPerson, atTheTerminal, type PersonEntry } from "@/lib/history/server/record/record";
import { log } from "@/lib/platform/log/log";
import { hashOf, newToken } from "@/lib/platform/auth/one-time-token";
import type { Transaction } from "kysely";
import { countLinkUse, perCaller } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { deviceOwner, type DeviceOwner } from "@/lib/platform/auth/sign-in/known-device";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { hashPassword } from "./password-hash";
import { passwordFault } from "./password-rules";
import { endSessionsOf } from "@/lib/platform/auth/sessions/sessions";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { sendAccountMail } from "@/lib/platform/mail/account-mail";
import { normalEmail } from "@/lib/platform/auth/sign-in/check-password";
import { enforceLimits } from "@/lib/platform/limits/limits";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { createHash } from "node:crypto";

/** Long enough for a weekend. A person uses a link that they requested at once. */
export const linkHours = { made: 72, asked: 1 };

/**
 * A one-time link with which this person chooses a password: for a mail to their address, or for the operator at the
 * terminal, who vouches for the recipient. It goes nowhere else, so whoever uses it owns the address. Invalidates
 * earlier links, except where anybody can request one: else a stranger could keep invalidating the person's. The
 * database only has a hash of the token, which stands after the #, where no server, log or Referer sees it.
 */
export async function issuePasswordLink(
  trx: Transaction<Database>,
  userId: string,
  why: keyof typeof linkHours,
  { madeById = null, now = databaseTime() }: { madeById?: string | null; now?: number } = {},
): Promise<string> {
  const token = newToken();
  if (why === "made") await endPasswordLinksOf(trx, userId, now);
  await trx
    .insertInto("password_links")
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      made_by_id: madeById,
      created_at: now,
      expires_at: now + linkHours[why] * 60 * 60_000,
      used_at: null,
    })
    .execute();
  return new URL(`/choose-password#${token}`, env().url).href;
}

/** Invalidates links with which a password could have been chosen. */
export async function endPasswordLinksOf(db: Executor, userId: string, now: number): Promise<void> {
  await db
    .updateTable("password_links")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
}

/**
 * Whether this person can be given a link at all. A person without a password who signs in at their provider gets none:
 * the provider decides how they sign in. Checks no access.
 */
async function mayHavePasswordLink(executor: Executor, userId: string): Promise<boolean> {
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
 * `used`: or replaced by a newer link, or made by somebody who has lost that right. `elsewhere`: its person signs in at
 * their provider, and has no password.
 */
type PasswordLinkState = "open" | "used" | "expired" | "elsewhere";

type ReadLink = { state: PasswordLinkState; name: string; email: string };

/** The owner of this link, and whether it still works. Changes nothing. Throws `not_found`. */
export async function readPasswordLink(token: string): Promise<ReadLink> {
  const { state, name, email } = await find(db(), token);
  return { state, name, email };
}

/**
 * Sets the password, once, and ends all sessions of the person, so that the old password is of no use. Returns the
 * owner of the browser that chose. Throws `not_found`, `invitation_over` with its state, `invalid_fields`, or
 * `too_many_requests`.
 */
export async function choosePassword(
  { token, password }: { token: string; password: string },
  context: { requestId: string; clientAddress: string | null },
): Promise<{ email: string; owner: DeviceOwner }> {
  const link = await find(db(), token);
  if (link.state !== "open") throw over(link.state);
  const fault = passwordFault(password, link);
  if (fault) throw fieldRefused("password", fault);
  const counted = await countLinkUse(db(), link.userId, context.clientAddress);
  const passwordHash = await hashPassword(password, counted);
  const { userId, email } = link;
  const owner = await db()
    .transaction()
    .execute(async (trx) => {
      const now = databaseTime();
      // Locks the person first, as everything that makes links does: two transactions could deadlock otherwise.
      await lockPerson(trx, userId);
      const { state } = await find(trx, token);
      if (state !== "open") throw over(state);
      await trx
        .updateTable("users")
        .set({ password_hash: passwordHash })
        .where("id", "=", userId)
        .execute();
      await endPasswordLinksOf(trx, userId, now);
      await endSessionsOf(trx, userId, "password_changed", now);
      const marked = await deviceOwner(trx, userId);
      await recordPerson(trx, {
        ...context,
        who: { id: userId },
        kind: "password_changed",
        outcome: "by_link",
        detail: {},
      });
      return marked;
    });
  log.info({ ...context, userId }, "a password was chosen by a link");
  return { email, owner };
}

async function find(executor: Executor, token: string): Promise<ReadLink & { userId: string }> {
  const row = await executor
    .selectFrom("password_links")
    .innerJoin("users", "users.id", "password_links.user_id")
    .leftJoin("users as maker", "maker.id", "password_links.made_by_id")
    .select(["users.id as userId", "users.name", "users.email", "expires_at", "used_at"])
    .select(["made_by_id", "maker.staff_role as maker_role", "maker.disabled_at as maker_left"])
    .where("token_hash", "=", hashOf(token))
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
  if (!row) throw new ProblemError("not_found", { applied: "no" });
  const { expires_at, used_at, made_by_id, maker_role, maker_left, ...person } = row;
  const isMakerAllowed = made_by_id === null || (maker_role === "operator" && maker_left === null);
  const stateOf = async () => {
    if (used_at !== null || !isMakerAllowed) return "used";
    if (expires_at <= databaseTime()) return "expired";
    return (await mayHavePasswordLink(executor, person.userId)) ? "open" : "elsewhere";
  };
  return { ...person, state: await stateOf() };
}

function over(state: PasswordLinkState): ProblemError {
  return new ProblemError("invitation_over", { applied: "no", extra: { state } });
}

/** A link for the person with this address (lower-case). `elsewhere`: the person signs in at their provider. */
export async function makeLinkAtTerminal(
  db: Db,
  email: string,
): Promise<{ outcome: "made"; link: string } | { outcome: "nobody" } | { outcome: "elsewhere" }> {
  const made = await makeLink(db, email, "made", atTheTerminal);
  if (!made) return { outcome: "nobody" };
  const { link } = made;
  return link === null ? { outcome: "elsewhere" } : { outcome: "made", link };
}

/** null where nobody has this address; a `link` of null where the person can be given none. */
async function makeLink(
  db: Db,
  email: string,
  why: keyof typeof linkHours,
  from: Pick<PersonEntry, "requestId" | "clientAddress">,
) {
  const person = await db
    .selectFrom("users")
    .select(["id", "name", "email"])
    .where("email", "=", email)
    .where("disabled_at", "is", null)
    // Else it would go to whoever reads that address by now. At the terminal the operator vouches for who gets it.
    .$if(why === "asked", (query) => query.where("email_vouched", "=", 1))
    .executeTakeFirst();
  if (!person) return null;
  const link = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, person.id);
    if (!(await mayHavePasswordLink(trx, person.id))) return null;
    const made = await issuePasswordLink(trx, person.id, why);
    await recordPerson(trx, {
      ...from,
      who: null,
      kind: "password_link_made",
      outcome: why === "made" ? "terminal" : "asked",
      detail: { userId: person.id, name: person.name, email },
    });
    return made;
  });
  return { person, link };
}

/** Few enough not to annoy, and each link that was sent works for as long as the count lasts. */
const perAccount = { most: 3, seconds: 60 * 60 };
/** Enough for an office behind one address; few for a caller who tries one address after the other. */
const perNetwork = { most: 20, seconds: 10 * 60 };

/**
 * Handles a forgotten password. It acts after the answer, so that neither the answer nor its duration reveals who has
 * an account; the returned `done` is for callers that have to wait for it. Counts by the typed address, whether an
 * account has it or not. Throws `not_found` where there is no mail, and `too_many_requests`.
 */
export async function askForPasswordLink(
  typed: string,
  context: RequestContext,
): Promise<{ done: Promise<void> }> {
  if (!env().mail) throw new ProblemError("not_found", { applied: "no" });
  const email = normalEmail(typed);
  await enforceLimits([
    ...perCaller("forgot from", context.clientAddress, perNetwork),
    // A typed address may be anything, also a password.
    { key: `forgot ${createHash("sha256").update(email).digest("hex")}`, ...perAccount },
  ]);
  return {
    done: mailLink(email, context).catch((err: unknown) =>
      log.error({ err }, "a password link was not sent"),
    ),
  };
}

async function mailLink(email: string, context: RequestContext): Promise<void> {
  const made = await makeLink(db(), email, "asked", context);
  if (!made) return;
  const { person, link } = made;
  if (link !== null)
    await sendAccountMail(person, {
      kind: "password_link",
      link,
      hours: linkHours.asked,
      by: null,
    });
  else
    await sendAccountMail(person, {
      kind: "no_password",
      provider: env().oidc?.name ?? "OpenID Connect",
    });
}
