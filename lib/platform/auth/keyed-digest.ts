import "server-only";
import { env } from "@/lib/platform/env/env";
import { createHmac, hkdfSync } from "node:crypto";

/** A digest that nobody makes without AUTH_SECRET. Each use has a key of its own. */
export function keyedDigest(use: "gancho known device" | "gancho session", text: string): Buffer {
  const key = hkdfSync("sha256", env().authSecret.reveal(), new Uint8Array(), use, 32);
  return createHmac("sha256", new Uint8Array(key)).update(text).digest();
}
