import { expect, type APIRequestContext } from "@playwright/test";
import { password } from "@/e2e/fixtures/partner";
import { postSignIn } from "@/e2e/fixtures/sign-in";
import { test } from "@/e2e/fixtures/test";

const sessionOf = async (request: APIRequestContext) =>
  (await request.storageState()).cookies.find(({ name }) => name.endsWith("gancho.session"));

test("the session cookie is out of reach of scripts and other sites, and changes with each sign-in (threats: theft, fixation)", async ({
  request,
  partner,
}) => {
  const email = await partner.person("viewer");
  await postSignIn(request, email);
  const first = await sessionOf(request);
  expect(first).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", domain: "localhost" });
  await postSignIn(request, email);
  expect((await sessionOf(request))?.value).not.toBe(first?.value);
  const old = await request.get(`/api/partners/${partner.id}/sandbox/webhooks`, {
    headers: { cookie: `gancho.session=${first?.value ?? ""}` },
  });
  expect(old.status()).toBe(401);
});

test("page scripts learn that there is a session, and nothing that opens it", async ({
  request,
  partner,
}) => {
  await postSignIn(request, await partner.person("viewer"));
  const session: unknown = await (await request.get("/api/auth/session")).json();
  expect(session).toEqual({ expires: expect.any(String) });
});

test("an Authorization header is no session (threat: a token sent where a cookie is expected)", async ({
  request,
  playwright,
  baseURL,
  partner,
}) => {
  await postSignIn(request, await partner.person("viewer"));
  const token = (await sessionOf(request))?.value ?? "";
  const stranger = await playwright.request.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  const answer = await stranger.get(`/api/partners/${partner.id}/sandbox/webhooks`);
  expect(answer.status()).toBe(401);
  expect(await (await stranger.get("/api/auth/session")).json()).toEqual({});
  await stranger.dispose();
});

for (const [what, headers] of [
  ["another origin", { origin: "https://attacker.example" }],
  ["a sandboxed frame", { origin: "null" }],
  ["what the browser calls another site", { "sec-fetch-site": "cross-site" }],
] as const)
  test(`signing in from ${what} is refused (threat: signing somebody in as somebody else)`, async ({
    request,
    partner,
  }) => {
    const answer = await postSignIn(request, await partner.person("viewer"), { headers });
    expect(answer.status()).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "wrong_origin" });
    expect(await sessionOf(request)).toBeUndefined();
  });

test("signing in without its token is refused (threat: forged requests)", async ({
  request,
  partner,
}) => {
  const form = { email: await partner.person("viewer"), password, json: "true" };
  await request.post("/api/auth/callback/credentials", { form });
  expect(await sessionOf(request)).toBeUndefined();
});

test("signing in leads only to a page of Gancho (threat: open redirect)", async ({
  request,
  partner,
  baseURL,
}) => {
  const email = await partner.person("viewer");
  for (const callbackUrl of [
    "https://attacker.example/",
    "//attacker.example",
    "/\\attacker.example",
    "/api/auth/signout",
  ]) {
    const answer = await postSignIn(request, email, { callbackUrl });
    expect(await answer.json()).toEqual({ url: `${baseURL ?? ""}/` });
  }
});

test("after five wrong passwords the answer says how long to wait, and the caller's address cannot be forged (threat: guessing)", async ({
  request,
  partner,
}) => {
  const email = await partner.person("viewer");
  const errors: string[] = [];
  // The waits grow, so that even on a slow machine one of the next attempts comes too early.
  while (errors.length < 12 && !errors.at(-1)?.startsWith("throttled:")) {
    const madeUp = `203.0.113.${errors.length}`;
    const answer = await postSignIn(request, email, {
      password: "not the password",
      headers: { "x-forwarded-for": madeUp, "x-gancho-client-address": madeUp },
    });
    expect(answer.status()).toBe(401);
    const { url } = (await answer.json()) as { url: string };
    errors.push(new URL(url).searchParams.get("error") ?? "");
  }
  expect(errors.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "CredentialsSignin"));
  expect(errors.at(-1)).toMatch(/^throttled:\d+$/);
});

for (const call of [
  "GET /api/auth/verify-request",
  "POST /api/auth/_log",
  "POST /api/auth/session",
  "GET /api/auth/callback/credentials",
])
  test(`what of next-auth is not used is not there: ${call}`, async ({ request }) => {
    const [method = "", path = ""] = call.split(" ");
    const answer = await request.fetch(path, { method });
    expect(answer.status()).toBe(404);
    expect(answer.headers()["cache-control"]).toBe("no-store");
  });
