import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import { checkCallbackTarget } from "@/lib/webhooks/model/rules/callback-target";
import { checkCallbackUrl } from "@/lib/webhooks/model/rules/callback-url";
import {
  nearMissAuthorizations,
  nearMissUrls,
} from "@/lib/webhooks/model/rules/testing/near-misses";
import { expect, test } from "@playwright/test";
import { build } from "esbuild";
import fc from "fast-check";
import { fileURLToPath } from "node:url";

/*
 * The form and the server run the same rules in two engines: what one lets through and the other refuses is a save
 * that fails, or a defence that is not there.
 */

const count = 20_000;
const root = fileURLToPath(new URL("..", import.meta.url));

/** Each verdict as one text. A suggestion is an offer, and depends on the engine's edition of Unicode. */
function verdicts(
  rules: {
    checkCallbackUrl: typeof checkCallbackUrl;
    checkCallbackTarget: typeof checkCallbackTarget;
    checkAuthorizationValue: typeof checkAuthorizationValue;
  },
  inputs: { urls: string[]; values: string[] },
) {
  const asText = (verdict: object) => JSON.stringify({ ...verdict, suggestion: null });
  return {
    urls: inputs.urls.map((url) =>
      [
        rules.checkCallbackUrl(url),
        rules.checkCallbackTarget(url, { allowPrivateTargets: false }),
        rules.checkCallbackTarget(url, { allowPrivateTargets: true }),
      ]
        .map(asText)
        .join(),
    ),
    values: inputs.values.map((value) => asText(rules.checkAuthorizationValue(value))),
  };
}

/** The rules as the browser gets them: one script that defines `rules`. */
async function bundledRules(): Promise<string> {
  const files = ["callback-url", "callback-target", "authorization-value"];
  const { outputFiles } = await build({
    stdin: {
      contents: files
        .map((file) => `export * from "@/lib/webhooks/model/rules/${file}";`)
        .join("\n"),
      resolveDir: root,
    },
    alias: { "@": root },
    bundle: true,
    format: "iife",
    globalName: "rules",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** The first few inputs on which the two sides differ: enough to see the problem. */
const differences = (inputs: string[], one: readonly unknown[], other: readonly unknown[]) =>
  inputs
    .map((input, index) => ({ input, one: one[index], other: other[index] }))
    .filter((pair) => pair.one !== pair.other)
    .slice(0, 10);

test("the browser decides as the server does", async ({ page }) => {
  const urls = fc.sample(nearMissUrls, count);
  const values = fc.sample(nearMissAuthorizations, count);
  await page.addScriptTag({ content: await bundledRules() });
  const inputs = JSON.stringify({ urls, values });
  const inBrowser = await page.evaluate<ReturnType<typeof verdicts>>(
    `(${verdicts.toString()})(rules, ${inputs})`,
  );
  const inNode = verdicts(
    { checkCallbackUrl, checkCallbackTarget, checkAuthorizationValue },
    { urls, values },
  );
  expect(differences(urls, inBrowser.urls, inNode.urls)).toEqual([]);
  expect(differences(values, inBrowser.values, inNode.values)).toEqual([]);
  expect(inBrowser.urls).toHaveLength(count);
  expect(inBrowser.values).toHaveLength(count);
});
