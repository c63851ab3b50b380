import "server-only";
import { isDatabaseUnavailable } from "@/lib/platform/database/unavailable";
import { env } from "@/lib/platform/env/env";
import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { nothingToKeep } from "@/lib/platform/auth/sessions/browser-cookies";
import type { ProviderAttempt } from "@/lib/platform/auth/oidc/attempt";
import { authOptions } from "./options";

export type AuthRequest = {
  request: Request;
  requestId: string;
  /** The part of the path after `/api/auth/`. */
  action: string;
  body: Uint8Array<ArrayBuffer> | undefined;
};

/**
 * Lets next-auth answer. It does not throw for what callers send. Throws where the database is away: nobody was refused.
 */
export async function nextAuth(
  { request, requestId, action, body }: AuthRequest,
  singleSignOn: ProviderAttempt | null = null,
): Promise<Response> {
  // next-auth builds its addresses from this variable, and without it from what the caller says in Host.
  process.env["NEXTAUTH_URL"] = env().url.origin;
  const { method, headers } = request;
  const own = new NextRequest(request.url, { method, headers, ...(body ? { body } : {}) });
  const toKeep = nothingToKeep();
  const broken = { by: null };
  const answer: unknown = await NextAuth(
    own,
    { params: { nextauth: action.split("/") } },
    authOptions(requestId, singleSignOn, toKeep, broken),
  );
  if (isDatabaseUnavailable(broken.by)) throw broken.by;
  if (!(answer instanceof Response)) throw new Error("next-auth gave no response");
  toKeep.writeInto(answer);
  return answer;
}
