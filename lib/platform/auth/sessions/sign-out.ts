import "server-only";
import { env } from "@/lib/platform/env/env";
import { recordPerson } from "@/lib/history/server/record/record";
import { clientAddress, type SignInContext } from "@/lib/platform/http/model/request-context";
import { db as openDb, type Db } from "@/lib/platform/database/open";
import { localeCookie, negotiateLocale, type Locale } from "@/lib/platform/i18n/model/locale";
import { preferenceIn } from "@/lib/platform/i18n/model/preference-cookie-name";
import { cookies, headers } from "next/headers";
import { forgetSession } from "./browser-cookies";
import { addressToLeave } from "./leave-provider";
import { currentSessionId } from "./read-session";
import { endSession } from "./sessions";

/**
 * Ends a session: `signed_out` at its person's request, `replaced` because somebody signs in in the same browser. One
 * that had ended already leaves no entry.
 */
export async function signOutSession(
  db: Db,
  sessionId: string,
  outcome: "signed_out" | "replaced",
  { requestId, clientAddress }: SignInContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const who = await endSession(trx, sessionId);
    if (who)
      await recordPerson(trx, {
        who,
        kind: "signed_out",
        clientAddress,
        requestId,
        outcome,
        detail: {},
      });
  });
}

/**
 * Ends the browser's session, and has it forget the cookie once the database has that: the answer is the address to go
 * to, at the provider where the person has a session there, too.
 */
export async function answerSignOut(requestId: string): Promise<Response> {
  const { origin } = env().url;
  const id = await currentSessionId();
  const atProvider = id === null ? null : await addressToLeave(openDb(), id, origin);
  if (id !== null)
    await signOutSession(openDb(), id, "signed_out", await currentSignInContext(requestId));
  const answer = Response.json({ url: atProvider?.href ?? `${origin}/sign-in` });
  forgetSession(answer);
  return answer;
}

/** Ends the browser's previous session, because somebody signs in in it now. */
export async function replaceCurrentSession(context: SignInContext): Promise<void> {
  const id = await currentSessionId();
  if (id !== null) await signOutSession(openDb(), id, "replaced", context);
}

/** The context of the current request. */
export async function currentSignInContext(requestId: string): Promise<SignInContext> {
  const sent = await headers();
  return {
    requestId,
    clientAddress: clientAddress(sent),
    userAgent: sent.get("user-agent"),
    locale: await currentLocale(),
  };
}

/** The language of the page that sent it. */
export async function currentLocale(): Promise<Locale> {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  return negotiateLocale(
    preferenceIn(jar, localeCookie),
    sent.get("accept-language"),
    env().defaultLocale,
  );
}
