import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { newRequestId } from "@/lib/platform/log/request-note";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { readAlone } from "@/lib/webhooks/server/answer/read";
import { saveConfiguration } from "@/lib/webhooks/server/answer/save";
import { connectionRefOnTrust } from "@/lib/webhooks/server/observe/reading";
import type { PartnerRole, Permission } from "@/lib/platform/access/model/roles";
import { accessOnTrust } from "@/lib/platform/access/require";
import { demoPartners, demoPeople, demoWebhooks } from "./data";

/**
 * Registers the demo's webhooks by a save of the partner's admin, as a person would, so that Gancho knows their values.
 * Skips partners with registered webhooks: a second start, or one after `kill -9`, overwrites nobody's save. Returns a
 * line about each partner that failed, or whose addresses lead to the receivers of a demo on another port.
 */
export async function registerWebhooks(environments: readonly string[]): Promise<string[]> {
  const notes: string[] = [];
  for (const environment of environments)
    for (const id of Object.keys(demoWebhooks(env().receiversPort, environment)))
      try {
        const port = await register(id, environment);
        if (port && port !== env().receiversPort)
          notes.push(
            `${id}: its addresses in ${environment} lead to port ${port}, where an earlier demo received: start with the PORT of then, or remove the data folder to begin anew`,
          );
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        notes.push(`${id}: nothing was registered in ${environment} (${error.code})`);
      }
  return notes;
}

/** Resolves to the port of the demo's receivers to which what is registered already leads. */
async function register(id: string, environment: string): Promise<number | null> {
  const request = demoWebhooks(env().receiversPort, environment)[id];
  if (!request) return null;
  const requestId = newRequestId();
  const configuration = await readAlone(await connectionRefOnTrust(id, environment), {
    requestId,
  });
  if (configuration.webhooks.length > 0) {
    const addresses = configuration.webhooks.map(({ callbackUrl }) => callbackUrl).join(" ");
    return Number(/\.localhost:(\d+)\//.exec(addresses)?.[1]) || null;
  }
  const access = await accessOf(id, "admin", "webhooks.write");
  const origin = { requestId, clientAddress: null };
  const onTop = { ...request, revision: configuration.revision };
  await saveConfiguration(access, environment, onTop, origin);
  return null;
}

/** In the name of one of the demo's people, who consented by starting the demo. */
export async function accessOf<P extends Permission>(
  partnerId: string,
  role: PartnerRole,
  permission: P,
) {
  const partner = demoPartners.find(({ id }) => id === partnerId);
  const person = demoPeople
    .filter((each) => "partner" in each)
    .find((each) => each.partner === partnerId && each.role === role);
  if (!partner || !person) throw new Error(`The demo has no ${role} of ${partnerId}`);
  const { id, email } = await db()
    .selectFrom("users")
    .select(["id", "email"])
    .where("email", "=", person.email)
    .executeTakeFirstOrThrow();
  const nothing = { invitedAs: null, staffRole: null, memberships: [] };
  const viewer = { id, email, name: person.name, ...nothing };
  return accessOnTrust(permission, { viewer, partner, role });
}
