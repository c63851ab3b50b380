import { apiPath, readJson, type ReadFailure } from "@/lib/platform/http/client/fetch-json";
import { queryOptions } from "@tanstack/react-query";
import { teamSchema, type Team } from "@/lib/team/model/team";

/** Query keys of this feature's data in the browser. */
export const teamKeys = {
  team: (partner: string) => ["team", partner] as const,
};

/** The route only reads the database. */
const readTimeout = 10_000;

/** The people of one partner and its invitations. */
export function teamQuery(partner: string) {
  return queryOptions<Team, ReadFailure>({
    queryKey: teamKeys.team(partner),
    queryFn: ({ signal }) =>
      readJson(apiPath("partners", partner, "members"), {
        timeout: readTimeout,
        signal,
        parse: (body) => teamSchema.safeParse(body).data,
      }),
  });
}
