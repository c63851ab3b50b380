import * as z from "zod/mini";

/** The body of a mutation that its address says all about: an empty object, so that it is JSON all the same. */
export const emptyBody = z.strictObject({}, { error: "unknown_field" });
