import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { aConfiguration, aWebhook } from "@/lib/webhooks/testing/configurations";
import { expect, it } from "vitest";
import { newAddresses } from "./save-end";

const now = "https://hooks.aurora.example/pix";

function ended(results: SaveResult["results"], moved: SaveResult["moved"] = []) {
  const callbackUrl = now;
  const webhooks = [aWebhook("pix_in", { callbackUrl }), aWebhook("pix_out", { callbackUrl })];
  const configuration = aConfiguration(webhooks);
  return newAddresses({ results, configuration, moved });
}

it("marks what was registered, and what was overwritten with another address", () => {
  expect(ended([{ type: "pix_out", outcome: "created" }])).toEqual([`pix_out ${now}`]);
  expect(ended([{ type: "pix_in", outcome: "overwritten" }], ["pix_in"])).toEqual([
    `pix_in ${now}`,
  ]);
});

it("marks no address that stayed, that was not confirmed, or that is unknown", () => {
  expect(ended([{ type: "pix_in", outcome: "overwritten" }])).toEqual([]);
  for (const outcome of ["unchanged", "not_saved", "accepted", "unknown"] as const)
    expect(ended([{ type: "pix_in", outcome }])).toEqual([]);
  const results = [{ type: "pix_in", outcome: "created" }] as const;
  expect(newAddresses({ results: [...results], configuration: null })).toEqual([]);
});
