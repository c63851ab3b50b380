import type { WireAnswer } from "@/lib/platform/payment-service/transport/transport";

type Answered = Extract<WireAnswer, { kind: "answered" }>;

/** A whole JSON answer, as the transport would hand it over. */
export function wireAnswer(
  status: number,
  body: unknown,
  headers: Answered["headers"] = {},
): Answered {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    kind: "answered",
    status,
    headers: { "content-type": "application/json", ...headers },
    body: { state: "whole", bytes: Buffer.from(text, "utf8") },
  };
}
