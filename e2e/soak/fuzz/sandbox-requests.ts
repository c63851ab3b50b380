import type { Dice } from "./dice";
import { anyBody } from "./shapes";
import { anyText } from "./values";
import type { Message } from "./wire";

const fields = new Set(["grant_type", "url", "type", "authorization"]);
const paths = [
  "/api/oauth/token",
  "/api/v1/webhooks",
  "/api/v1/webhooks/",
  "/health",
  "/",
] as const;

/** One request at the sandbox, with a token, or credentials, that are right or nearly. */
export function sandboxRequest(dice: Dice, host: string, token: string, basic: string): Message {
  const path = dice.oneOf([...paths, "/api/v1/webhooks", "/api/oauth/token"]);
  const right = path.includes("token") ? `Basic ${basic}` : `Bearer ${token}`;
  const method = dice.oneOf(["GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]);
  return {
    method,
    path: dice.oneIn(15)
      ? `${path}?${encodeURIComponent(
          anyText(dice)
            .replace(/[\ud800-\udfff]/gu, "?")
            .slice(0, 300),
        )}`
      : path,
    headers: {
      host,
      authorization: dice.oneIn(10) ? right.slice(0, dice.under(right.length)) : right,
      "content-type": dice.oneIn(15) ? "text/plain" : "application/json",
      ...(dice.oneIn(15) && { "x-forwarded-for": "203.0.113.7, x" }),
    },
    body: method === "GET" || method === "HEAD" ? null : Buffer.from(anyBody(dice, fields)),
  };
}
