import { Browser } from "@/lib/platform/auth/testing/at-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { sessionHash } from "@/lib/platform/auth/sessions/session-hash";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { consume } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { Secret } from "@/lib/platform/runtime/secret";
import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";

const at = vi.hoisted(() => ({ browser: null as Browser | null }));
vi.mock("next/headers", () => ({
  cookies: () => at.browser?.headers.cookies(),
  headers: () => at.browser?.headers.headers(),
}));

beforeAll(() => configure());

let browser: Browser;
beforeEach(async () => {
  browser = new Browser();
  at.browser = browser;
  const userId = await insertUser(db(), { name: "Rui Prado", password_hash: null });
  const from = { clientAddress: null, userAgent: null };
  const session = await startSession(db(), userId, from, { by: "single_sign_on" });
  signInAs(userId, sessionHash(session), "single_sign_on");
});

/** A server that gives this answer to everything, after so long; `Infinity`: never. */
async function answering(status: number, body: string, afterMs = 0, port = 0): Promise<string> {
  const answers = new Set<NodeJS.Timeout>();
  const server = createServer((_request, response) => {
    if (afterMs < Infinity)
      answers.add(setTimeout(() => response.writeHead(status).end(body), afterMs));
  });
  const issuer = `http://127.0.0.1:${await listenHere(server, port)}`;
  onTestFinished(() => {
    answers.forEach(clearTimeout);
    server.closeAllConnections();
    server.close();
  });
  return issuer;
}

const ways = [
  ["signing in", {}, "/sign-in"],
  ["the step-up", { stepUp: true }, "/confirm-identity"],
] as const;

for (const [what, fields, page] of ways) {
  it.each([
    ["nothing listens", async () => "http://127.0.0.1:9", "no_answer"],
    ["it takes the call and never answers", () => answering(200, "", Infinity), "no_answer"],
    ["it answers too late", () => answering(200, "{}", 6_000), "no_answer"],
    ["it has a fault", () => answering(503, ""), "no_answer"],
    ["it answers something else", () => answering(200, "<html></html>"), "failed"],
    ["it does not know its metadata", () => answering(404, ""), "failed"],
  ])(`says in words of its own why ${what} does not begin where %s`, async (_why, issuer, code) => {
    signInAt({ ...aProvider, issuer: await issuer() });
    const back = await browser.begin(fields);
    expect(back.pathname + back.search).toBe(`${page}?error=sso-${code}`);
  });

  it.each(["is gone", "has a fault"])(
    `says that the provider did not answer where it %s before ${what} ends, and counts that against nobody`,
    async (how) => {
      const provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
      const { issuer, clientId } = provider;
      signInAt({ ...aProvider, issuer, clientId, clientSecret: new Secret(provider.clientSecret) });
      const claims = { sub: randomUUID(), email: "rui@aurora.example", email_verified: true };
      const answer = await browser.answer(await browser.begin(fields), claims);
      await provider.stop();
      if (how === "has a fault") await answering(503, "", 0, Number(new URL(issuer).port));
      const entries = () => db().selectFrom("history").select("seq").execute();
      const before = await entries();
      expect(await browser.comeBack(answer)).toBe(`${page}?error=sso-no_answer`);
      expect(await entries()).toEqual(before);
      const caller = { email: null, clientAddress: null };
      expect(await consume(db(), caller)).toEqual({ allowed: true });
    },
  );

  it(`tells an outage that the provider itself reports while ${what} from a refusal`, async () => {
    const provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
    onTestFinished(() => provider.stop());
    const { issuer, clientId } = provider;
    signInAt({ ...aProvider, issuer, clientId, clientSecret: new Secret(provider.clientSecret) });
    for (const [error, code] of [
      ["temporarily_unavailable", "no_answer"],
      ["invalid_scope", "failed"],
    ] as const) {
      const asked = await browser.begin(fields);
      const state = asked.searchParams.get("state") ?? "";
      const answer = new URL(`http://localhost:3000/?${new URLSearchParams({ error, state })}`);
      expect(await browser.comeBack(answer)).toBe(`${page}?error=sso-${code}`);
    }
  });
}
