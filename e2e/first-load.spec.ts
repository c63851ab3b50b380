import type { Page, Request } from "@playwright/test";
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

test("a page has its messages after its content, and works in a browser that does not send Sec-Fetch-Dest", async ({
  page,
  partner,
}) => {
  const address = `/partners/${partner.id}/sandbox/webhooks`;
  const asDocument = { headers: { "sec-fetch-dest": "document" } };
  const html = await (await page.request.get(address, asDocument)).text();
  expect(html).toContain("pix_in");
  const [shown = "", data = ""] = html.split("</main>");
  expect(shown).not.toContain("self.__next_f.push");
  const [, messages = ""] = /id="messages-problems">(.*?)<\/script>/s.exec(data) ?? [];
  expect(JSON.parse(messages)).toHaveProperty("problems.not_saved");
  // React's data is text within a script, with its quotation marks escaped.
  expect(data).not.toContain('\\"not_saved\\"');

  const without: string[] = [];
  await page.route(address, async (route) => {
    // A request of Playwright's own says nothing of a document.
    const response = await page.request.get(address);
    without.push(await response.text());
    await route.fulfill({ response });
  });
  await page.goto(address);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("Up to date.")).toBeAttached();
  expect(without).toEqual([expect.stringContaining('\\"not_saved\\"')]);
});
