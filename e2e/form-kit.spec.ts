import type { Mutations } from "@/e2e/form-kit/page";
import { expect, test as base, type Page, type Route } from "@playwright/test";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

/*
 * The form kit and the mutation under it, in a browser and without Gancho: what every screen relies on, each rule once.
 */

declare const mutations: Mutations;

const root = fileURLToPath(new URL("..", import.meta.url));
const origin = "https://gancho.example";

const script = build({
  entryPoints: [`${root}e2e/form-kit/page.tsx`],
  alias: { "@": root.slice(0, -1) },
  define: { "process.env.NODE_ENV": '"production"', "process.env": "{}" },
  jsx: "automatic",
  bundle: true,
  format: "iife",
  write: false,
}).then(({ outputFiles }) => outputFiles[0]?.text ?? "");

/** The requests that change something; each waits until the test answers it. */
type Api = { sent: Route[]; next: () => Promise<Route>; readings: () => number };

const test = base.extend<{ api: Api }>({
  api: async ({ page }, provide) => {
    const sent: Route[] = [];
    let readings = 0;
    let taken = 0;
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/")
        return route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
      if (pathname === "/api/health/live") return route.abort();
      if (route.request().method() === "GET") return route.fulfill({ body: String(++readings) });
      sent.push(route);
    });
    await page.goto(origin);
    await page.addScriptTag({ content: await script });
    await expect(page.getByRole("status")).toHaveText("1");
    await provide({
      sent,
      readings: () => readings,
      next: async () => {
        await expect.poll(() => sent.length).toBeGreaterThan(taken);
        return sent[taken++] as Route;
      },
    });
    expect(errors).toEqual([]);
  },
});

function refuse(status: number, code: string, more: object = {}) {
  return { status, json: { status, code, requestId: "q1", applied: "no", ...more } };
}

/** Twice before the page can have drawn anything in between. */
async function pressTwice(page: Page, name: string) {
  await page.getByRole("button", { name, exact: true }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
}

test.describe("a change", () => {
  test("is sent once however often a person presses @main", async ({ page, api }) => {
    await pressTwice(page, "Change");
    const request = await api.next();
    await expect(page.getByRole("button", { name: "Change" })).toHaveAttribute("aria-busy", "true");
    await page.getByRole("button", { name: "Change" }).dispatchEvent("click");
    await request.fulfill({ json: {} });
    await expect(page.getByRole("list", { name: "Told" })).toContainText("done");
    expect(await page.evaluate(() => mutations.refreshed())).toBe(1);
    expect(api.sent).toHaveLength(1);
    await expect(page.getByRole("list", { name: "Told" }).getByRole("listitem")).toHaveText([
      "under way",
      "done at 2",
    ]);
  });

  test("says what happened, whether anything changed, what to do and what to quote @main", async ({
    page,
    api,
  }) => {
    await page.getByRole("button", { name: "Change" }).click();
    await (await api.next()).fulfill(refuse(429, "too_many_requests", { retryAfter: 30 }));
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Nothing was changed.");
    await expect(alert).toContainText("Try again in 30 seconds.");
    await expect(alert).toContainText("Request ID q1");
    expect(await page.evaluate(() => mutations.refreshed())).toBe(0);
  });

  test("may have happened where no answer came: what is there is read anew", async ({
    page,
    api,
  }) => {
    await page.getByRole("button", { name: "Change" }).click();
    await (await api.next()).abort();
    await expect(page.getByRole("alert")).toHaveText("Gancho could not be reached.");
    expect(api.readings()).toBe(2);
    await page.getByRole("button", { name: "Change" }).click();
    await (await api.next()).fulfill({ json: {} });
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("is not sent without a network, nor later by itself", async ({ page, context, api }) => {
    await context.setOffline(true);
    await page.getByRole("button", { name: "Change" }).click();
    await expect(page.getByRole("alert")).toHaveText("Gancho could not be reached.");
    await context.setOffline(false);
    await expect.poll(() => api.readings()).toBe(2);
    expect(api.sent).toHaveLength(0);
  });

  test("keeps what it sent nowhere (threat: a password in the page's state)", async ({
    page,
    api,
  }) => {
    await page.getByRole("button", { name: "Change" }).click();
    const request = await api.next();
    expect(request.request().postData()).toContain("hunter2");
    expect(await page.evaluate(() => mutations.kept())).not.toContain("hunter2");
    await request.fulfill({ json: {} });
    await expect(page.getByRole("list", { name: "Told" })).toHaveText("done at 2");
    expect(await page.evaluate(() => mutations.kept())).not.toContain("hunter2");
  });
});

test.describe("a form", () => {
  async function fill(page: Page, name = "Ana", email = "ana@example.com") {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Email", { exact: true }).fill(email);
  }
  const press = (page: Page) => page.getByRole("button", { name: "Invite" }).click();

  test("sends nothing that the server would refuse, and leads to the first field that is wrong @main", async ({
    page,
    api,
  }) => {
    await fill(page, "", "ana");
    await press(page);
    await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
    await expect(page.getByLabel("Email", { exact: true })).toHaveAccessibleDescription(
      "Enter an email address, such as ana@example.com.",
    );
    expect(api.sent).toHaveLength(0);
  });

  test("says beside its field what the server refuses, and keeps what was typed", async ({
    page,
    api,
  }) => {
    await fill(page);
    await press(page);
    await (
      await api.next()
    ).fulfill(
      refuse(422, "invalid_fields", { errors: [{ path: "email", code: "already_member" }] }),
    );
    await expect(page.getByLabel("Email", { exact: true })).toBeFocused();
    await expect(page.getByLabel("Email", { exact: true })).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue("ana@example.com");
  });
});

test.describe("a form of a password", () => {
  const press = (page: Page) => page.getByRole("button", { name: "Save" }).click();

  test("takes what a password manager put in without a word to the page", async ({ page, api }) => {
    for (const [label, value] of [
      ["Your email", "ana@example.com"],
      ["Your password", " as it is "],
    ] as const)
      await page.getByLabel(label).evaluate((input: HTMLInputElement, early) => {
        input.value = early;
      }, value);
    await press(page);
    expect((await api.next()).request().postDataJSON()).toEqual({
      email: "ana@example.com",
      password: " as it is ",
    });
    await expect(page).toHaveURL(`${origin}/`);
  });

  test("sends nothing while something is missing, and leads to it", async ({ page, api }) => {
    await page.getByLabel("Your password").fill("   ");
    await press(page);
    await expect(page.getByLabel("Your email")).toBeFocused();
    await page.getByLabel("Your email").fill("ana@example.com");
    await press(page);
    await expect(page.getByLabel("Your password")).toBeFocused();
    await expect(page.getByLabel("Your password")).toHaveAttribute("aria-invalid", "true");
    expect(api.sent).toHaveLength(0);
  });

  test("has a refused password typed again, and is sent once for two presses", async ({
    page,
    api,
  }) => {
    await page.getByLabel("Your email").fill("ana@example.com");
    await page.getByLabel("Your password").fill("hunter2");
    await pressTwice(page, "Save");
    const errors = [{ path: "password", code: "wrong_password" }];
    await (await api.next()).fulfill(refuse(422, "invalid_fields", { errors }));
    const field = page.getByLabel("Your password");
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await page.keyboard.type("another");
    await expect(field).toHaveValue("another");
    expect(api.sent).toHaveLength(1);
  });
});
