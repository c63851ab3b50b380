import { apiPath, type ReadFailure, readJson } from "@/lib/platform/http/client/fetch-json";
import { syncServerClock, serverNow } from "@/lib/platform/http/client/server-clock";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import type { FetchedSource } from "@/lib/webhooks/model/sheet-address";
import type { Source } from "@/lib/webhooks/model/source";

/** Query keys of this feature's data in the browser. */
export const webhookKeys = {
  configuration: (partner: string, environment: string) =>
    ["webhooks", partner, environment] as const,
  // Neither is part of the configuration's key, so that reading that again leaves them alone.
  step: (partner: string, environment: string, operation: string) =>
    ["save-step", partner, environment, operation] as const,
  source: (partner: string, environment: string, from: FetchedSource) =>
    ["webhook-source", partner, environment, from] as const,
};

/** The server tries for about 10 s. */
const readTimeout = 15_000;

/** While the service cannot be reached or a save is open, so that the screen recovers by itself. */
const recheckSoon = 10_000;

/** For a visible tab. */
const recheckEvery = 60_000;

/** Milliseconds. An open page reads every minute, so an older configuration was kept from before. */
export const oldAfterMs = 2 * recheckEvery;

/** One partner's configuration in one environment, as the payment service last confirmed it. */
export function configurationQuery(partner: string, environment: string) {
  return queryOptions<Configuration, ReadFailure>({
    queryKey: webhookKeys.configuration(partner, environment),
    queryFn: async ({ signal }) => {
      const path = apiPath("partners", partner, environment, "webhooks");
      const read = await readJson(path, { timeout: readTimeout, signal, parse });
      syncServerClock(read.answeredAt, { fresh: true });
      return read;
    },
    // Every answer passes this before it is stored.
    structuralSharing: (kept, read) =>
      newer(kept as Configuration | undefined, read as Configuration),
    // Fails at once without a network, instead of waiting for one.
    networkMode: "always",
    refetchOnReconnect: true,
    staleTime: 15_000,
    // For as long as the framework keeps the page: otherwise Back would show what the page was rendered with.
    gcTime: Infinity,
    refetchInterval: ({ state: { status, data } }) =>
      status === "error" || data?.stale || data?.openSaves.length ? recheckSoon : recheckEvery,
  });
}

/** The values that a sheet opens with. Not read again: later changes must not change a draft. */
export function sourceQuery(partner: string, environment: string, from: FetchedSource) {
  return queryOptions<Source, ReadFailure>({
    queryKey: webhookKeys.source(partner, environment, from),
    queryFn: ({ signal }) => {
      const path = apiPath("partners", partner, environment, "webhooks", "source");
      return readJson(`${path}?from=${encodeURIComponent(from)}`, {
        timeout: readTimeout,
        signal,
        parse: async (body) => {
          const { sourceSchema } = await import("@/lib/webhooks/model/source");
          return sourceSchema.safeParse(body).data;
        },
      });
    },
    staleTime: Infinity,
    gcTime: 0,
  });
}

/**
 * The newer of two configurations of one environment, wherever they come from: by epoch, then by arrival. Uses no
 * clock.
 */
export function newer(kept: Configuration | undefined, read: Configuration): Configuration {
  return kept && read.epoch < kept.epoch ? kept : read;
}

/** Stores the configuration that came with another answer. */
export function keepConfiguration(client: QueryClient, read: Configuration): void {
  syncServerClock(read.answeredAt, { fresh: true });
  put(client, read, Date.now());
}

/**
 * Stores the configuration that came with a page. The browser may have kept that page for an hour, so its data may be
 * outdated, and is as old as its answer.
 */
export function keepFromPage(client: QueryClient, given: Configuration): void {
  put(client, given, answeredOnThisClock(given));
}

/** When the answer was made, by the browser's clock, which measures a query's age. */
export function answeredOnThisClock({ answeredAt }: Configuration): number {
  syncServerClock(answeredAt, { fresh: false });
  const age = (serverNow() ?? 0) - new Date(answeredAt).getTime();
  return Date.now() - Math.max(0, age);
}

function put(client: QueryClient, given: Configuration, updatedAt: number): void {
  const queryKey = webhookKeys.configuration(given.partner, given.environment);
  const kept = client.getQueryData<Configuration>(queryKey);
  if (newer(kept, given) === given) client.setQueryData(queryKey, given, { updatedAt });
}

/** The first configuration comes with the page, so the schema and its library are loaded later. */
async function parse(body: unknown): Promise<Configuration | undefined> {
  const { configurationSchema } = await import("@/lib/webhooks/model/configuration");
  return configurationSchema.safeParse(body).data;
}
