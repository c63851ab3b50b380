import "server-only";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { recordPerson } from "@/lib/history/server/record/record-person";
import { log } from "@/lib/platform/log/log";
import { sendAccountMail } from "@/lib/platform/mail/account-mail";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { normalEmail } from "@/lib/platform/auth/sign-in/check-password";
import { requireRoom } from "@/lib/platform/limits/limits";
import { createHash } from "node:crypto";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { networksOf } from "@/lib/platform/auth/sign-in/network-of";
import { issuePasswordLink, linkHours, mayHavePasswordLink } from "./password-link";

/** Few enough not to annoy, and each link that was sent works for as long as the count lasts. */
const perAccount = { most: 3, seconds: 60 * 60 };
/** Enough for an office behind one address; few for a caller who tries one address after the other. */
const perNetwork = { most: 20, seconds: 10 * 60 };
/** The owner of a /48 has 65,536 networks: together they get as much as four. */
const perSite = { most: 80, seconds: 10 * 60 };

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
  const { network, site } = networksOf(context.clientAddress);
  await requireRoom([
    { key: `forgot from ${network}`, ...perNetwork },
    ...(site === null ? [] : [{ key: `forgot from ${site}`, ...perSite }]),
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
  const person = await db()
    .selectFrom("users")
    .select(["id", "name", "email"])
    .where("email", "=", email)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (!person) return;
  const link = await db()
    .transaction()
    .execute(async (trx) => {
      await lockPerson(trx, person.id);
      if (!(await mayHavePasswordLink(trx, person.id))) return null;
      const made = await issuePasswordLink(trx, person.id, "asked");
      await recordPerson(trx, {
        ...context,
        who: null,
        kind: "password_link_made",
        outcome: "asked",
        detail: { userId: person.id, name: person.name, email },
      });
      return made;
    });
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
