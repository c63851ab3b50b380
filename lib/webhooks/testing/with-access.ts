import { dismissProposal, readEnded as readEndedWith } from "@/lib/approvals/server/read-ended";
import { decideProposal as decideProposalWith } from "@/lib/approvals/server/decide";
import { recentChanges } from "@/lib/history/testing/recent-changes";
import type { Permission } from "@/lib/platform/access/model/roles";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { acknowledgeOutside as acknowledgeOutsideWith } from "@/lib/webhooks/server/answer/acknowledge";
import {
  openReading as openReadingWith,
  readConfiguration as readConfigurationWith,
} from "@/lib/webhooks/server/answer/read";
import { revealAuthorization as revealAuthorizationWith } from "@/lib/webhooks/server/answer/reveal";
import * as operations from "@/lib/webhooks/server/answer/operation";
import { saveConfiguration as saveConfigurationWith } from "@/lib/webhooks/server/answer/save";

/** A person's actions, with the access check that their route makes. */
export const readConfiguration = inPartner("webhooks.read", readConfigurationWith);
export const openReading = inPartner("webhooks.read", openReadingWith);
/** The same, with the latest changes in the history. */
export async function readWithChanges(...args: Parameters<typeof readConfiguration>) {
  const configuration = await readConfiguration(...args);
  return { ...configuration, recentChanges: await recentChanges(args[0], args[1]) };
}
export const acknowledgeOutside = inPartner("webhooks.write", acknowledgeOutsideWith);
export const readOperation = inPartner("webhooks.read", operations.readOperation);
export const readStep = inPartner(
  "webhooks.read",
  (access, environment: string, operation: string) =>
    Promise.resolve(operations.readStep(access, environment, operation)),
);
export const saveConfiguration = inPartner("webhooks.write", saveConfigurationWith);
export const revealAuthorization = at("authorization.reveal", revealAuthorizationWith);
export const decideProposal = at("webhooks.approve", decideProposalWith);
export const dismissEnded = at("proposals.follow", dismissProposal);
export const readEnded = at(
  "proposals.follow",
  (access, { environment }: { environment: string }) => readEndedWith(access, environment),
);

/** Like a route that passes on all parts of its address. */
function at<P extends Permission, Address extends object, Rest extends unknown[], Result>(
  permission: P,
  act: (access: PartnerAccess<P>, address: Address, ...rest: Rest) => Promise<Result>,
) {
  return async (address: Address & { partner: string }, ...rest: Rest): Promise<Result> =>
    act(await requirePartner(address.partner, permission), address, ...rest);
}
