import { POST } from "@/app/api/auth/back-channel-logout/route";
import { randomUUID } from "node:crypto";
import type { startOpenIdProvider } from "./openid-provider";

type Provider = Pick<
  Awaited<ReturnType<typeof startOpenIdProvider>>,
  "issuer" | "clientId" | "signed"
>;

const now = () => Math.floor(Date.now() / 1_000);

/** What a provider says, as it should be, of a person (`sub`) or of one session of theirs there (`sid`). */
export const logoutClaims = ({ issuer, clientId }: Provider, more: Record<string, unknown>) => ({
  iss: issuer,
  aud: clientId,
  iat: now(),
  exp: now() + 120,
  jti: randomUUID(),
  events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  ...more,
});

/** Sends a statement, and gives the status of the answer. */
export async function sendLogout(token: string): Promise<number> {
  const request = new Request("http://localhost:3000/api/auth/back-channel-logout", {
    method: "POST",
    body: new URLSearchParams({ logout_token: token }),
  });
  return (await POST(request, { params: Promise.resolve({}) })).status;
}

/** The provider's own statement that a person or a session of theirs left; gives the status of the answer. */
export const logOutBy = async (provider: Provider, who: { sub: string } | { sid: string }) =>
  sendLogout(await provider.signed(logoutClaims(provider, who)));
