import * as z from "zod";

/** The message of a variable that must be set. */
export function missing(whatToDo: string) {
  return { error: `is missing: ${whatToDo}` };
}

/** Ends a transformation; the message completes the sentence "NAME …". */
export function refuseValue(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}
