import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { log, newRequestId } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { connectionRefOnTrust, readOnce } from "@/lib/webhooks/server/read/read";
import { saveConfiguration } from "@/lib/webhooks/server/save/save";
import { accessOnTrust } from "@/lib/platform/access/require";
import { demoPartners, demoPeople, demoWebhooks } from "./data";

/**
 * Registers the demo's webhooks by a save of the partner's admin, as a person would: what the sandbox's list shows of
 * an Authorization value is proven by it. Only for a partner that has nothing registered: a second start, or one after
 * `kill -9`, overwrites nothing that somebody saved. Returns a line about each partner for whom it could not be done.
 */
export async function registerWebhooks(environments: readonly string[]): Promise<string[]> {
  // Its console is for whoever tries the demo.
  log.level = "fatal";
  const notes: string[] = [];
  for (const environment of environments)
    for (const id of Object.keys(demoWebhooks(env().receiversPort)))
      await register(id, environment).catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
        notes.push(`${id}: nothing was registered in ${environment} (${error.code})`);
      });
  return notes;
}

async function register(id: string, environment: string): Promise<void> {
  const request = demoWebhooks(env().receiversPort)[id];
  const partner = demoPartners.find((each) => each.id === id);
  const admin = demoPeople.find(
    (person) => "partner" in person && person.partner === id && person.role === "admin",
  );
  if (!request || !partner || !admin) return;
  const requestId = newRequestId();
  const { configuration } = await readOnce(await connectionRefOnTrust(id, environment), {
    requestId,
  });
  if (configuration.webhooks.length > 0) return;
  const { id: userId, email } = await db()
    .selectFrom("users")
    .select(["id", "email"])
    .where("email", "=", admin.email)
    .executeTakeFirstOrThrow();
  const nothing = { staffRole: null, withheldRole: null, memberships: [] };
  const viewer = { id: userId, email, name: admin.name, ...nothing };
  const access = accessOnTrust("webhooks.write", { viewer, partner, role: "admin" });
  const origin = { requestId, clientAddress: null };
  const onTop = { ...request, revision: configuration.revision };
  await saveConfiguration(access, environment, onTop, origin);
}
