import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { Browser } from "@/lib/platform/auth/testing/at-provider";
import { logoutClaims, sendLogout } from "@/lib/platform/auth/testing/log-out-by-provider";
import { startOpenIdProvider } from "@/lib/platform/auth/testing/openid-provider";
import { db } from "@/lib/platform/database/open";
import { configure } from "@/lib/platform/database/testing/configure";
import { insert } from "@/lib/platform/database/testing/rows";
import { forgetProcessWide } from "@/lib/platform/runtime/testing/new-process";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const browser = new Browser();
vi.mock("next/headers", () => ({
  cookies: () => browser.headers.cookies(),
  headers: () => browser.headers.headers(),
}));

// The session that the browser's cookie names; elsewhere `signInAs` decides.
vi.mock("@/lib/platform/auth/sessions/read-session", async (original) => original());

/** From here on the other instance answers, which has the database and the settings in common with this one. */
let next: () => void;
function otherInstance(): void {
  const back = forgetProcessWide();
  next();
  next = back;
}

const partnerId = randomUUID();
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;
beforeAll(async () => {
  provider = await startOpenIdProvider("http://localhost:3000/api/auth/callback/oidc");
  await configure({
    SIGN_IN: "provider",
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_PARTNER_CLAIM: "groups=pix-{partner}-{role}",
  });
  await insert("partners", { id: partnerId, name: "Loja", created_at: 1 });
  next = forgetProcessWide();
});
afterAll(async () => {
  await provider.stop();
  await db().destroy();
  otherInstance();
});

const subject = randomUUID();
const claims = {
  sub: subject,
  email: `${subject}@loja.example`,
  email_verified: true,
  groups: [`pix-${partnerId}-admin`],
};

/** The embedded database serves one instance. */
const onPostgres = it.runIf(process.env["TEST_ENGINE"] === "postgres");

onPostgres(
  "what one instance began at the provider, the other one finishes, once for both",
  async () => {
    const answer = await browser.answer(await browser.begin(), claims);
    otherInstance();
    expect(await browser.comeBack(answer)).toBe("/");
    otherInstance();
    const session = await readSession();
    expect(session).toMatchObject({ signedInBy: "single_sign_on" });

    const confirmed = await browser.answer(await browser.begin({ stepUp: true }), claims);
    const cookies = new Map(browser.cookies);
    otherInstance();
    expect(await browser.comeBack(confirmed)).toBe("/confirm-identity?done=given");
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    otherInstance();
    expect(await browser.comeBack(confirmed)).toBe("/confirm-identity?error=sso-over");
    await expect(requireStepUp({ session: await readSession() })).resolves.toBeUndefined();

    const left = await provider.signed(logoutClaims(provider, { sub: subject }));
    expect(await sendLogout(left)).toBe(200);
    otherInstance();
    expect(await readSession()).toBeNull();
    expect(await sendLogout(left)).toBe(400);
  },
);
