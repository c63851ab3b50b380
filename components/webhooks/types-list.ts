import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { useTranslations } from "next-intl";

/** Joins types as in a sentence: "Pix in and Pix out". */
export function listOf(
  types: readonly WebhookType[],
  t: ReturnType<typeof useTranslations<never>>,
): string {
  const names = types.map((type) => t(`webhooks.types.${type}`));
  const last = names.pop() ?? "";
  return names.length === 0 ? last : t("webhooks.typesList", { others: names.join(", "), last });
}
