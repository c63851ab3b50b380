import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { PartnerLine } from "./page";

// Not in page.ts: the first load of the list needs these without the schemas.

/** The statuses to filter the list of partners by. */
export const partnerStatuses = [
  "type_missing",
  "no_authorization",
  "changed_outside",
  "failing",
  "endpoint_fails",
  "suspended",
] as const;
export type PartnerStatus = (typeof partnerStatuses)[number];

/** The sort orders: from A, the worst first, the oldest confirmation first. */
export const partnerSorts = ["name", "status", "age"] as const;
export type PartnerSort = (typeof partnerSorts)[number];

export const maxSearchLength = 100;

/** A partner's states in the list, each with words, an icon and a colour. */
export type PartnerState =
  | { kind: "suspended" }
  /** `code` is a problem code. */
  | { kind: "failing"; code: string }
  | { kind: "not_connected" }
  | { kind: "not_checked" }
  | { kind: "changed_outside" | "other_value" }
  | { kind: "nothing_registered" }
  | { kind: "type_missing"; type: WebhookType }
  /** Gancho cannot tell whether a type is registered. */
  | { kind: "unclear" }
  /** The service shows none. */
  | { kind: "no_authorization" }
  | { kind: "endpoint_fails" }
  | { kind: "healthy" };

/** All its states, the worst first; never empty. */
export function statesOf(partner: PartnerLine): PartnerState[] {
  const found: PartnerState[] = [
    ...(partner.suspended ? [{ kind: "suspended" } as const] : []),
    ...connectionStates(partner),
    ...(partner.changedOutside ? [outsideState(partner)] : []),
    ...(partner.endpointFails ? [{ kind: "endpoint_fails" } as const] : []),
    ...(partner.connected && partner.checkedAt !== null ? configurationStates(partner) : []),
  ];
  return found.length > 0 ? found : [{ kind: "healthy" }];
}

function outsideState({ otherValue }: PartnerLine): PartnerState {
  return { kind: otherValue ? "other_value" : "changed_outside" };
}

function connectionStates({ connected, failing, checkedAt }: PartnerLine): PartnerState[] {
  if (!connected) return [{ kind: "not_connected" }];
  if (failing) return [{ kind: "failing", code: failing.code }];
  return checkedAt === null ? [{ kind: "not_checked" }] : [];
}

function configurationStates({ hosts, withoutAuthorization }: PartnerLine): PartnerState[] {
  const missing = webhookTypes.filter((type) => hosts[type] === null);
  if (missing.length === webhookTypes.length) return [{ kind: "nothing_registered" }];
  return [
    ...missing.map((type) => ({ kind: "type_missing", type }) as const),
    ...(webhookTypes.some((type) => hosts[type] === "") ? [{ kind: "unclear" } as const] : []),
    ...(withoutAuthorization.length > 0 ? [{ kind: "no_authorization" } as const] : []),
  ];
}
