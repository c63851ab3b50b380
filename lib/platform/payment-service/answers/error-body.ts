import * as z from "zod";
import type { components } from "@/lib/platform/payment-service/contract/wire";
import { parseJson } from "./parse-json";
import type { WireAnswer } from "@/lib/platform/payment-service/transport/transport";

/** Section 2.5. */
const errorBody = z.object({
  error: z.string(),
} satisfies Record<keyof components["schemas"]["Error"], z.ZodType>);

/** The reason in an error's body, as it was sent; null where the body is not the contract's. */
export function errorText(answer: Extract<WireAnswer, { kind: "answered" }>): string | null {
  const json = parseJson(answer);
  const body = errorBody.safeParse(json.ok ? json.value : undefined);
  return body.success ? body.data.error : null;
}
