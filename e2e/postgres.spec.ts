import { setTimeout as pause } from "node:timers/promises";
import { Agent, fetch, type RequestInit } from "undici";
import { typeSignIn } from "@/e2e/fixtures/sign-in";
import { expect } from "@/e2e/fixtures/test";
import { cookieOf } from "@/e2e/fixtures/signed-in";
import { test } from "@/e2e/fixtures/two-dashboards";
import { clientAddress } from "@/e2e/installation/nginx";
import { capturesSchema, switchedSchema } from "@/lib/capture/model/capture";

/** PostgreSQL, several instances and a proxy that speaks TLS: what a larger installation has, and the demo does not. */
test.describe.configure({ mode: "serial" });

const url = "https://hooks.loja.example/pix";
const remove = { action: "remove" } as const;

test("the main path works with requests that alternate between the instances", async ({
  page,
  context,
  partner,
  dashboards: { instances },
}) => {
  // The proxy appends the real address to what the caller claims.
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.9" });
  const answer = await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  expect(answer?.headers()["strict-transport-security"]).toMatch(/^max-age=\d{8}; include/);
  await typeSignIn(page, await partner.person("admin"));
  await expect(page).toHaveURL(`/partners/${partner.id}/sandbox/webhooks`);
  const pixOut = page.getByRole("region", { name: "Pix out" });
  await expect(page.getByRole("region", { name: "Receive Pix notifications" })).toBeVisible();

  const cookies = await context.cookies();
  const session = cookies.find(({ name }) => name === "__Host-gancho.session");
  expect(session).toMatchObject({ secure: true, httpOnly: true, sameSite: "Lax", path: "/" });
  // Preferences, too (threat: a sibling host, or plain http, that plants or reads a cookie).
  expect(cookies.filter(({ name }) => name.endsWith("gancho-time-zone"))).toHaveLength(1);
  expect(
    cookies.filter(({ name, secure }) => !name.startsWith("__Host-gancho") || !secure),
  ).toEqual([]);

  await page.getByRole("button", { name: "Register webhook" }).click();
  const sheet = page.getByRole("dialog", { name: "Register webhook" });
  await sheet.getByRole("radio", { name: "Both" }).check();
  await sheet.getByLabel("Callback URL").fill(url);
  await sheet.getByRole("button", { name: /^Register/ }).click();
  await sheet.getByRole("button", { name: /^Register.*without Authorization/ }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await page.getByRole("button", { name: "Edit Pix out" }).click();
  const editing = page.getByRole("dialog", { name: "Edit webhook" });
  await editing.getByLabel("Callback URL").fill(`${url}/out`);
  await editing.getByRole("button", { name: "Overwrite Pix out" }).click();
  await expect(pixOut).toContainText(`${url}/out`);
  expect(await partner.service.list()).toMatchObject([
    { type: "pix_in", callback_url: url },
    { type: "pix_out", callback_url: `${url}/out` },
  ]);

  await page.getByRole("link", { name: "History", exact: true }).click();
  const entry = page
    .getByRole("listitem")
    .filter({ hasText: "The payment service shows the change to Pix out" });
  await expect(entry).toContainText(`from ${clientAddress}`);

  const person = { cookie: `__Host-gancho.session=${session?.value ?? ""}` };
  const at = { id: partner.id, environment: "sandbox" };
  for (const instance of instances) expect((await instance.read(person, at)).status).toBe(200);
  await page.getByRole("button", { name: /Ana Admin/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/sign-in/);
  for (const instance of instances) expect((await instance.read(person, at)).status).toBe(401);
});

test("a save at one instance waits for the one in progress at the other, and then sees what it changed", async ({
  partner,
  dashboards: { instances, upstream },
}) => {
  const [here, there] = instances;
  const person = { cookie: await cookieOf(await partner.person("editor")) };
  const at = { id: partner.id, environment: "sandbox" };
  const saveRequest = (path: string, revision: string | null) =>
    ({ type: "both", url: `${url}/${path}`, revision, authorization: remove }) as const;

  upstream.setPlan({ rules: [{ kind: "register", times: 1, action: { delayMs: 500 } }] });
  const first = here.save(person, at, saveRequest("first", null));
  await expect.poll(() => upstream.counts().register).toBe(1);
  const second = await there.save(person, at, saveRequest("second", null));
  expect((await first).result?.outcome).toBe("saved");
  expect(second).toMatchObject({ status: 409, code: "stale_revision", applied: "no" });
  expect(upstream.counts().register).toBe(1);

  const now = await there.read(person, at);
  const again = await there.save(
    person,
    at,
    saveRequest("second", now.configuration?.revision ?? null),
  );
  expect(again.result?.outcome).toBe("saved");
  expect(await partner.service.list()).toMatchObject([
    { callback_url: `${url}/second` },
    { callback_url: `${url}/second` },
  ]);
});

test("instances that are restarted one after the other under load answer every request", async ({
  partner,
  dashboards: { url, roll },
}) => {
  const headers = { cookie: await cookieOf(await partner.person("admin")) };
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, dispatcher });
  const signIn = await (await ask("/sign-in")).text();
  const [file = ""] = /\/_next\/static\/[^"]+\.js/.exec(signIn) ?? [];
  const members = `/api/partners/${partner.id}/members`;
  const kinds = {
    page: () => ask("/account", { headers }),
    read: () => ask(members, { headers }),
    file: () => ask(file),
    // Refused, as it names no page of Gancho's. nginx may send no change a second time.
    change: () => ask(members, { method: "POST", headers }),
  };

  const answers: Record<string, Set<number | string>> = {};
  let isOver = false;
  const load = Object.entries(kinds).flatMap(([kind, askOne]) =>
    Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const answer = await askOne().then(
          async (given) => (await given.arrayBuffer()) && given.status,
          (error: Error) => String(error.cause ?? error),
        );
        (answers[kind] ??= new Set()).add(answer);
        // A hundred requests a second meet each moment of a restart; without a pause, they leave it no processor.
        await pause(100);
      }
    }),
  );
  for (let times = 0; times < 2; times++) await roll();
  isOver = true;
  await Promise.all(load);
  await dispatcher.close();
  const only = (status: number) => new Set([status]);
  expect(answers).toEqual({
    page: only(200),
    read: only(200),
    file: only(200),
    change: only(403),
  });
});

