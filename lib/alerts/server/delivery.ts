import "server-only";
import type { Alert } from "@/lib/alerts/model/alert";
import { db } from "@/lib/platform/database/open";

/** An alert on its way to one recipient. `id`: the same for every attempt. `at`: when it happened, milliseconds. */
export type Delivery = { id: string; at: number; alert: Alert };

export async function partnerName(partnerId: string): Promise<string> {
  const partner = db().selectFrom("partners").select("name").where("id", "=", partnerId);
  return (await partner.executeTakeFirst())?.name ?? partnerId;
}

/** Path of the page to read, or act on. */
export function pageOf(alert: Alert): string {
  switch (alert.kind) {
    case "changed_outside":
    case "address_changed":
    case "authorization_revealed":
    case "approval_waits":
    case "endpoint_result":
    case "certificate_ends":
      return `/partners/${alert.partnerId}/${alert.environment}/webhooks`;
    case "approval_decided":
      return alert.about === "credentials"
        ? `/partners/${alert.partnerId}/${alert.environment}/connection`
        : `/partners/${alert.partnerId}/${alert.environment}/webhooks`;
    case "credentials_proposed":
    case "credentials_replaced":
    case "connection_failing":
    case "connection_recovered":
      return `/partners/${alert.partnerId}/${alert.environment}/connection`;
    case "four_eyes_lifted":
    case "admin_added":
    case "admin_removed":
      return `/partners/${alert.partnerId}/team`;
    case "service_failing":
    case "service_recovered":
      return "/installation";
    default:
      return "/account";
  }
}
