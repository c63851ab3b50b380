import { fetchJson, type Failure } from "@/lib/fetch-json";
import { queryOptions } from "@tanstack/react-query";
import type { Configuration } from "./configuration";
import { webhookKeys } from "./keys";

/** Thrown by the query: why the configuration could not be had. */
export class ConfigurationFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind === "problem" ? failure.problem.code : failure.kind);
    this.name = "ConfigurationFailure";
    this.failure = failure;
  }
}

/** The server tries for about 10 s. */
const readTimeout = 15_000;

/** While the service cannot be reached, the screen heals by itself. */
const recheckWhileOld = 10_000;

/** One partner's configuration in one environment, as the payment service last confirmed it. */
export function configurationQuery(partner: string, environment: string) {
  return queryOptions<Configuration, ConfigurationFailure>({
    queryKey: webhookKeys.configuration(partner, environment),
    queryFn: ({ signal }) => readConfiguration(webhooksPath(partner, environment), signal),
    // Retrying is the server's affair: it knows what is worth it.
    retry: false,
    // Without a network too: an answer that says so is better than none until there is one again.
    networkMode: "always",
    staleTime: 15_000,
    refetchInterval: ({ state }) =>
      state.status === "error" || state.data?.stale ? recheckWhileOld : false,
  });
}

export function webhooksPath(partner: string, environment: string): string {
  return `/api/partners/${encodeURIComponent(partner)}/${encodeURIComponent(environment)}/webhooks`;
}

async function readConfiguration(path: string, signal: AbortSignal): Promise<Configuration> {
  const answer = await fetchJson(path, { timeout: readTimeout, signal });
  if (answer.kind !== "ok") throw new ConfigurationFailure(answer);
  const configuration = await parse(answer.body);
  if (!configuration) throw new ConfigurationFailure({ kind: "no_answer" });
  return configuration;
}

/** The first configuration comes with the page, so the schema and what it needs are not part of its first load. */
async function parse(body: unknown): Promise<Configuration | undefined> {
  const { configurationSchema } = await import("./configuration");
  return configurationSchema.safeParse(body).data;
}
