import { switchDailyOnTrust } from "@/lib/endpoint-check/server/daily";
import { log } from "@/lib/platform/log/log";
import { newRequestId } from "@/lib/platform/log/request-note";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { SandboxClient } from "@/lib/sandbox/clients";
import { switchFourEyes } from "@/lib/team/server/four-eyes/switch-four-eyes";
import { untilDone } from "@/lib/platform/runtime/in-flight";
import { storeHours } from "@/lib/watch/server/hours";
import { recordPeoplesReadings } from "@/lib/watch/server/record-reading";
import { readAlone } from "@/lib/webhooks/server/answer/read";
import { saveConfiguration } from "@/lib/webhooks/server/answer/save";
import { connectionRefOnTrust } from "@/lib/webhooks/server/observe/reading";
import { demoPartners, demoProduction, demoStory, hasMarker, setMarker } from "./data";
import { liveValue } from "./receivers";
import { accessOf } from "./register-webhooks";

/**
 * What a newcomer should see in the first minute: an address changed outside Gancho, for real at the sandbox; a change
 * that waits for a second person; a connection that fails; and two endpoints that are checked every day. Runs once, in
 * a database without any of it, and keeps later changes. False where it added nothing.
 */
export async function seedStory(
  sandbox: string,
  clients: ReadonlyMap<string, SandboxClient>,
): Promise<boolean> {
  const client = clients.get("aurora-live");
  // Changes nothing at a service that is not the demo's.
  const isOwn = env().environments.get(demoProduction) === sandbox;
  if (!isOwn || !client || (await hasMarker(db(), "demo-story"))) return false;
  // The console belongs to the person who tries the demo.
  log.level = "fatal";
  await setMarker(db(), "demo-story");
  // So that the dashboard counts the readings as its own.
  recordPeoplesReadings();
  try {
    await propose();
    await changeOutside(sandbox, client);
  } catch (error) {
    // The sandbox may hold anything by now: the demo goes on without its story.
    if (!(error instanceof ProblemError)) throw error;
  }
  for (const { id } of demoPartners) await readConfiguration(id);
  if (env().endpointChecks === "daily")
    for (const id of ["aurora", "mercado"]) await checkDaily(id);
  await untilDone(10_000);
  await storeHours();
  return true;
}

async function propose(): Promise<void> {
  const context = () => ({ requestId: newRequestId(), clientAddress: null });
  await switchFourEyes(await accessOf("aurora", "admin", "four_eyes.write"), true, context());
  const configuration = await readConfiguration("aurora");
  const request = {
    type: "pix_in" as const,
    url: demoStory.proposed,
    reason: demoStory.note,
    authorization: { action: "replace" as const, value: "Bearer demo-lojaaurora-9d27b1c6f0a4" },
    revision: configuration?.revision ?? null,
  };
  const access = await accessOf("aurora", "editor", "webhooks.write");
  await saveConfiguration(access, demoProduction, request, context());
}

/** By the partner's admin; the dashboard begins with it at once, and mails what it finds. */
async function checkDaily(id: string): Promise<void> {
  const access = await accessOf(id, "admin", "endpoints.watch");
  const origin = { requestId: newRequestId(), clientAddress: null };
  await switchDailyOnTrust(access, demoProduction, { type: "pix_in", on: true }, origin);
}

/** As any other client of the contract would. */
async function changeOutside(sandbox: string, client: SandboxClient): Promise<void> {
  const pair = Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64");
  const json = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(10_000);
  const token = await fetch(`${sandbox}/api/oauth/token`, {
    method: "POST",
    signal,
    headers: { ...json, authorization: `Basic ${pair}` },
    body: JSON.stringify({ grant_type: "client_credentials" }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  await fetch(`${sandbox}/api/v1/webhooks`, {
    method: "POST",
    signal,
    headers: { ...json, authorization: `Bearer ${access_token}` },
    body: JSON.stringify({
      url: demoStory.outside,
      type: "pix_out",
      authorization: liveValue,
    }),
  });
}

/** A refusal of the service is the intended result. */
async function readConfiguration(partner: string) {
  const ref = await connectionRefOnTrust(partner, demoProduction);
  return readAlone(ref, { requestId: newRequestId() }).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
    return null;
  });
}
