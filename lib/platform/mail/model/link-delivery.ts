import * as z from "zod/mini";

/**
 * How a person who was added or invited gets in: the link was mailed, or that failed; where Gancho sends no mail, they
 * sign in at their provider, or the operator makes the link at the terminal. No screen shows a link.
 */
export const linkDelivery = z.enum(["sent", "failed", "provider", "terminal"]);
export type LinkDelivery = z.infer<typeof linkDelivery>;
