import type { Retype } from "@/lib/webhooks/model/configuration";
import type { RemoteWebhook } from "./remote-state";

/**
 * What a save sent last as a type's Authorization value: its HMAC, null for none; and when that save began. `seen`: the
 * list has shown since that none is set.
 */
export type Written = { value: string | null; at: number; seen?: true | undefined };

type Shown = Pick<RemoteWebhook, "fingerprint" | "masked" | "authorizationConflict" | "duplicate">;

/** Whether the list shows exactly what Gancho wrote last. Only such a value is known, and may be written again. */
export function isAsWritten(shown: Shown, written: Written | undefined): boolean {
  return whyRetype(shown, written) === null;
}

/** Why this type's value has to be typed before it can go with another address; null where it is as Gancho wrote it. */
export function whyRetype(
  { fingerprint, masked, authorizationConflict, duplicate }: Shown,
  written: Written | undefined,
): Retype | null {
  if (duplicate || authorizationConflict) return "conflicting_values";
  if (masked) return "retype_not_shown";
  const isValue = typeof written?.value === "string";
  if (fingerprint === null) {
    if (isValue) return "retype_not_shown";
    return written?.seen ? null : "retype_unproven";
  }
  if (fingerprint === written?.value) return null;
  return isValue ? "retype_other_value" : "retype_unproven";
}
