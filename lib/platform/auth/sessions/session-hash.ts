import "server-only";
import { keyedDigest } from "@/lib/platform/auth/keyed-digest";

/**
 * Names the session of a cookie in the database. With a key, so that whoever may write there, but does not know
 * AUTH_SECRET, cannot add a row that a cookie of theirs opens.
 */
export function sessionHash(id: string): string {
  return keyedDigest("gancho session", id).toString("hex");
}
