import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import * as z from "zod/mini";

/** Days that a connection's band shows, today included. */
export const bandDays = 60;

/** The state of a day, from the worst of its readings. `not_read`: there were none. */
const dayStates = ["confirmed", "changed_outside", "failing", "not_read"] as const;
export type DayState = (typeof dayStates)[number];

const bandDay = z.object({
  /** `YYYY-MM-DD`, a day of UTC. */
  day: z.string(),
  readings: z.number(),
  failed: z.number(),
  /** Milliseconds of the slowest list call; null where none was answered. */
  slowestMs: z.nullable(z.number()),
  /** The connection's own state is the same for all types; an outside change belongs to one. */
  states: z.object({ pix_in: z.enum(dayStates), pix_out: z.enum(dayStates) }),
});
type BandDay = z.infer<typeof bandDay>;

/** The answer of `GET …/readings`: every day, the oldest first. */
export const bandSchema = z.object({
  environment: z.string(),
  /** Minutes from one background reading to the next; null where there are none. */
  everyMinutes: z.nullable(z.number()),
  days: z.array(bandDay),
  /** In the demo: everything shown from before this time is made up. ISO 8601. */
  madeUpUntil: z.nullable(z.string()),
});
export type Band = z.infer<typeof bandSchema>;

type CountedDay = { day: number; readings: number; failed: number; outside: number };

/** An outside change weighs more than a failure: a failure is over when it works again. */
export function statesOfDay({ readings, failed, outside }: CountedDay): BandDay["states"] {
  const stateOf = (bit: number): DayState => {
    if (readings === 0) return "not_read";
    if ((outside & bit) !== 0) return "changed_outside";
    return failed > 0 ? "failing" : "confirmed";
  };
  const [pix_in, pix_out] = webhookTypes.map((_, at) => stateOf(1 << at));
  return { pix_in: pix_in ?? "not_read", pix_out: pix_out ?? "not_read" };
}
