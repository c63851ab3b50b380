import "server-only";
import { randomBytes } from "node:crypto";

/** Names one request from the answer to the log line to the history row; people quote it. 16 hexadecimal characters. */
export function newRequestId(): string {
  return randomBytes(8).toString("hex");
}
