import { checkEndpoint as checkEndpointWith } from "@/lib/endpoint-check/server/check";
import { switchDaily as switchDailyWith } from "@/lib/endpoint-check/server/daily";
import { lastChecks as lastChecksWith } from "@/lib/endpoint-check/server/stored";
import { inPartner } from "@/lib/platform/access/testing/asking";

/** A person's actions, with the access check that their route makes. */
export const checkEndpoint = inPartner("endpoints.check", checkEndpointWith);
export const lastChecks = inPartner("webhooks.read", lastChecksWith);
export const switchDaily = inPartner("endpoints.watch", switchDailyWith);
