import { code, plainLine } from "@/lib/platform/http/model/request-fields";
import * as z from "zod/mini";

/** Room for a reason ("ticket 48211") and not for a conversation: the partner reads it in its history. */
export const reasonLength = { min: 5, max: 300 };

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

/** An open view, as the browser gets it. */
export type ShownSupportView = {
  partner: { id: string; name: string };
  reason: string;
  /** The time left, as of the answer: a browser's own clock may be wrong. */
  secondsLeft: number;
};
