"use client";

import type { Connection } from "@/lib/connection/model/connection";
import { connectionRequestSchema, type ConnectionRequest } from "@/lib/connection/model/request";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";

/** What is typed. `clientSecret` counts only while the secret is being replaced. */
type Credentials = { clientId: string; clientSecret: string };

/** The form of the credentials: valid where the request that it would send is. */
export function useCredentialsForm(connection: Connection, replacing: boolean) {
  return useForm({
    defaultValues: credentialsOf(connection),
    resolver: zodResolver(
      z.pipe(
        z.transform((typed: Credentials) => requestOf(typed, connection, replacing)),
        connectionRequestSchema,
      ),
    ),
    // Nobody is corrected while still typing for the first time.
    mode: "onTouched",
  });
}

export function credentialsOf({ clientId }: Connection): Credentials {
  return { clientId: clientId ?? "", clientSecret: "" };
}

function requestOf(
  { clientId, clientSecret }: Credentials,
  { version }: Connection,
  replacing: boolean,
): ConnectionRequest {
  return { clientId, version, ...(replacing ? { clientSecret } : {}) };
}