test("a message that comes to one instance is seen at the other, and both count it", async ({
  partner,
  dashboards: { url: origin, instances },
}) => {
  const [here, there] = instances;
  const at = `/api/partners/${partner.id}/sandbox/capture`;
  const headers = {
    cookie: await cookieOf(await partner.person("admin")),
    origin,
    "x-requested-by": "gancho",
    "content-type": "application/json",
  };
  const body = JSON.stringify({ type: "pix_in", on: true });
  const switched = await fetch(here.url + at, { method: "PUT", headers, body });
  const address = new URL(switchedSchema.parse(await switched.json()).url ?? "");
  const send = (instance: { url: string }) =>
    fetch(instance.url + address.pathname, { method: "POST", body: "{}" });
  expect((await send(there)).status).toBe(204);
  expect((await send(here)).status).toBe(204);
  for (const instance of instances) {
    const seen = await fetch(instance.url + at, { headers });
    const { captures, facts } = capturesSchema.parse(await seen.json());
    expect(captures[0]?.arrivals.map(({ number }) => number)).toEqual([2, 1]);
    expect(facts.map(({ fact, times }) => [fact, times])).toContainEqual(["repeated", 1]);
  }
  // Ten at once: of seventy, a busy machine's last ones would wait too long for a connection to the database.
  const answers: number[] = [];
  for (let sent = 0; sent < 70; sent += 10) {
    const some = Array.from({ length: 10 }, (_, n) => send(n % 2 ? here : there));
    answers.push(...(await Promise.all(some)).map(({ status }) => status));
  }
  expect(answers.filter((status) => status === 204)).toHaveLength(58);
  expect(answers.filter((status) => status === 429)).toHaveLength(12);
});
