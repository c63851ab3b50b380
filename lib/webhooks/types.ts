/** The two transaction types of the contract, section 2.2, in the order in which they are shown. */
export const webhookTypes = ["pix_in", "pix_out"] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** What a save applies to. */
export type AppliesTo = WebhookType | "both";

export function typesOf(appliesTo: AppliesTo): WebhookType[] {
  return appliesTo === "both" ? [...webhookTypes] : [appliesTo];
}

/** Event kinds the service can deliver for each type, contract section 6. */
export const eventKinds = {
  pix_in: ["collection.paid"],
  pix_out: ["transfer.completed", "transfer.failed", "transfer.refunded"],
} as const satisfies Record<WebhookType, readonly string[]>;
