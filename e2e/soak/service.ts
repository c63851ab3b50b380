import type { SoakPartner } from "./partner";
import { directService } from "@/e2e/fixtures/direct-service";

/** What the service really holds of a partner: the address of each registered type. */
export async function held(sandboxUrl: string, partner: SoakPartner): Promise<Map<string, string>> {
  const client = { client_id: partner.id, client_secret: partner.secret };
  const webhooks = await directService(client, sandboxUrl).list();
  return new Map(webhooks.map(({ type, callback_url }) => [type, callback_url]));
}
