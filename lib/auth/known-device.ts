import "server-only";
import { env } from "@/lib/env";
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** A browser in which somebody has signed in before. */
export type KnownDevice = {
  /** New with every sign-in. */
  id: string;
};

/** How long a browser is remembered after its last sign-in, milliseconds. */
export const deviceLifeMs = 180 * 24 * 60 * 60_000;

/**
 * What a browser keeps of a sign-in: that the person with this address (lower-case) was in it. It opens nothing; it
 * only has the throttle count this browser's attempts at this one account apart from everybody else's. Signed, so that
 * nobody makes one; it does not say whose it is.
 */
export function rememberDevice(email: string, now = Date.now()): string {
  const id = randomBytes(16).toString("base64url");
  return [id, now, macOf(email, id, String(now))].join(".");
}

/** null for what was not issued to this browser for this address, or too long ago. */
export function knownDevice(
  cookie: string | undefined,
  email: string,
  now = Date.now(),
): KnownDevice | null {
  const [id = "", issuedAt = "", mac = "", ...more] = cookie?.split(".") ?? [];
  if (more.length > 0 || !isSame(mac, macOf(email, id, issuedAt))) return null;
  return Number(issuedAt) > now - deviceLifeMs ? { id } : null;
}

function macOf(email: string, id: string, issuedAt: string): string {
  const secret = env().authSecret.reveal();
  const key = hkdfSync("sha256", secret, new Uint8Array(), "gancho known device", 32);
  return createHmac("sha256", new Uint8Array(key))
    .update(JSON.stringify([email, id, issuedAt]))
    .digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
