import { webhookTypes, type WebhookType } from "@/lib/partner-api/contract/terms";

export {
  eventKinds,
  limits,
  webhookTypes,
  type WebhookType,
} from "@/lib/partner-api/contract/terms";

/** What a save applies to. */
export type AppliesTo = WebhookType | "both";

export function typesOf(appliesTo: AppliesTo): WebhookType[] {
  return appliesTo === "both" ? [...webhookTypes] : [appliesTo];
}
