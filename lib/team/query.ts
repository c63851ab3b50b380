import { fetchJson, type Failure } from "@/lib/fetch-json";
import { queryOptions } from "@tanstack/react-query";
import { teamKeys } from "./keys";
import { teamSchema, type Team } from "./team";

/** Thrown by the query: why the team could not be had. */
export class TeamFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind === "problem" ? failure.problem.code : failure.kind);
    this.name = "TeamFailure";
    this.failure = failure;
  }
}

/** Only the database is asked. */
const readTimeout = 10_000;

/** The people of one partner and who is invited. */
export function teamQuery(partner: string) {
  return queryOptions<Team, TeamFailure>({
    queryKey: teamKeys.team(partner),
    queryFn: async ({ signal }) => {
      const answer = await fetchJson(membersPath(partner), { timeout: readTimeout, signal });
      if (answer.kind !== "ok") throw new TeamFailure(answer);
      const team = teamSchema.safeParse(answer.body);
      if (!team.success) throw new TeamFailure({ kind: "no_answer" });
      return team.data;
    },
    retry: false,
  });
}

export function membersPath(partner: string): string {
  return `/api/partners/${encodeURIComponent(partner)}/members`;
}
