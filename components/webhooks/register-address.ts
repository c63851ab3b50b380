import type { Configuration } from "@/lib/webhooks/configuration";
import { webhookOf } from "@/lib/webhooks/draft";
import type { SheetAddress } from "@/lib/webhooks/sheet-address";
import { webhookTypes } from "@/lib/webhooks/types";

/** What "Register webhook" starts with: the one type that is missing, else both. */
export function registerAddress(configuration: Configuration): SheetAddress {
  const missing = webhookTypes.filter((type) => !webhookOf(configuration, type));
  const [only, ...others] = missing;
  return { mode: "register", type: only && others.length === 0 ? only : "both" };
}
