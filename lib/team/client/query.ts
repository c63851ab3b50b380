import { readJson, type ReadFailure } from "@/lib/platform/http/client/read-json";
import { queryOptions } from "@tanstack/react-query";
import { teamKeys } from "./keys";
import { teamSchema, type Team } from "@/lib/team/model/team";

/** Only the database is asked. */
const readTimeout = 10_000;

/** The people of one partner and who is invited. */
export function teamQuery(partner: string) {
  return queryOptions<Team, ReadFailure>({
    queryKey: teamKeys.team(partner),
    queryFn: ({ signal }) =>
      readJson(membersPath(partner), {
        timeout: readTimeout,
        signal,
        parse: (body) => teamSchema.safeParse(body).data,
      }),
    retry: false,
  });
}

export function membersPath(partner: string): string {
  return `/api/partners/${encodeURIComponent(partner)}/members`;
}
