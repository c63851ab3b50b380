import { gzipSync } from "node:zlib";
import { expect, test } from "./fixtures/test";

/** Compressed, in units of 1,024 bytes; an empty application of the framework has 137. */
const budget = 210;

test("the Webhooks screen's first load of JavaScript stays within its budget", async ({
  page,
  partner,
  signIn,
}) => {
  await partner.service.register({ url: "https://hooks.loja.example/pix" });
  await signIn(await partner.person("admin"));
  const path = `/partners/${partner.id}/sandbox/webhooks`;
  const html = await (await page.request.get(path)).text();
  const scripts = new Set(
    [...html.matchAll(/\/_next\/static\/[^"'\\]+?\.js/g)].map(([script]) => script),
  );
  let bytes = 0;
  for (const script of scripts)
    bytes += gzipSync(await (await page.request.get(script)).body(), { level: 9 }).length;
  const size = bytes / 1_024;
  console.log(
    `First-load JavaScript of the Webhooks screen: ${size.toFixed(1)} KB compressed, in ${scripts.size} files`,
  );
  expect(scripts.size).toBeGreaterThan(3);
  expect(size).toBeLessThanOrEqual(budget);
});
