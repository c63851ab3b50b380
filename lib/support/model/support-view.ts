import type { FieldCode } from "@/lib/platform/http/model/field-errors";
import * as z from "zod/mini";

/** Enough to give a reason ("ticket 48211"), and no room for a conversation: the partner reads it in its history. */
export const reasonLength = { min: 5, max: 300 };

const code = (name: FieldCode) => name;

/** Characters that could hide, break or reverse a line of the history become spaces. */
function plainLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}

/** What `POST /api/partners/{partner}/support-view` takes. */
export const supportViewRequestSchema = z.strictObject({
  reason: z
    .string(code("not_text"))
    .check(
      z.overwrite(plainLine),
      z.minLength(reasonLength.min, code("too_short")),
      z.maxLength(reasonLength.max, code("too_long")),
    ),
});

export type SupportViewRequest = z.infer<typeof supportViewRequestSchema>;

/** An open view, as the browser gets it. Timestamps are ISO 8601, UTC. */
export type ShownSupportView = {
  partner: { id: string; name: string };
  reason: string;
  startedAt: string;
  expiresAt: string;
  /** Until it expires, as of the answer: a browser's own clock may be wrong. */
  secondsLeft: number;
};
