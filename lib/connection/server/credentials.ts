import "server-only";
import type { Secret } from "@/lib/platform/runtime/secret";

export type Credentials = { clientId: string; clientSecret: Secret };

export function areSame(one: Credentials, other: Credentials): boolean {
  return one.clientId === other.clientId && !hasOtherSecret(one, other);
}

export function hasOtherSecret(before: Credentials | null, after: Credentials): boolean {
  return before?.clientSecret.reveal() !== after.clientSecret.reveal();
}
