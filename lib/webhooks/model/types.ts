export {
  eventKinds,
  limits,
  typesOf,
  webhookTypes,
  type AppliesTo,
  type WebhookType,
} from "@/lib/platform/payment-service/contract/terms";
