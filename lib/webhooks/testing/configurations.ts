import type { Configuration, ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import type { Draft } from "@/lib/webhooks/model/draft";
import { eventKinds, type WebhookType } from "@/lib/platform/payment-service/contract/terms";

/** Builders for tests: a believable default, with the test's own values on top. */

export const aWebhook = (
  type: WebhookType,
  overrides: Partial<ConfiguredWebhook> = {},
): ConfiguredWebhook => ({
  type,
  callbackUrl: "https://hooks.aurora.example/pix",
  authorization: { set: true, fingerprint: "9c41e07d" },
  events: [...eventKinds[type]],
  shownSince: "2026-01-28T12:00:00.000Z",
  askedBy: { at: "2026-01-28T11:59:58.000Z", name: "Marina Castro" },
  ...overrides,
});

/** The sheet as it opens on `aWebhook("pix_in")`. */
export const aDraft = (overrides: Partial<Draft> = {}): Draft => ({
  type: "pix_in",
  url: "https://hooks.aurora.example/pix",
  authorization: { action: "keep", value: "" },
  ...overrides,
});

export const aConfiguration = (
  webhooks: ConfiguredWebhook[],
  overrides: Partial<Configuration> = {},
): Configuration => ({
  partner: "aurora",
  environment: "sandbox",
  revision: webhooks.length > 0 ? "r1" : null,
  epoch: 1,
  confirmedAt: "2026-01-31T12:00:00.000Z",
  confirmedAgeMs: 0,
  answeredAt: "2026-01-31T12:00:00.000Z",
  stale: false,
  webhooks,
  openSaves: [],
  ...overrides,
});
