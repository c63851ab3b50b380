import type { Page } from "@playwright/test";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "@/e2e/fixtures/test";

/** Compressed as the server sends it (Brotli), in units of 1,024 bytes. */
const budget = 185;

type Script = { name: string; size: number };

/**
 * The scripts that the page's own HTML has a browser of today load: not those for browsers without modules, and not
 * what the page fetches later, when it is idle, for a click that may come.
 */
async function firstScripts(page: Page): Promise<Script[]> {
  const html = await (await page.request.get(page.url())).text();
  const tags = [...html.matchAll(/<script\b[^>]*>/gi)].map(([tag]) => tag);
  const sources = tags
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .flatMap((tag) => /\bsrc="([^"]+)"/i.exec(tag)?.[1] ?? []);
  return Promise.all(
    sources.map(async (name) => {
      const body = await (await page.request.get(name)).body();
      return { name, size: brotliCompressSync(body).length / 1_024 };
    }),
  );
}

test("the Webhooks screen's first load of JavaScript stays within its budget", async ({
  page,
  partner,
  signIn,
}) => {
  await partner.service.register({ url: "https://hooks.loja.example/pix" });
  await signIn(await partner.person("admin"));
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  const scripts = await firstScripts(page);
  const total = scripts.reduce((sum, { size }) => sum + size, 0);
  console.log(`First-load JavaScript of the Webhooks screen: ${total.toFixed(1)} KB compressed`);
  for (const { name, size } of scripts) console.log(`  ${size.toFixed(1).padStart(6)} KB  ${name}`);
  expect(scripts.length).toBeGreaterThan(3);
  expect(total).toBeLessThanOrEqual(budget);
});
