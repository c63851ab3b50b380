import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";

export {
  eventKinds,
  limits,
  webhookTypes,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";

/** The types of a save. */
export type AppliesTo = WebhookType | "both";

export function typesOf(appliesTo: AppliesTo): WebhookType[] {
  return appliesTo === "both" ? [...webhookTypes] : [appliesTo];
}
