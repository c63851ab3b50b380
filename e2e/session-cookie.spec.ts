import { expect, type APIRequestContext } from "@playwright/test";
import { postSignIn } from "@/e2e/fixtures/sign-in";
import { test } from "@/e2e/fixtures/test";

const sessionOf = async (request: APIRequestContext) =>
  (await request.storageState()).cookies.find(({ name }) => name.endsWith("gancho.session"));

test("the session cookie is out of reach of scripts and other sites, and changes with each sign-in (threats: theft, fixation)", async ({
  request,
  partner,
  baseURL: origin = "",
}) => {
  const email = await partner.person("viewer");
  const answer = await postSignIn(request, email, { origin });
  expect(await answer.json()).toEqual({ outcome: "signed_in" });
  const first = await sessionOf(request);
  expect(first).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", domain: "localhost" });
  await postSignIn(request, email, { origin });
  expect((await sessionOf(request))?.value).not.toBe(first?.value);
  const old = await request.get(`/api/partners/${partner.id}/sandbox/webhooks`, {
    headers: { cookie: `gancho.session=${first?.value ?? ""}` },
  });
  expect(old.status()).toBe(401);
});

test("a session token in an Authorization header opens nothing (threat: a token sent where a cookie is expected)", async ({
  request,
  playwright,
  baseURL,
  partner,
}) => {
  await postSignIn(request, await partner.person("viewer"), { origin: baseURL ?? "" });
  const token = (await sessionOf(request))?.value ?? "";
  const stranger = await playwright.request.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  const answer = await stranger.get(`/api/partners/${partner.id}/sandbox/webhooks`);
  expect(answer.status()).toBe(401);
  await stranger.dispose();
});

for (const call of [
  "GET /api/auth/csrf",
  "GET /api/auth/verify-request",
  "GET /api/auth/providers",
  "GET /api/auth/signin",
  "POST /api/auth/_log",
  "GET /api/auth/session",
  "POST /api/auth/session",
  "POST /api/auth/callback/credentials",
])
  test(`unused endpoints of next-auth are absent: ${call}`, async ({ request }) => {
    const [method = "", path = ""] = call.split(" ");
    const answer = await request.fetch(path, { method });
    expect(answer.status()).toBe(404);
    expect(answer.headers()["cache-control"]).toBe("no-store");
  });
