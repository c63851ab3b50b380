import { Secret } from "@/lib/platform/runtime/secret";
import { type Sandbox, type SandboxOptions, startSandbox } from "@/lib/sandbox/start";
import { afterEach, beforeEach } from "vitest";
import { type FaultyUpstream, startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import type { CallLine, PartnerConnection } from "@/lib/platform/payment-service/types";
import { createPartnerApi } from "@/lib/platform/payment-service/client";

/** Characters that only survive if both sides mean UTF-8, and a colon, which only the id must not have (RFC 7617). */
export const credentials = { client_id: "aurora-ação", client_secret: "n0t:for-the-ëyes" };

type ClientOptions = Omit<Parameters<typeof createPartnerApi>[0], "userAgent" | "log">;

/** A client with quick retries that begins a write however little time is left. */
export function testClient({ limits, ...options }: ClientOptions = {}) {
  const lines: CallLine[] = [];
  const note = (line: CallLine) => lines.push(line);
  const api = createPartnerApi({
    userAgent: "gancho/0.0.0-test",
    log: { info: note, warn: note },
    limits: { retryPauseMs: 1, minWriteMs: 0, ...limits },
    ...options,
  });
  return { api, lines };
}

export const connectionTo = (
  baseUrl: string,
  changes: Partial<PartnerConnection> = {},
): PartnerConnection => ({
  id: "aurora-sandbox",
  version: 1,
  baseUrl,
  clientId: credentials.client_id,
  clientSecret: new Secret(credentials.client_secret),
  ...changes,
});

export const options = { requestId: "r-1" };
export const desired = { type: null, url: "https://partner.example/", authorization: null };

/*
 * Of a test file that calls `inServices` once, new for each of its tests.
 */
export let sandbox: Sandbox;
export let upstream: FaultyUpstream;

/** Starts a sandbox with the test's client for each test, and a faulty upstream in front of it. */
export function inServices(given: Pick<SandboxOptions, "now"> = {}): void {
  beforeEach(async () => {
    sandbox = await startSandbox({ clients: [credentials], ...given });
    upstream = await startFaultyUpstream({ sandbox: sandbox.url });
  });
  afterEach(async () => {
    await upstream.close();
    await sandbox.close();
  });
}
