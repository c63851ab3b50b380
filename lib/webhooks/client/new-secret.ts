"use client";

import { generateAuthorization } from "@/lib/webhooks/model/rules/authorization-value";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

type EnvironmentRef = { partner: string; environment: string };

/** `isInPlace`: the person said that the receiver asks for it. */
type NewSecret = { value: string; isInPlace: boolean };

const keyOf = ({ partner, environment }: EnvironmentRef) =>
  ["new-secret", partner, environment] as const;

const kept = (client: QueryClient, ref: EnvironmentRef) =>
  client.getQueryData<NewSecret>(keyOf(ref));

/**
 * The secret for an environment's first receiver: generated once and kept in the page's memory, whichever pages are
 * opened meanwhile, until something is registered. It is stored nowhere, so a reload generates another. null on the
 * server and until the page is hydrated.
 */
export function useNewSecret(ref: EnvironmentRef, isRegistered: boolean) {
  const client = useQueryClient();
  const queryKey = keyOf(ref);
  const { data } = useQuery({
    queryKey,
    queryFn: (): NewSecret =>
      kept(client, ref) ?? { value: generateAuthorization(), isInPlace: false },
    enabled: !isRegistered,
    networkMode: "always",
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const { partner, environment } = ref;
  useEffect(() => {
    if (isRegistered) client.removeQueries({ queryKey: keyOf({ partner, environment }) });
  }, [client, partner, environment, isRegistered]);
  return {
    secret: data ?? null,
    putInPlace: () =>
      client.setQueryData<NewSecret>(queryKey, (now) => now && { ...now, isInPlace: true }),
  };
}

/** What the form of a first webhook begins with: the secret that the receiver asks for; otherwise empty. */
export function useSecretInPlace(ref: EnvironmentRef): string {
  const client = useQueryClient();
  const [value] = useState(() => {
    const secret = kept(client, ref);
    return secret?.isInPlace ? secret.value : "";
  });
  return value;
}
