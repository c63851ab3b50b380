import { fetchJson, type Failure } from "@/lib/fetch-json";
import { readJson, type ReadFailure } from "@/lib/read-json";
import { missingOr, notThisObject } from "@/lib/request-fields";
import { webhookTypes } from "@/lib/webhooks/types";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import * as z from "zod/mini";

/** How something that one proposed ended, as `GET …/proposals` answers it to its author. Moments are ISO 8601, UTC. */
const endedProposal = z.object({
  id: z.string(),
  about: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("webhooks"),
      type: z.enum([...webhookTypes, "both"]),
      url: z.string(),
    }),
    z.object({ kind: z.literal("connection"), clientId: z.string() }),
  ]),
  state: z.enum(["approved", "rejected", "withdrawn", "replaced", "expired"]),
  at: z.string(),
  /** Whoever ended it; null: its time was over. */
  by: z.nullable(z.string()),
  /** What they wrote to its author. */
  reason: z.nullable(z.string()),
  /** How the save of an approved change of webhooks ended; null: not known yet, or there is none. */
  save: z.nullable(z.enum(["saved", "unchanged", "partial", "not_saved", "unknown"])),
});
export type EndedProposal = z.infer<typeof endedProposal>;

/** Not dismissed yet, the newest first. */
const endedSchema = z.object({ ended: z.array(endedProposal) });
export type EndedProposals = z.infer<typeof endedSchema>;

/** The body of `PATCH …/proposals/{proposal}`. */
export const dismissedSchema = z.strictObject(
  { dismissed: z.literal(true, { error: missingOr("not_offered") }) },
  { error: notThisObject },
);
export type Dismissed = z.infer<typeof dismissedSchema>;

/** Milliseconds. Only the database is asked. */
const timeout = 10_000;

type Place = { partner: string; environment: string };

/** `waiting`: what of theirs still waits as the screen shows it; once one of it does not, this is asked anew. */
export function endedQuery({ partner, environment }: Place, waiting: readonly string[]) {
  return queryOptions<EndedProposals, ReadFailure>({
    queryKey: ["ended-proposals", partner, environment, waiting.join()],
    queryFn: ({ signal }) =>
      readJson(proposalsPath({ partner, environment }), {
        timeout,
        signal,
        parse: (body) => endedSchema.safeParse(body).data,
      }),
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** Null: it is not shown again. */
export async function dismissEnded(place: Place, proposal: string): Promise<Failure | null> {
  const path = `${proposalsPath(place)}/${encodeURIComponent(proposal)}`;
  const body: Dismissed = { dismissed: true };
  const answer = await fetchJson(path, { method: "PATCH", body, timeout });
  return answer.kind === "ok" ? null : answer;
}

function proposalsPath({ partner, environment }: Place): string {
  return `/api/partners/${encodeURIComponent(partner)}/${encodeURIComponent(environment)}/proposals`;
}
