import "server-only";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { readLines } from "@/lib/partners/server/list/read-lines";
import { countLongReading } from "@/lib/platform/limits/limits";
import { webhookTypes } from "@/lib/webhooks/model/types";
import packageJson from "@/package.json";

/**
 * What the list of partners knows of this one, as plain text to paste into a ticket: nothing secret, and of addresses
 * the host alone. Without a call of the service. In English on purpose: its readers run Gancho. Throws `not_found` and
 * `too_many_requests`.
 */
export async function diagnose(
  { partner, viewer }: PartnerAccess<"webhooks.read">,
  environmentName: string,
  requestId: string,
): Promise<string> {
  await countLongReading("diagnoses", { person: viewer.id, partner: partner.id });
  const { name: environment, baseUrl } = requireEnvironment(environmentName);
  const only = { words: [], status: undefined, among: [partner.id], sort: undefined, after: null };
  const [line] = await readLines(db(), { environment, baseUrl }, only, 1);
  const { hosts, withoutAuthorization = [], failing, checkedAt } = line ?? {};
  const registered = webhookTypes.map((type) => {
    const value = withoutAuthorization.includes(type) ? "no value is shown" : "with a value";
    return `${type}: ${hosts?.[type] ? `${hosts[type]}, ${value}` : checkedAt ? "not registered" : "not known"}`;
  });
  return [
    "Gancho diagnosis",
    `partner: ${partner.id} (${partner.name})`,
    `environment: ${environment} (${new URL(baseUrl).host})`,
    `connection: ${line?.connected ? "set up" : "none"}`,
    `last confirmed: ${checkedAt ?? "never"}`,
    ...registered,
    `last fault: ${failing ? `${failing.code} since ${failing.since}, request ${failing.requestId}` : "none seen"}`,
    `request: ${requestId}`,
    `written: ${new Date().toISOString()}`,
    `version: ${packageJson.version}`,
  ]
    .map((text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " "))
    .join("\n");
}
