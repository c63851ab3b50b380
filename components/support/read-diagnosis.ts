import * as z from "zod/mini";

const answerSchema = z.object({ text: z.string() });

/** The text in the answer of `GET …/diagnosis`; undefined where there is none. */
export function readDiagnosis(body: unknown): string | undefined {
  return answerSchema.safeParse(body).data?.text;
}
