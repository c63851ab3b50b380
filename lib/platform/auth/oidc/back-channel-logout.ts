import "server-only";
import { recordPerson } from "@/lib/history/server/record/record";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { endSessionsAtProvider } from "@/lib/platform/auth/sessions/sessions";
import { db, type Db, type Executor } from "@/lib/platform/database/open";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { lockPerson } from "@/lib/platform/database/row-locks";
import { env, type SingleSignOnSettings } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { clientAddress, type RequestContext } from "@/lib/platform/http/model/request-context";
import { maxBodyBytes, readAtMost } from "@/lib/platform/http/read-body";
import { decodeUtf8 } from "@/lib/platform/runtime/bounded-body";
import { log } from "@/lib/platform/log/log";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { decodeJwt, errors, jwtVerify } from "jose";
import * as z from "zod";
import { providerSessionOf } from "./claims";
import { providerKeys } from "./provider-keys";

/** More than a token takes to arrive; for as long, the database knows those that did. */
const lifeSeconds = 300;
const clockSeconds = 30;

/** Of one key pair: a key that both sides know is no proof of the provider's. */
const signatures = ["RS", "PS", "ES"].flatMap((kind) => [256, 384, 512].map((n) => `${kind}${n}`));

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. With a nonce it could be an ID token. */
const logoutToken = z
  .object({
    jti: z.string().min(1).max(1_000),
    sub: z.optional(z.string().min(1).max(255)),
    sid: z.optional(z.string().min(1).max(1_000)),
    events: z.looseObject({ [logoutEvent]: z.looseObject({}) }),
    nonce: z.optional(z.undefined()),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

type LogoutToken = z.infer<typeof logoutToken>;

/** Answers the provider's request, as section 2.8 says. Throws `not_found` where there is no provider. */
export async function answerProviderLogout(request: Request, requestId: string): Promise<Response> {
  const { oidc } = env();
  if (!oidc) throw new ProblemError("not_found");
  const context = { requestId, clientAddress: clientAddress(request.headers) };
  const form = new URLSearchParams(decodeUtf8(await readAtMost(request, maxBodyBytes)) ?? "");
  const token = form.get("logout_token") ?? "";
  const isDone = await logOutByProvider(db(), oidc, token, context).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) throw error;
    log.warn({ err: error, ...context }, "back-channel logout could not be verified");
    return null;
  });
  if (isDone) return new Response(null);
  // Providers send it again later, if at all, where the fault is not theirs.
  return isDone === null
    ? Response.json({ error: "temporarily_unavailable" }, { status: 503 })
    : Response.json({ error: "invalid_request" }, { status: 400 });
}

/**
 * Ends the sessions that a person began at the provider, because it says that they signed out there: those of one
 * session of theirs at the provider, or all. False for a token that is not the provider's, not for Gancho, not about
 * that, old, or here for the second time; then nothing is changed. Throws where the provider's keys cannot be read.
 */
async function logOutByProvider(
  db: Db,
  config: SingleSignOnSettings,
  token: string,
  context: RequestContext,
): Promise<boolean> {
  const claims = await verified(config, token);
  const ended = claims && (await endBy(db, config.issuer, claims, context));
  log[ended === null ? "warn" : "info"]({ ...context, ended }, "back-channel logout");
  return ended !== null;
}

async function verified(config: SingleSignOnSettings, token: string): Promise<LogoutToken | null> {
  try {
    // Anybody can send nonsense, which must cost no request to the provider.
    if (decodeJwt(token).iss !== config.issuer) return null;
    const { payload } = await jwtVerify(token, await providerKeys(config.issuer), {
      issuer: config.issuer,
      audience: config.clientId,
      algorithms: signatures,
      maxTokenAge: lifeSeconds,
      clockTolerance: clockSeconds,
      currentDate: new Date(databaseTime()),
    });
    return logoutToken.safeParse(payload).data ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return null;
    throw error;
  }
}

/** How many sessions ended; null where the token was here before. */
async function endBy(
  db: Db,
  issuer: string,
  { jti, sub, sid }: LogoutToken,
  { requestId, clientAddress }: RequestContext,
): Promise<number | null> {
  const now = databaseTime();
  return db.transaction().execute(async (trx) => {
    // Otherwise one that somebody kept would end the sessions that the person began since.
    await trx
      .deleteFrom("logout_tokens")
      .where("received_at", "<=", now - (lifeSeconds + 2 * clockSeconds) * 1_000)
      .execute();
    const first = await trx
      .insertInto("logout_tokens")
      .values({ token_hash: hashOf(JSON.stringify([issuer, jti])), received_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (first.numInsertedOrUpdatedRows !== 1n) return null;
    const which = { providerSession: sid === undefined ? null : providerSessionOf(issuer, sid) };
    const userId = await ownerOf(trx, { issuer, sub, ...which });
    if (userId === null) return 0;
    await lockPerson(trx, userId);
    const ended = await endSessionsAtProvider(trx, { userId, ...which }, now);
    // No entry where none was open: the provider also says so where the person signed out here first.
    if (ended > 0)
      await recordPerson(trx, {
        who: { id: userId },
        requestId,
        clientAddress,
        kind: "signed_out",
        outcome: "at_provider",
        detail: {},
      });
    return ended;
  });
}

async function ownerOf(
  db: Executor,
  which: { issuer: string; sub: string | undefined; providerSession: string | null },
): Promise<string | null> {
  const { issuer, sub, providerSession } = which;
  const owner =
    sub === undefined
      ? await db
          .selectFrom("sessions")
          .select("user_id")
          .where("provider_session", "=", providerSession)
          .executeTakeFirst()
      : await db
          .selectFrom("identities")
          .select("user_id")
          .where("issuer", "=", issuer)
          .where("subject", "=", sub)
          .executeTakeFirst();
  return owner?.user_id ?? null;
}
