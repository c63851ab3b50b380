import "server-only";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { db, isPostgres } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { findOverview } from "@/lib/partners/server/list/overview";
import { countLongReading } from "@/lib/platform/limits/limits";
import { shownFingerprints, type ShowFingerprint } from "@/lib/platform/secrets/partner-mac";
import {
  confirmedAt,
  loadLastKnown,
  type LastKnownState,
} from "@/lib/webhooks/server/read/last-known";
import { type RemoteWebhook, versionOf } from "@/lib/webhooks/server/read/remote-state";
import { type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { webhookTypes } from "@/lib/webhooks/model/types";
import packageJson from "@/package.json";
import { withoutSecrets } from "./without-secrets";

type Line = [name: string, value: string];

/**
 * A summary for somebody who helps with this partner's configuration, as plain text to paste into a ticket. From the
 * last confirmed state, without a call of the service; nothing secret is in it. In English on purpose: its readers run
 * Gancho. Throws `not_found` and `too_many_requests`.
 */
export async function diagnose(
  { partner, viewer }: PartnerAccess<"webhooks.read">,
  environmentName: string,
  requestId: string,
): Promise<string> {
  await countLongReading("diagnoses", { person: viewer.id, partner: partner.id });
  const environment = requireEnvironment(environmentName);
  const connection = await db()
    .selectFrom("connections")
    .select(["id", "version", "updated_at", "client_id"])
    .where("partner_id", "=", partner.id)
    .where("environment", "=", environment.name)
    .executeTakeFirst();
  const environmentConnection = connection && asEnvironmentConnection(connection, environment);
  const known = environmentConnection && (await loadLastKnown(db(), environmentConnection));
  const confirmed = known?.confirmed ?? null;
  const overview =
    environmentConnection &&
    (await findOverview(db(), { partnerId: partner.id, ...environmentConnection }));
  const lines: Line[] = [
    ["partner", `${partner.id} (${partner.name})`],
    ["environment", `${environment.name} (${new URL(environment.baseUrl).host})`],
    [
      "connection",
      connection
        ? `set up, version ${connection.version} of ${iso(connection.updated_at)}`
        : "none",
    ],
    ["last confirmed", confirmed ? iso(confirmedAt(confirmed)) : "never"],
    ...(known && confirmed
      ? registeredLines(confirmed, environment.name, await shownFingerprints(db(), partner.id))
      : []),
    [
      "last fault",
      overview?.fault_code
        ? `${overview.fault_code} since ${iso(overview.failing_since ?? 0)}, request ${overview.fault_request_id}`
        : confirmed
          ? "none"
          : "none seen, and nothing confirmed either: the service may not have been asked yet",
    ],
    ["request", requestId],
    ["written", iso(Date.now())],
    ["versions", versions()],
  ];
  return ["Gancho diagnosis", ...lines.map(asLine)].join("\n");
}

/** The service may write anything into its texts; that must not look like a line of ours. */
function asLine([name, value]: Line): string {
  return `${name}: ${value}`.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}

function registeredLines(
  { remote }: LastKnownState,
  environment: string,
  show: ShowFingerprint,
): Line[] {
  return [
    ...webhookTypes.flatMap((type): Line[] => {
      const webhook = remote.webhooks[type];
      return webhook
        ? webhookLines(type, webhook, (stored) => show(environment, stored))
        : [[type, "not registered"]];
    }),
    ...remote.unrecognised.map((item): Line => {
      const name = item.type === null ? "an item without a type" : `an item of type ${item.type}`;
      return [name, withoutSecrets(item.callbackUrl)];
    }),
  ];
}

function webhookLines(
  type: string,
  webhook: RemoteWebhook,
  show: (stored: string) => string,
): Line[] {
  const state = versionOf(webhook);
  return [
    [type, webhook.duplicate ? "registered, listed more than once" : "registered"],
    [`${type} callback`, withoutSecrets(webhook.callbackUrl)],
    [`${type} authorization`, authorizationOf(state, show)],
    [`${type} events`, webhook.events?.join(", ") ?? "not stated"],
  ];
}

function authorizationOf(state: WebhookVersion, show: (stored: string) => string): string {
  if (state?.conflict) return "two different values";
  if (state?.fingerprint) return `set, fingerprint ${show(state.fingerprint)}`;
  return state?.hidden === "masked" ? "a placeholder is shown" : "none is shown";
}

function asEnvironmentConnection(
  { id, client_id: clientId }: { id: string; client_id: string },
  { name, baseUrl }: { name: string; baseUrl: string },
) {
  return { environment: name, connection: { id, clientId, baseUrl } };
}

function versions(): string {
  const engine = isPostgres(env().databaseUrl.reveal()) ? "PostgreSQL" : "SQLite";
  return `gancho ${packageJson.version}, node ${process.version}, ${engine}`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
