import "server-only";
import { createHmac, timingSafeEqual } from "node:crypto";

/** The defaults of RFC 6238, which every authenticator app uses: SHA-1, six digits, half a minute. */
const stepMs = 30_000;
const digits = 6;

/** A clock may be wrong by a step in either direction. */
const tolerance = 1;

/** The number of the half-minute at `now`, the counter of the code. */
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

/** The step that the code belongs to, or null if it is not valid now. Ignores spaces, which apps show. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | null {
  const typed = Buffer.from(code.replace(/\s/g, ""));
  const around = Array.from({ length: 2 * tolerance + 1 }, (_, n) => stepAt(now) - tolerance + n);
  // Compares all of them, so that the duration does not reveal how far the clock is off.
  const found = around.filter((step) => {
    const right = Buffer.from(codeAt(secret, step));
    return right.length === typed.length && timingSafeEqual(right, typed);
  });
  return found.at(-1) ?? null;
}

/** The text of the QR code for an authenticator app, which shows `issuer` and `account`. */
export function otpauthUri(
  secretText: string,
  { issuer, account }: Record<"issuer" | "account", string>,
) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secretText}&issuer=${encodeURIComponent(issuer)}`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, without padding: what authenticator apps take as a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

/** Reads what `base32` wrote. */
export function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
