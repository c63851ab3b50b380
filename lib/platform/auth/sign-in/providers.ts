import "server-only";
import { presentContext, replacePresentSession } from "@/lib/platform/auth/sessions/sign-out";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import Credentials from "next-auth/providers/credentials";
import * as z from "zod";
import { keptByBrowser, type ToKeep } from "@/lib/platform/auth/sessions/browser-cookies";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { assertionSchema, type Assertion } from "@/lib/platform/auth/model/passkey-response";
import { checkPasskeySignIn, type PasskeySignInResult } from "@/lib/platform/auth/passkeys/sign-in";
import { completeSignIn, type CodeResult } from "./complete-sign-in";
import { signIn, type SignInResult } from "./sign-in";

const password = z.object({ email: z.string().max(1_000), password: z.string().max(10_000) });
const code = z.object({ code: z.string().max(100) });
const passkey = z.object({ assertion: z.string().max(6_000) });

/**
 * Collects the fault that kept `authorize` from answering: next-auth takes anything thrown there for a refusal of the
 * person.
 */
export type Broken = { by: unknown };

/** The first step of signing in. */
export function passwordProvider(requestId: string, toKeep: ToKeep, broken: Broken) {
  return Credentials({
    id: "credentials",
    credentials: { email: {}, password: {} },
    async authorize(typed) {
      const { data } = password.safeParse(typed);
      if (!data) return null;
      const request = { ...data, ...(await presentBrowser(requestId)) };
      const result = await orUnavailable(signIn(db(), request, env().mode === "demo"), broken);
      return toUser(result, request, toKeep);
    },
  });
}

/** The second, where the person has one-time codes set up. */
export function codeProvider(requestId: string, toKeep: ToKeep, broken: Broken) {
  return Credentials({
    id: "one-time-code",
    credentials: { code: {} },
    async authorize(typed) {
      const { data } = code.safeParse(typed);
      if (!data) return null;
      const pendingId = await keptByBrowser("code");
      const request = { ...data, ...(await presentBrowser(requestId)), pendingId };
      return toUser(await orUnavailable(completeSignIn(db(), request), broken), request, toKeep);
    },
  });
}

/** The passkey alone, in place of both. */
export function passkeyProvider(requestId: string, toKeep: ToKeep, broken: Broken) {
  return Credentials({
    id: "passkey",
    credentials: { assertion: {} },
    async authorize(sent) {
      const assertion = assertionIn(passkey.safeParse(sent).data?.assertion);
      if (!assertion) return null;
      const holder = await keptByBrowser("passkey");
      const request = { assertion, ...(await presentBrowser(requestId)), holder };
      return toUser(
        await orUnavailable(checkPasskeySignIn(db(), request), broken),
        request,
        toKeep,
      );
    },
  });
}

/** In JSON, because a form carries text. */
function assertionIn(text = ""): Assertion | null {
  try {
    return assertionSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

async function presentBrowser(requestId: string) {
  return { ...(await presentContext(requestId)), device: await keptByBrowser("device") };
}

/** next-auth writes the message of any error thrown here into an address that the browser shows. */
async function orUnavailable<Result>(result: Promise<Result>, broken: Broken): Promise<Result> {
  try {
    return await result;
  } catch (err) {
    broken.by = err;
    log.error({ err }, "sign-in failed");
    throw new Error("unavailable", { cause: err });
  }
}

/** In next-auth's form: a user, null for a refusal, or an error whose message is the code. */
async function toUser(
  result: SignInResult | CodeResult | PasskeySignInResult,
  caller: SignInContext,
  { keep, forget }: ToKeep,
): Promise<{ id: string } | null> {
  switch (result.outcome) {
    case "signed_in":
      await replacePresentSession(caller);
      keep("device", result.device);
      forget("code");
      forget("passkey");
      return { id: result.sessionId };
    case "code_required":
      keep("code", result.pendingId);
      throw new Error("code_required");
    case "over":
      forget("code");
      throw new Error("code_over");
    case "passkey_over":
      throw new Error("passkey_over");
    case "throttled":
      throw new Error(`throttled:${result.retryAfterSeconds}`);
    case "refused":
    case "wrong":
      return null;
  }
}
