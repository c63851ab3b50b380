import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";

/** As RFC 6238 recommends and every authenticator app does without being told: SHA-1, six digits, half a minute. */
const stepMs = 30_000;
const digits = 6;

/** A clock may be wrong by a step in either direction. */
const tolerance = 1;

/** The number of the half-minute that `now` is in, from which a code is made. */
export function stepAt(now: number): number {
  return Math.floor(now / stepMs);
}

/** The code of a step (RFC 4226, 5.3). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, "0");
}

/** Which step the code is of, or null where it is none of this moment's. Spaces, as apps show them, do not matter. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | null {
  const typed = Buffer.from(code.replace(/\s/g, ""));
  const around = Array.from({ length: 2 * tolerance + 1 }, (_, n) => stepAt(now) - tolerance + n);
  // All of them are compared: how long it takes does not tell how near the clock is.
  const found = around.filter((step) => {
    const right = Buffer.from(codeAt(secret, step));
    return right.length === typed.length && timingSafeEqual(right, typed);
  });
  return found.at(-1) ?? null;
}

/** What an authenticator app reads from the picture. `issuer` and `account` are what it shows. */
export function otpauthUri(
  secretText: string,
  { issuer, account }: Record<"issuer" | "account", string>,
) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secretText}&issuer=${encodeURIComponent(issuer)}`;
}
