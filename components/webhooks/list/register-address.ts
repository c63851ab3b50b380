import type { Configuration } from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/draft";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { webhookTypes } from "@/lib/webhooks/model/types";

/** What "Register webhook" starts with: the one type that is missing, else both. */
export function registerAddress(configuration: Configuration): SheetAddress {
  const missing = webhookTypes.filter((type) => !webhookOf(configuration, type));
  const [only, ...others] = missing;
  return { mode: "register", type: only && others.length === 0 ? only : "both" };
}
