import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** 256 random bits: nobody can guess one, so finding it in the database needs no throttle. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The hash that the database stores: a reader of the database cannot make the link. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
