import "server-only";
import { alertRules, type Alert } from "@/lib/alerts/model/alert";
import { db } from "@/lib/platform/database/open";

/** An alert on its way to one recipient. `id`: the same for every attempt. `at`: when it happened, milliseconds. */
export type Delivery = { id: string; at: number; alert: Alert };

export async function partnerName(partnerId: string): Promise<string> {
  const partner = db().selectFrom("partners").select("name").where("id", "=", partnerId);
  return (await partner.executeTakeFirst())?.name ?? partnerId;
}

/** Path of the page to read, or act on. */
export function pageOf(alert: Alert): string {
  const isOfCredentials = alert.kind === "approval_decided" && alert.about === "credentials";
  const page = isOfCredentials ? "connection" : alertRules[alert.kind].page;
  if (!("partnerId" in alert)) return `/${page}`;
  const place =
    "environment" in alert ? `${alert.partnerId}/${alert.environment}` : alert.partnerId;
  return `/partners/${place}/${page}`;
}
