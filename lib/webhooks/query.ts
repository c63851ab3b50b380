import { readJson, type ReadFailure } from "@/lib/read-json";
import { queryOptions } from "@tanstack/react-query";
import type { Configuration } from "./configuration";
import { webhookKeys } from "./keys";

/** The server tries for about 10 s. */
const readTimeout = 15_000;

/** While the service cannot be reached, the screen heals by itself. */
const recheckWhileOld = 10_000;

/** One partner's configuration in one environment, as the payment service last confirmed it. */
export function configurationQuery(partner: string, environment: string) {
  return queryOptions<Configuration, ReadFailure>({
    queryKey: webhookKeys.configuration(partner, environment),
    queryFn: ({ signal }) =>
      readJson(webhooksPath(partner, environment), { timeout: readTimeout, signal, parse }),
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

/** The first configuration comes with the page, so the schema and what it needs are not part of its first load. */
async function parse(body: unknown): Promise<Configuration | undefined> {
  const { configurationSchema } = await import("./configuration");
  return configurationSchema.safeParse(body).data;
}
