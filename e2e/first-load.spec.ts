import type { Page, Request, Response } from "@playwright/test";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "@/e2e/fixtures/test";

/** Compressed as the server sends it (Brotli), in units of 1,024 bytes. */
const budget = { fonts: 40 };

/** Screens that people mostly just read: the code of their forms and dialogs comes later. Nothing waits for approval. */
const screens = [
  { name: "Webhooks", path: "/sandbox/webhooks", scripts: 182 },
  { name: "Approvals", path: "/sandbox/approvals", scripts: 168 },
  { name: "History", path: "/sandbox/history", scripts: 163 },
  { name: "Partners", path: null, scripts: 166 },
];

type Script = { name: string; size: number };

/**
 * The scripts that the page's HTML makes a modern browser load: those it runs, and those it fetches ahead for a part
 * that the server has rendered. Not those for browsers without modules, and not what the page fetches later, for a
 * possible click.
 */
async function firstScripts(page: Page): Promise<Script[]> {
  const html = await (await page.request.get(page.url())).text();
  const tags = [...html.matchAll(/<script\b[^>]*>|<link\b[^>]*\bas="script"[^>]*>/gi)].map(
    ([tag]) => tag,
  );
  const sources = tags
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .flatMap((tag) => /\b(?:src|href)="([^"]+)"/i.exec(tag)?.[1] ?? []);
  return Promise.all(
    [...new Set(sources)].map(async (name) => {
      const answer = await page.request.get(name);
      expect(answer.ok()).toBe(true);
      return { name, size: brotliCompressSync(await answer.body()).length / 1_024 };
    }),
  );
}

test.beforeEach(async ({ partner, signIn }) => {
  await partner.service.register({ url: "https://hooks.loja.example/pix" });
  await signIn(await partner.person("admin"));
});

for (const { name, path, scripts: most } of screens)
  test(`the first load of JavaScript of ${name} stays within its budget`, async ({
    page,
    partner,
  }) => {
    await page.goto(path === null ? "/partners" : `/partners/${partner.id}${path}`);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    const scripts = await firstScripts(page);
    const total = scripts.reduce((sum, { size }) => sum + size, 0);
    console.log(`First-load JavaScript of ${name}: ${total.toFixed(1)} KB compressed`);
    for (const script of scripts)
      console.log(`  ${script.size.toFixed(1).padStart(6)} KB  ${script.name}`);
    expect(scripts.length).toBeGreaterThan(3);
    expect(total).toBeLessThanOrEqual(most);
  });

test("the Webhooks screen requests no page ahead and none twice, no stylesheet, and few fonts", async ({
  page,
  partner,
}) => {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await expect(page.getByRole("region", { name: "Pix in" })).toBeVisible();
  // Once the page answers a press, it has sent all requests of its own.
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("Up to date.")).toBeAttached();

  const paths = requests.map((request) => new URL(request.url()));
  expect(paths.filter(({ searchParams }) => searchParams.has("_rsc"))).toEqual([]);
  expect(requests.filter((request) => request.resourceType() === "stylesheet")).toEqual([]);
  const fonts = requests.filter((request) => request.resourceType() === "font");
  const sizes = await Promise.all(
    fonts.map(async (font) => (await (await font.response())?.body())?.length ?? NaN),
  );
  expect(fonts.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1_024).toBeLessThanOrEqual(budget.fonts);
});

test("a page contains no messages: a language is one file, which the browser keeps", async ({
  page,
  partner,
}) => {
  const files: Response[] = [];
  page.on("response", (answer) => {
    if (answer.url().includes("/words/")) files.push(answer);
  });
  const html = await (await page.goto(`/partners/${partner.id}/sandbox/webhooks`))?.text();
  console.log(`HTML of Webhooks: ${((html ?? "").length / 1_024).toFixed(1)} KB`);
  // As in a file of messages, and in React's data, where it is text within a script.
  expect(html).not.toMatch(/\\?"not_saved\\?":/);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("Up to date.")).toBeAttached();
  await page.reload();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("Up to date.")).toBeAttached();

  const [first, ...again] = files;
  expect(first?.url()).toMatch(/\/words\/en\.[\w-]{16}\.json$/);
  expect(first?.headers()["cache-control"]).toBe("public, max-age=31536000, immutable");
  const words = await page.request.get(first?.url() ?? "");
  expect(await words.json()).toHaveProperty("problems.not_saved");
  expect(words.headers()["content-encoding"]).toBeDefined();
  // The preloaded one is the one that is read, and after a reload the browser's own.
  const sent = await Promise.all(again.map((answer) => answer.request().sizes()));
  expect(sent.filter(({ responseBodySize }) => responseBodySize > 0)).toEqual([]);
});

test("a file of messages of another build is given, and not to be kept; none of another language", async ({
  page,
}) => {
  const other = await page.request.get("/words/pt-BR.0000000000000000.json");
  expect(other.headers()["cache-control"]).toBe("no-store");
  expect(await other.json()).toHaveProperty("problems.not_saved");
  expect((await page.request.get("/words/de.0000000000000000.json")).status()).toBe(404);
});
