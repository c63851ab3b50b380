import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** 256 random bits: nobody finds one by trying, so looking one up needs no throttle. A leaf. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What the database knows of a token: whoever reads it there cannot make the link. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
